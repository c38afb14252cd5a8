#!/usr/bin/env python3
"""What a model or a tool that goes too far costs the others: `python3 benches/answers.py PROGRAM [MEASUREMENT ...]` (Linux).

PROGRAM is a `scene-llm`, which gets a stand-in for Gemini. Each measurement starts a server of its own and prints one JSON
object: how the run ended and when, what an edit of another session took meanwhile, memory at most, and what the sessions
weigh on disk afterwards.

- `endless-text`: an answer of words that does not end by itself;
- `endless-thought`: the same as thoughts;
- `long-line-8`, `long-line-16`: one line of 8 and of 16 MiB in the stream;
- `calls-4000`, `calls-12000`: so many calls of `create_shape` in one answer;
- `deep-arguments`: arguments 100,000 lists deep;
- `wide-arguments`: one call with 30 MB of arguments;
- `slow-tool`: a run is cancelled while a tool of an MCP server takes eight seconds.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
import time

import sockets
from pressure import edits
from sockets import Server, masked, received

MOST_BYTES = 400 * 2**20
PIECE = "and then there was another word " * 64


def chunk(text):
    return b"%x\r\n%s\r\n" % (len(text), text)


def part(value):
    """A line of the stream with one part."""
    return b"data: " + json.dumps({"candidates": [{"content": {"role": "model", "parts": [value]}}]}).encode() + b"\n\n"


def call(name, arguments):
    return {"functionCall": {"name": name, "args": arguments}}


END = b'data: {"candidates": [{"content": {"parts": [{"text": "Done."}]}, "finishReason": "STOP"}]}\n\n'


class Model:
    """A stand-in for Gemini: its first answer is what `pieces` gives, each later one a word."""

    def __init__(self, pieces):
        self.pieces, self.sent, self.requests = pieces, 0, 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", 0, limit=2**26)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def answer(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = [int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length")]
            await reader.readexactly(length[0] if length else 0)
            if "streamGenerateContent" not in head:
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            self.requests += 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
            for piece in self.pieces() if self.requests == 1 else [END]:
                writer.write(chunk(piece))
                self.sent += len(piece)
                await writer.drain()
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def endless(value):
    def pieces():
        piece = part(value)
        for _ in range(MOST_BYTES // len(piece)):
            yield piece
        yield END

    return pieces


def long_line(size):
    def pieces():
        line = part({"text": "x" * size})
        for at in range(0, len(line), 65536):
            yield line[at : at + 65536]
        yield END

    return pieces


def many_calls(count):
    def pieces():
        for n in range(count):
            ball = {"id": f"b{n}", "type": "sphere", "properties": {"center": [n % 100, 0.3, n // 100], "radius": 0.3}}
            yield part(call("create_shape", ball))
        yield END

    return pieces


def deep_arguments():
    yield b'data: {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "create_shape", "args": {"a": '
    yield b"[" * 100_000 + b"]" * 100_000
    yield b"}}}]}}]}\n\n"
    yield END


def wide_arguments():
    yield part(call("create_shape", {"id": "a", "type": "sphere", "properties": {"name": "y" * 30_000_000}}))
    yield END


async def finished(reader, writer):
    """Reads until the run ends; the last words of it."""
    while True:
        kind, payload = await received(reader)
        if kind == 9:
            writer.write(masked(10, payload))
        if kind == 8:
            return {"closed": payload[2:].decode(errors="replace")}
        if kind != 1:
            continue
        message = json.loads(payload)
        if message["type"] == "run_finished":
            return {name: message[name] for name in ("reason", "message") if name in message}


def weight(folder):
    return round(sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names) / 1e6, 1)


async def told(pieces):
    """A run whose first answer are these pieces, while another client edits."""
    async with Model(pieces) as model:
        variables = {"GEMINI_API_KEY": "of-the-bench", "GEMINI_BASE_URL": f"http://127.0.0.1:{model.port}"}
        async with Server(variables=variables) as server:
            reader, writer, _ = await server.socket()
            others = asyncio.create_task(edits(server, 60))
            await asyncio.sleep(0.2)
            began = time.monotonic()
            writer.write(masked(1, json.dumps({"type": "user_message", "text": "Build."}).encode()))
            try:
                end = await asyncio.wait_for(finished(reader, writer), 180)
            except asyncio.TimeoutError:
                end = {"reason": "not ended within 180 s"}
            seconds = round(time.monotonic() - began, 2)
            writer.transport.abort()
            return {"end": end, "seconds": seconds, "sent_mb": round(model.sent / 1e6, 1), "edits_of_others": await others,
                    "peak_mb": server.memory("VmHWM"), "on_disk_mb": weight(server.folder.name)}


SLOW_TOOL = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method = message["method"]
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "slow", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "wait", "description": "Waits.", "inputSchema": {"type": "object"}}]}
    else:
        time.sleep(8)
        result = {"content": [{"type": "text", "text": "waited"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def slow_call():
    yield part(call("slow_wait", {}))
    yield END


async def slow_tool():
    with tempfile.TemporaryDirectory() as folder:
        script, config = os.path.join(folder, "slow.py"), os.path.join(folder, "mcp.json")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SLOW_TOOL)
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"slow": {"command": sys.executable, "args": [script], "ask": False}}}, file)
        async with Model(slow_call) as model:
            variables = {"GEMINI_API_KEY": "of-the-bench", "GEMINI_BASE_URL": f"http://127.0.0.1:{model.port}"}
            async with Server("--mcp-config", config, variables=variables) as server:
                reader, writer, _ = await server.socket()
                writer.write(masked(1, json.dumps({"type": "user_message", "text": "Wait."}).encode()))
                while True:
                    kind, payload = await received(reader)
                    if kind == 1 and json.loads(payload)["type"] == "tool_started":
                        break
                began = time.monotonic()
                writer.write(masked(1, b'{"type":"cancel"}'))
                end = await finished(reader, writer)
                return {"end": end, "ms_from_cancel_to_end": round(1000 * (time.monotonic() - began), 1)}


MEASUREMENTS = {
    "endless-text": lambda: told(endless({"text": PIECE})),
    "endless-thought": lambda: told(endless({"text": PIECE, "thought": True})),
    "long-line-8": lambda: told(long_line(8 * 2**20)),
    "long-line-16": lambda: told(long_line(16 * 2**20)),
    "calls-4000": lambda: told(many_calls(4000)),
    "calls-12000": lambda: told(many_calls(12_000)),
    "deep-arguments": lambda: told(deep_arguments),
    "wide-arguments": lambda: told(wide_arguments),
    "slow-tool": slow_tool,
}


async def main(chosen):
    results = {}
    for name in chosen or MEASUREMENTS:
        results[name] = await MEASUREMENTS[name]()
        print(json.dumps({name: results[name]}), file=sys.stderr, flush=True)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    sockets.PROGRAM = sys.argv[1]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main(sys.argv[2:]))
