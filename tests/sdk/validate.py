"""Holds requests that our clients sent against the types of the providers' own SDKs.

Reads JSON lines `{"vendor": ..., "body": {...}}` from the files and folders named on the command line:
the vendors are the keys of VALIDATORS. Exits 1 with one line for each body that an SDK would not have
sent. `--self-test` shows first that every validator refuses bodies that are wrong.
"""

import copy
import json
import sys
import warnings
from pathlib import Path

import anthropic.types.beta.message_create_params as anthropic_beta
import anthropic.types.message_create_params as anthropic_messages
import google.genai.types as gemini
import mistralai.client.models as mistral
import ollama._types as ollama
import openai.types.chat.completion_create_params as openai_chat
import openai.types.responses.response_create_params as openai_responses
from pydantic import BaseModel, TypeAdapter
from typing_extensions import is_typeddict


class Refused(Exception):
    """Why a body is not one the SDK would have sent."""


def forbid_unknown_fields(package):
    """Makes every TypedDict of the package refuse fields that it does not name, unless it says otherwise."""
    for name, module in list(sys.modules.items()):
        if not name.startswith(package):
            continue
        for found in list(vars(module).values()):
            if is_typeddict(found):
                config = {"extra": "forbid", "arbitrary_types_allowed": True}
                found.__pydantic_config__ = config | getattr(found, "__pydantic_config__", {})


def of_typed_dict(params):
    """A validator by a TypedDict."""
    adapter = TypeAdapter(params)

    def validate(body):
        exhaust(adapter.validate_python(body))

    return validate


def exhaust(value):
    """Reads iterables to their end, as pydantic validates their items only then, and refuses fields that a
    model of a response let pass where one may stand for a parameter."""
    if isinstance(value, BaseModel):
        if value.model_extra:
            raise Refused(f"{type(value).__name__} knows no {', '.join(value.model_extra)}")
        exhaust(dict(value))
    elif isinstance(value, dict):
        for inner in value.values():
            exhaust(inner)
    elif hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
        for inner in value:
            exhaust(inner)


def of_model(parse):
    """A validator by a pydantic model; what does not survive a round trip was not known to it."""

    def validate(body):
        parsed = parse(body)
        written = parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
        lost(body, written, "")

    return validate


def lost(body, written, at):
    if isinstance(body, dict):
        if not isinstance(written, dict):
            raise Refused(f"{at or 'body'} was read as {written!r}")
        for name, inner in body.items():
            if name not in written:
                raise Refused(f"{at}.{name} is not known")
            lost(inner, written[name], f"{at}.{name}")
    elif isinstance(body, list) and isinstance(written, list):
        for index, (inner, copied) in enumerate(zip(body, written)):
            lost(inner, copied, f"{at}[{index}]")


def parse_ollama(body):
    """The request's type takes any mapping for a message: its own type is asked first."""
    messages = [ollama.Message.model_validate(message) for message in body.get("messages", [])]
    return ollama.ChatRequest.model_validate({**body, "messages": messages})


GEMINI_FIELDS = {
    "contents": list[gemini.Content],
    "tools": list[gemini.Tool],
    "toolConfig": gemini.ToolConfig,
    "systemInstruction": gemini.Content,
    "generationConfig": gemini.GenerationConfig,
    "safetySettings": list[gemini.SafetySetting],
    "cachedContent": str,
}


def validate_gemini(body):
    """The SDK has no one type of the body, but types of all its fields, which forbid others."""
    for name, value in body.items():
        if name not in GEMINI_FIELDS:
            raise Refused(f"{name} is not known")
        TypeAdapter(GEMINI_FIELDS[name]).validate_python(value)
    if "contents" not in body:
        raise Refused("contents are missing")


# Some types name an item for all others; that is theirs to say.
warnings.filterwarnings("ignore", message=".*allows extra items.*")
forbid_unknown_fields("anthropic.types")
forbid_unknown_fields("openai.types")
VALIDATORS = {
    "anthropic": of_typed_dict(anthropic_messages.MessageCreateParamsStreaming),
    "anthropic-beta": of_typed_dict(anthropic_beta.MessageCreateParamsStreaming),
    "gemini": validate_gemini,
    "mistral": of_model(mistral.ChatCompletionStreamRequest.model_validate),
    "ollama": of_model(parse_ollama),
    "openai-chat": of_typed_dict(openai_chat.CompletionCreateParamsStreaming),
    "openai-responses": of_typed_dict(openai_responses.ResponseCreateParamsStreaming),
}

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
FUNCTION = {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}
CHAT = {
    "model": "m",
    "stream": True,
    "tools": [FUNCTION],
    "messages": [
        {"role": "system", "content": "s"},
        {"role": "user", "content": [{"type": "text", "text": "t"}]},
        {"role": "assistant", "content": "a", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "{}"},
    ],
}
CLAUDE = {
    "model": "m",
    "max_tokens": 10,
    "stream": True,
    "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
    "thinking": {"type": "adaptive"},
    "tools": [{"name": "f", "description": "d", "input_schema": SCHEMA}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "t"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "h", "signature": "s"},
                                          {"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "{}"}]},
    ],
}
GOOD = {
    "openai-chat": CHAT,
    "mistral": CHAT,
    "anthropic": CLAUDE,
    "anthropic-beta": CLAUDE,
    "openai-responses": {
        "model": "m",
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "low", "summary": "auto"},
        "instructions": "s",
        "tools": [{"type": "function", "name": "f", "parameters": SCHEMA, "strict": False}],
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "t"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"},
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "{}"},
        ],
    },
    "ollama": {
        "model": "m",
        "stream": True,
        "think": True,
        "options": {"num_ctx": 8192},
        "tools": [FUNCTION],
        "messages": [
            {"role": "user", "content": "t"},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
            {"role": "tool", "tool_name": "f", "content": "{}"},
        ],
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "s"}]},
        "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": SCHEMA}]}],
        "contents": [
            {"role": "user", "parts": [{"text": "t"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
        ],
    },
}

# By vendor: a place in the good body, and what must not stand there.
WRONG = {
    "openai-chat": [
        (["messages", 2, "reasoning_content"], "h"),
        (["messages", 2, "tool_calls", 0, "function", "arguments"], {}),
        (["messages", 1, "content", 0, "type"], "input_text"),
        (["messages", 1, "role"], "function_result"),
        (["max_output_tokens"], 5),
        (["reasoning_effort"], "extreme"),
    ],
    "openai-responses": [
        (["messages"], []),
        (["input", 1, "thought"], "h"),
        (["input", 2, "arguments"], {}),
        (["input", 0, "content", 0, "type"], "text"),
        (["reasoning", "effort"], "extreme"),
        (["tools", 0, "function"], {}),
    ],
    "anthropic": [
        (["messages", 1, "content", 0, "cache_control"], {"type": "ephemeral"}),
        (["messages", 1, "content", 0, "signature"], None),
        (["messages", 0, "content", 0, "type"], "input_text"),
        (["thinking", "type"], "on"),
        (["thinking", "block_binding"], {"prefix_mismatch_behavior": "drop_block"}),
        (["output_config"], {"effort": "minimal"}),
        (["tools", 0, "parameters"], {}),
        (["max_output_tokens"], 5),
    ],
    "anthropic-beta": [
        (["thinking", "block_binding"], {"prefix_mismatch_behavior": "ignore"}),
        (["messages", 1, "content", 0, "signature"], None),
    ],
    "mistral": [
        (["stream_options"], {"include_usage": True}),
        (["messages", 2, "reasoning_content"], "h"),
        (["messages", 1, "content", 0, "type"], "input_text"),
        (["max_completion_tokens"], 5),
    ],
    "ollama": [
        (["messages", 1, "tool_calls", 0, "function", "arguments"], "{}"),
        (["messages", 0, "content"], [{"type": "text", "text": "t"}]),
        (["max_tokens"], 5),
        (["think"], {"type": "enabled"}),
    ],
    "gemini": [
        (["contents", 0, "parts", 0, "kind"], "text"),
        (["contents", 1, "parts", 0, "functionCall", "arguments"], {}),
        (["messages"], []),
        (["generationConfig"], {"thinkingConfig": {"thinkingEffort": "LOW"}}),
    ],
}


def refusal(vendor, body):
    """Why the SDK would not have sent `body`; None when it would have."""
    if vendor not in VALIDATORS:
        return f"no validator for {vendor}"
    try:
        VALIDATORS[vendor](copy.deepcopy(body))
    except Exception as error:  # Pydantic's, or a Refused: the text is all that counts here.
        return " ".join(str(error).split())
    return None


def self_test():
    """Every vendor's good body passes, and each wrong one does not."""
    faults = []
    for vendor, good in GOOD.items():
        if why := refusal(vendor, good):
            faults.append(f"{vendor}: a good body is refused: {why[:400]}")
        for place, value in WRONG[vendor]:
            body = copy.deepcopy(good)
            inner = body
            for step in place[:-1]:
                inner = inner[step]
            inner[place[-1]] = value
            if refusal(vendor, body) is None:
                faults.append(f"{vendor}: {value!r} at {place} is accepted")
    return faults, sum(len(wrong) for wrong in WRONG.values())


def lines(paths):
    for path in map(Path, paths):
        for file in sorted(path.glob("**/*.jsonl")) if path.is_dir() else [path]:
            for number, line in enumerate(file.read_text().splitlines(), 1):
                yield f"{file.name}:{number}", json.loads(line)


def main(arguments):
    if not arguments:
        sys.exit("usage: validate.py [--self-test] FILE_OR_FOLDER ...")
    if arguments[0] == "--self-test":
        faults, wrong = self_test()
        if faults:
            sys.exit("\n".join(faults))
        print(f"the validators refuse all of {wrong} wrong bodies")
        arguments = arguments[1:]
    checked, faults = {}, []
    for place, dump in lines(arguments):
        vendor = dump["vendor"]
        checked[vendor] = checked.get(vendor, 0) + 1
        if why := refusal(vendor, dump["body"]):
            faults.append(f"{place}: {vendor}: {why[:600]}")
    if arguments and not checked:
        sys.exit(f"no requests in {' '.join(arguments)}: run the end-to-end tests first")
    if faults:
        sys.exit("\n".join(faults))
    print("requests as the SDKs write them:", ", ".join(f"{n} {vendor}" for vendor, n in sorted(checked.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
