"""Reads the recorded streams with the providers' own SDKs and holds what they read against expected.json.

With `--write` it prints what the SDKs read, one line a recording, for a person to look at. Streams whose
name begins with `quirk-` are left out: they are what servers send that no SDK was made for.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anthropic
import ollama
import openai
from google import genai

FOLDER = Path(__file__).parent.parent / "data" / "recorded"


def recordings():
    for path in sorted(FOLDER.glob("*/*.*")):
        if not path.stem.startswith("quirk-"):
            yield f"{path.parent.name}/{path.name.rsplit('.', 1)[0]}", path


def wire(path):
    """The bytes as they stood on the wire."""
    text = path.read_text()
    if path.suffix != ".jsonl":
        return text
    form, stream = path.parent.name, ""
    for line in filter(str.strip, text.splitlines()):
        if form in ("anthropic", "responses"):
            stream += f"event: {json.loads(line)['type']}\n"
        stream += f"data: {line}\n\n"
    return stream + ("data: [DONE]\n\n" if form == "openai" else "")


class Replay(BaseHTTPRequestHandler):
    stream = b""
    kind = "text/event-stream"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(200)
        self.send_header("content-type", self.kind)
        self.send_header("content-length", str(len(self.stream)))
        self.end_headers()
        self.wfile.write(self.stream)

    def log_message(self, *_):
        pass


def new():
    return {"text": "", "thought": "", "calls": [], "finish": None}


def add_parts(heard, content):
    """Content as text or, with Mistral, as a list of parts."""
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
        if part["type"] == "thinking":
            heard["thought"] += "".join(inner.get("text", "") for inner in part["thinking"])
        elif part["type"] == "text":
            heard["text"] += part["text"]


def read_openai(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
    heard, calls = new(), {}
    try:
        for chunk in client.chat.completions.create(model="m", messages=[], stream=True):
            for choice in chunk.choices or []:
                delta = choice.delta
                add_parts(heard, delta.content)
                extra = delta.model_extra or {}
                details = "".join(part.get("text") or "" for part in extra.get("reasoning_details") or [])
                heard["thought"] += extra.get("reasoning_content") or extra.get("reasoning") or details
                for call in delta.tool_calls or []:
                    known = calls.setdefault(call.index, [None, "", ""])
                    known[0] = known[0] or call.id
                    known[1] = known[1] or (call.function.name or "")
                    known[2] += call.function.arguments or ""
                heard["finish"] = choice.finish_reason or heard["finish"]
    except openai.APIError:
        heard["finish"] = "error"
    heard["calls"] = [[i, name, json.loads(args or "{}")] for i, name, args in calls.values()]
    return heard


def read_responses(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
    heard = new()
    try:
        for event in client.responses.create(model="m", input="i", stream=True):
            if event.type == "response.output_item.done":
                item = event.item
                if item.type == "message":
                    heard["text"] += "".join(part.text for part in item.content if part.type == "output_text")
                elif item.type == "reasoning":
                    parts = item.summary or item.content or []
                    heard["thought"] += "".join(part.text for part in parts)
                elif item.type == "function_call":
                    heard["calls"].append([item.call_id, item.name, json.loads(item.arguments or "{}")])
            elif event.type in ("response.completed", "response.incomplete"):
                heard["finish"] = event.response.status
            elif event.type in ("response.failed", "error"):
                heard["finish"] = "error"
    except openai.APIError:
        heard["finish"] = "error"
    return heard


def read_anthropic(url):
    client = anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)
    heard, open_calls = new(), {}
    messages = [{"role": "user", "content": "t"}]
    with client.messages.create(model="m", max_tokens=9, messages=messages, stream=True) as stream:
        for event in stream:
            if event.type == "message_start":
                # A stream that begins anew stands for itself alone.
                heard, open_calls = new(), {}
            elif event.type == "content_block_start" and event.content_block.type == "tool_use":
                open_calls[event.index] = [event.content_block.id, event.content_block.name, ""]
            elif event.type == "content_block_delta":
                delta = event.delta
                if delta.type == "text_delta":
                    heard["text"] += delta.text
                elif delta.type == "thinking_delta":
                    heard["thought"] += delta.thinking
                elif delta.type == "input_json_delta" and event.index in open_calls:
                    open_calls[event.index][2] += delta.partial_json
            elif event.type == "message_delta":
                heard["finish"] = event.delta.stop_reason
    heard["calls"] = [[i, name, json.loads(args or "{}")] for i, name, args in open_calls.values()]
    return heard


def read_gemini(url):
    options = genai.types.HttpOptions(base_url=url)
    client = genai.Client(api_key="k", http_options=options)
    heard = new()
    for chunk in client.models.generate_content_stream(model="m", contents="t"):
        for candidate in chunk.candidates or []:
            for part in (candidate.content and candidate.content.parts) or []:
                if part.function_call:
                    call = part.function_call
                    heard["calls"].append([call.id, call.name, call.args or {}])
                elif part.text:
                    heard["thought" if part.thought else "text"] += part.text
            if candidate.finish_reason:
                heard["finish"] = candidate.finish_reason.name
    return heard


def read_ollama(url):
    heard = new()
    for chunk in ollama.Client(host=url).chat(model="m", messages=[], stream=True):
        heard["text"] += chunk.message.content or ""
        heard["thought"] += chunk.message.thinking or ""
        for call in chunk.message.tool_calls or []:
            heard["calls"].append([None, call.function.name, dict(call.function.arguments)])
        heard["finish"] = chunk.done_reason or heard["finish"]
    return heard


READERS = {
    "anthropic": read_anthropic,
    "gemini": read_gemini,
    "ollama": read_ollama,
    "openai": read_openai,
    "responses": read_responses,
}


def main(arguments):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    expected = json.loads((FOLDER / "expected.json").read_text())
    faults, count = [], 0
    for name, path in recordings():
        Replay.stream = wire(path).encode()
        Replay.kind = "application/x-ndjson" if path.suffix == ".ndjson" else "text/event-stream"
        heard = READERS[name.split("/")[0]](url)
        count += 1
        if "--write" in arguments:
            print(f"  {json.dumps(name)}: {json.dumps(heard, ensure_ascii=False)},")
        elif heard != expected.get(name):
            faults.append(f"{name}: the SDK reads {heard}, expected.json says {expected.get(name)}")
    if faults:
        sys.exit("\n".join(faults))
    if "--write" not in arguments:
        print(f"the SDKs read {count} recorded answers as expected.json has them")


if __name__ == "__main__":
    main(sys.argv[1:])
