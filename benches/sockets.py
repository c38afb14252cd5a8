#!/usr/bin/env python3
"""Memory of a server under many clients: `python3 benches/sockets.py PROGRAM [MEASUREMENT ...]` (Linux).

PROGRAM is a `scene-llm`. Each measurement starts a server of its own and prints one JSON object: resident memory in
MB before, while the clients are there, and after they have left. Measurements: `new-200`, `new-1000` (new sessions, each
with an open socket and an empty scene), `idle-10000` (sockets that read, on 20 sessions), `stalled` (viewers that ask for
a large picture and never read), `storm` (2,000 new sockets at once), `large-stalled` (500 sockets on one session of 10,000
shapes that read nothing), `large-returning` (500 that come back to it from its first event and read nothing). `SERVE` in
the environment holds more arguments of `scene-llm serve`. Needs as many open files as sockets: the limit is raised to the hard one (`ulimit -Hn`), which has to be
12,000 or more for `idle-10000`. `COUNT` is another number of sockets than 500.
"""

import asyncio
import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter

AT_ONCE = 64


class Server:
    """A server of its own, with its sessions in a folder that is removed."""

    def __init__(self, *arguments, variables=None):
        self.arguments, self.variables = arguments, variables or {}

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory()
        hidden = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
        environment = {name: value for name, value in os.environ.items() if name not in hidden} | self.variables
        command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--data-dir", self.folder.name, "--no-local-models", *self.arguments]
        command += os.environ.get("SERVE", "").split()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
        # What the built-in model reads at the start is part of the first figure.
        await asyncio.sleep(5)
        self.before = self.resident()
        return self

    async def __aexit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.folder.cleanup()

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        return round(int(lines[name].split()[0]) / 1024, 1)

    def resident(self):
        return self.memory("VmRSS")

    def processor_seconds(self):
        """What the server has used so far, which other work on the machine hardly changes."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def until_quiet(self, most=60):
        """Waits until the server has used no processor time for two seconds."""
        last, since, began = self.processor_seconds(), time.monotonic(), time.monotonic()
        while time.monotonic() - since < 2 and time.monotonic() - began < most:
            await asyncio.sleep(0.25)
            now = self.processor_seconds()
            if now - last > 0.02:
                since = time.monotonic()
            last = now

    async def after_closing(self):
        """Memory some seconds after the clients left: sessions without clients sleep within a minute."""
        over_time = {}
        began = time.monotonic()
        for seconds in (5, 20, 60):
            await asyncio.sleep(began + seconds - time.monotonic())
            over_time[f"{seconds}_s_after_closing_mb"] = self.resident()
        return over_time

    async def socket(self, session=None, receive=None):
        """An open WebSocket and its welcome."""
        reader, writer = await self.upgraded(session, receive)
        return reader, writer, json.loads((await received(reader))[1])

    async def upgraded(self, session=None, receive=None, resume=""):
        """An open WebSocket of which nothing is read yet."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**16)
        if receive:
            writer.get_extra_info("socket").setsockopt(6, 10, receive)
        path = f"/ws?session={session}{resume}" if session else "/ws"
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        return reader, writer


async def received(reader):
    """The next message from the server, in one frame or several, or control frame."""
    kind, pieces = 0, []
    while True:
        code, is_last, payload = await frame(reader)
        if code >= 8:
            # Pings are let go of here: nobody waits for a whole message so long.
            if not pieces:
                return code, payload
            continue
        kind = kind or code
        pieces.append(payload)
        if is_last:
            return kind, b"".join(pieces)


async def frame(reader):
    """The next frame from the server, which does not mask them."""
    kind, length = await reader.readexactly(2)
    if length == 126:
        length = int.from_bytes(await reader.readexactly(2), "big")
    elif length == 127:
        length = int.from_bytes(await reader.readexactly(8), "big")
    return kind & 15, kind & 0x80, await reader.readexactly(length)


def masked(kind, payload):
    """A frame to the server; its mask is zero."""
    length = len(payload)
    if length < 126:
        size = bytes([0x80 | length])
    elif length < 65536:
        size = bytes([0x80 | 126]) + length.to_bytes(2, "big")
    else:
        size = bytes([0x80 | 127]) + length.to_bytes(8, "big")
    return bytes([0x80 | kind]) + size + bytes(4) + payload


async def look(reader, writer, first):
    """Reads everything, answers pings, tells of the first picture."""
    try:
        while True:
            kind, payload = await received(reader)
            if kind == 9:
                writer.write(masked(10, payload))
            elif kind == 2 and not first.done():
                first.set_result(time.monotonic())
    except (OSError, asyncio.IncompleteReadError):
        first.cancel()


async def crowd(server, count, sessions=None, at_once=AT_ONCE):
    """So many clients, each with a first picture; returns them and how long each waited for it."""
    gate = asyncio.Semaphore(at_once)

    async def one(number):
        async with gate:
            began = time.monotonic()
            session = sessions[number % len(sessions)] if sessions else None
            reader, writer, _ = await server.socket(session)
        first = asyncio.get_running_loop().create_future()
        return writer, asyncio.create_task(look(reader, writer, first)), began, first

    clients = await asyncio.gather(*(one(number) for number in range(count)), return_exceptions=True)
    came = [client for client in clients if not isinstance(client, BaseException)]
    refused = Counter(repr(client)[:120] for client in clients if isinstance(client, BaseException))
    if refused:
        print(json.dumps({"did_not_come": refused}), file=sys.stderr, flush=True)
    await asyncio.wait([first for *_, first in came], timeout=120)
    waits = sorted(first.result() - began for *_, began, first in came if first.done() and not first.cancelled())
    return came, waits


async def leave(clients):
    for writer, task, *_ in clients:
        task.cancel()
        writer.transport.abort()


def told(waits):
    if not waits:
        return None
    at = lambda share: round(1000 * waits[int((len(waits) - 1) * share)])
    return {"saw_a_picture": len(waits), "median_ms": at(0.5), "p99_ms": at(0.99)}


async def new_sessions(count, at_once=AT_ONCE):
    async with Server() as server:
        clients, waits = await crowd(server, count, at_once=at_once)
        await server.until_quiet()
        result = {"sessions": count, "came": len(clients), "first_picture": told(waits), "before_mb": server.before}
        result |= {"open_mb": server.resident(), "peak_mb": server.memory("VmHWM")}
        await leave(clients)
        return result | await server.after_closing()


async def idle(count):
    async with Server() as server:
        owners, _ = await crowd(server, 1)
        await leave(owners)
        sessions = []
        for _ in range(20):
            _, writer, welcome = await server.socket()
            sessions.append(welcome["session_id"])
            writer.close()
        clients, waits = await crowd(server, count, sessions)
        await server.until_quiet()
        result = {"sockets": count, "came": len(clients), "first_picture": told(waits), "before_mb": server.before}
        result |= {"open_mb": server.resident(), "peak_mb": server.memory("VmHWM")}
        result["kib_a_socket"] = round((result["open_mb"] - server.before) * 1024 / max(len(clients), 1), 1)
        await leave(clients)
        return result | await server.after_closing()


async def stalled(count=10):
    async with Server() as server:
        view = json.dumps({"type": "view", "width": 1920, "height": 1080, "quality": "final"}).encode()
        ball = {"id": "ball", "type": "sphere", "properties": {"center": [0, 1, 0], "radius": 1}}
        edit = json.dumps({"type": "edit", "calls": [{"name": "create_shape", "args": ball}]}).encode()
        sockets = []
        for _ in range(count):
            reader, writer, _ = await server.socket(receive=4096)
            writer.transport.pause_reading()
            writer.write(masked(1, view) + masked(1, edit))
            sockets.append(writer)
        over_time, began = {}, time.monotonic()
        for seconds in (10, 20, 30, 45):
            await asyncio.sleep(began + seconds - time.monotonic())
            over_time[f"mb_each_after_{seconds}_s"] = round((server.resident() - server.before) / count, 1)
        still = connected(server)
        peak = server.memory("VmHWM")
        for writer in sockets:
            writer.transport.abort()
        return {"viewers": count, "before_mb": server.before, **over_time, "peak_mb": peak, "still_connected": still} | (
            await server.after_closing()
        )


def connected(server):
    """How many connections the server has."""
    with open(f"/proc/{server.process.pid}/net/tcp", encoding="ascii") as table:
        ours = [line.split() for line in table][1:]
    return sum(1 for line in ours if line[1].endswith(f":{server.port:04X}") and line[3] == "01")


async def large_session(server, shapes=10_000, in_an_edit=200):
    """A session with so many shapes, and its epoch."""
    reader, writer, welcome = await server.socket()
    for first in range(0, shapes, in_an_edit):
        calls = []
        for number in range(first, first + in_an_edit):
            material = {"type": "principled", "base_color": [0.5, 0.4, 0.3], "roughness": 0.4}
            place = [number % 100, 0.5, number // 100]
            ball = {"id": f"ball_{number}", "type": "sphere"}
            ball["properties"] = {"center": place, "radius": 0.4, "material": material}
            calls.append({"name": "create_shape", "args": ball})
        writer.write(masked(1, json.dumps({"type": "edit", "calls": calls}).encode()))
        told = b""
        while b'"scene_changed"' not in told:
            kind, told = await received(reader)
            assert b'"error"' not in told[:20], told[:300]
            if kind == 9:
                writer.write(masked(10, told))
    writer.close()
    return welcome["session_id"], welcome["epoch"]


async def large(resumes, count=int(os.environ.get("COUNT", "500"))):
    async with Server() as server:
        session, epoch = await large_session(server)
        await server.until_quiet()
        with_scene = server.resident()
        resume = f"&epoch={epoch}&after=0" if resumes else ""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one():
            async with gate:
                _, writer = await server.upgraded(session, 4096, resume)
                writer.transport.pause_reading()
                return writer

        sockets = await asyncio.gather(*(one() for _ in range(count)))
        over_time, began = {}, time.monotonic()
        for seconds in (5, 10, 20, 40):
            await asyncio.sleep(max(0, began + seconds - time.monotonic()))
            over_time[f"after_{seconds}_s_mb"] = server.resident()
        result = {"sockets": count, "before_mb": server.before, "with_scene_mb": with_scene, **over_time}
        result |= {"peak_mb": server.memory("VmHWM"), "still_connected": connected(server)}
        for writer in sockets:
            writer.transport.abort()
        return result | await server.after_closing()


MEASUREMENTS = {
    "new-200": lambda: new_sessions(200),
    "new-1000": lambda: new_sessions(1000),
    "idle-10000": lambda: idle(10_000),
    "stalled": stalled,
    "large-stalled": lambda: large(resumes=False),
    "large-returning": lambda: large(resumes=True),
    "storm": lambda: new_sessions(2000, at_once=2000),
}


async def main(chosen):
    results = {}
    for name in chosen or MEASUREMENTS:
        results[name] = await MEASUREMENTS[name]()
        print(json.dumps({name: results[name]}), file=sys.stderr, flush=True)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    PROGRAM = sys.argv[1]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main(sys.argv[2:]))
