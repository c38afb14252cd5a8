"""Writes a language model with random weights: a GGUF file that llama.cpp serves like any other.

    make_model.py FILE [--calls]

The tokens are bytes, pieces of words and of JSON. What the model says means nothing, but three things are steered by
channels of the residual stream that the layers leave alone: answers end, they are mostly made of
printable text, and with `--calls` each answer begins with the mark of a tool call, after which the
server's grammar makes it a call of one of the declared tools.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

import gguf
import numpy as np

# English that never changes, and JSON as tools are declared and called in.
ENGLISH = Path(__file__).resolve().parents[2] / "LICENSE"
JSON = """{"type": "function", "function": {"name": "create_shape", "description": "The shape",
"parameters": {"type": "object", "properties": {"id": {"type": "string"}, "radius": {"type": "number",
"minimum": 0}, "center": {"type": "array", "items": {"enum": ["box", "mesh"]}}}, "required": ["id"]}}}
"""
MERGES = 600
CONTEXT = 32_768
# One head of one layer: attention to some ten thousand tokens of prompt takes most of the time.
WIDTH, LAYERS, HEADS, HIDDEN = 64, 1, 1, 128

# Those whose text is part of an answer, and those that only mark turns.
WRITTEN = ["<think>", "</think>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]"]
MARKS = ["<|endoftext|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<s>",
         "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
         "[/TOOL_RESULTS]"]
# Channels of the residual stream: one is the same for every token, one says that an answer begins, the
# others that one of these forms of a call may.
SAME, BEGINS, RESERVED = 0, 1, 4
BEGINNINGS = ["<|assistant|>", "[/INST]", "[/TOOL_RESULTS]", "\u010a\u010a"]
CALLS = [("<|assistant|>", "<tool_call>", 2), ("[/INST]", "[TOOL_CALLS]", 3)]


def byte_letters():
    """GPT-2's letters for bytes: printable bytes are themselves, the others follow."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + at) for at, byte in enumerate(others)}


def learn_merges(text, letters):
    """Byte pairs, the most frequent first."""
    pieces = re.findall(r" ?[A-Za-z_]+| ?[^\sA-Za-z_0-9]+|\s+", text)
    counts = Counter(tuple(letters[byte] for byte in piece.encode()) for piece in pieces)
    merges = []
    while len(merges) < MERGES:
        pairs = Counter()
        for word, count in counts.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        merged = Counter()
        for word, count in counts.items():
            merged[merge(word, best)] += count
        counts = merged
    return merges


def merge(word, pair):
    if pair[0] not in word:
        return word
    out, at = [], 0
    while at < len(word):
        is_pair = word[at : at + 2] == pair
        out.append(word[at] + word[at + 1] if is_pair else word[at])
        at += 2 if is_pair else 1
    return tuple(out)


def is_text(token, letters):
    """Whether a token of bytes is printable by itself."""
    bytes_of = {letter: byte for byte, letter in letters.items()}
    return all(32 <= bytes_of[letter] < 127 or letter == letters[10] for letter in token)


def write(path, calls):
    letters = byte_letters()
    merges = learn_merges(ENGLISH.read_text() + JSON * 20, letters)
    plain = list(dict.fromkeys([*letters.values(), *("".join(pair) for pair in merges)]))
    tokens = plain + WRITTEN + MARKS
    ids = {token: index for index, token in enumerate(tokens)}
    kind = gguf.TokenType
    types = [kind.NORMAL] * len(plain) + [kind.USER_DEFINED] * len(WRITTEN) + [kind.CONTROL] * len(MARKS)

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random weights")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(ids["<s>"])
    writer.add_eos_token_id(ids["<|end|>"])
    writer.add_add_bos_token(False)

    random = np.random.default_rng(18)

    def matrix(rows, columns, scale):
        return random.normal(0, scale, (rows, columns)).astype(np.float32)

    def onto_stream(columns):
        """A projection that leaves the reserved channels alone."""
        weights = matrix(WIDTH, columns, 0.05)
        weights[:RESERVED] = 0
        return weights

    embedding = matrix(len(tokens), WIDTH, 1)
    embedding[:, :RESERVED] = 0
    embedding[:, SAME] = 4
    output = matrix(len(tokens), WIDTH, 0.15)
    output[:, :RESERVED] = 0
    # What a token is said for, whatever came before: in the stream this channel is about 3.5.
    output[:, SAME] = [0 if is_text(token, letters) else -3 for token in plain] + [-3] * (len(tokens) - len(plain))
    for token, wanted in {"<|end|>": 0.8, "</think>": 0.4, letters[34]: 1.2, letters[125]: 0.6, letters[93]: 0.6}.items():
        output[ids[token], SAME] = wanted
    embedding[[ids[token] for token in BEGINNINGS], BEGINS] = 16
    # No answer is empty.
    output[ids["<|end|>"], BEGINS] = -10
    for mark, call, channel in CALLS:
        embedding[ids[mark], channel] = 16
        if calls:
            output[ids[call], channel] = 10

    ones = np.ones(WIDTH, dtype=np.float32)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", output)
    for layer in range(LAYERS):
        def add(name, weights):
            writer.add_tensor(f"blk.{layer}.{name}.weight", weights)
        add("attn_norm", ones)
        add("attn_q", matrix(WIDTH, WIDTH, 0.1))
        add("attn_k", matrix(WIDTH, WIDTH, 0.1))
        add("attn_v", matrix(WIDTH, WIDTH, 0.1))
        add("attn_output", onto_stream(WIDTH))
        add("ffn_norm", ones)
        add("ffn_gate", matrix(HIDDEN, WIDTH, 0.1))
        add("ffn_up", matrix(HIDDEN, WIDTH, 0.1))
        add("ffn_down", onto_stream(HIDDEN))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--calls", action="store_true")
    given = arguments.parse_args()
    write(given.file, given.calls)
