#!/usr/bin/env python3
"""Several servers on one PostgreSQL, all on this machine: what one in between costs, and how many sockets they carry.

    python3 benches/cluster.py target/release/scene-llm cost
    python3 benches/cluster.py target/release/scene-llm sockets --count 10000
    python3 benches/cluster.py target/release/scene-llm sessions --count 3000

`cost`: answers, edits and events over the server that has the session and over another one, in turn. `sockets`: so many
sockets that read, on sixty sessions, spread over three servers, so that two of three are sent on. `sessions`: so many new
sessions, each with an open socket, spread over three servers. Prints one JSON object. Starts a PostgreSQL of its own, by the
programs in POSTGRES_BIN or where Debian has them.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time
import urllib.request

import sockets
from database import postgres, send, told
from sockets import crowd, leave

PINGS = 1000
EDITS = 300
SESSIONS = 60


class Member(sockets.Server):
    """One of the servers."""

    def __init__(self, directory, url):
        self.directory, self.url = directory, url

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory()
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder.name, "SCENE_LLM_LOG": "off"}
        command = [sockets.PROGRAM, "serve", "--addr", "127.0.0.1:0", "--no-local-models"]
        command += ["--data-dir", self.directory, "--database-url", self.url]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
        await self.until_quiet()
        self.before = self.resident()
        return self

    def forwarded(self):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics").read().decode()
        numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return int(numbers["scene_llm_forwarded_requests_total"])


@contextlib.asynccontextmanager
async def members(count):
    with postgres() as url, tempfile.TemporaryDirectory() as directory:
        async with contextlib.AsyncExitStack() as stack:
            yield [await stack.enter_async_context(Member(directory, url)) for _ in range(count)]


def milliseconds(times):
    times = sorted(times)
    at = lambda share: round(times[int((len(times) - 1) * share)] * 1000, 3)
    return {"median_ms": at(0.5), "p99_ms": at(0.99)}


async def cost(_):
    async with members(2) as (owner, other):
        first, editor, welcome = await owner.socket()
        send(editor, {"type": "view", "paused": True})
        lines = {}
        for name, server in (("owner", owner), ("other", other)):
            reader, writer, _ = await server.socket(welcome["session_id"])
            send(writer, {"type": "view", "paused": True})
            lines[name] = reader, writer
        assert (owner.forwarded(), other.forwarded()) == (0, 1)
        answers, edits = {"owner": [], "other": []}, {"owner": [], "other": []}
        for number in range(PINGS):
            for name, (reader, writer) in lines.items():
                began = time.perf_counter()
                send(writer, {"type": "ping"})
                await told(reader, ["pong"])
                answers[name].append(time.perf_counter() - began)
        for number in range(EDITS):
            for name, (reader, writer) in lines.items():
                began = time.perf_counter()
                change(writer, 2 * number + (name == "other"))
                # Each hears the edits of all.
                await told(reader, ["scene_changed"])
                edits[name].append(time.perf_counter() - began)
                for another in (first, *(line for line, _ in lines.values() if line is not reader)):
                    await told(another, ["scene_changed"])
        events = await followed(first, editor, {name: reader for name, (reader, _) in lines.items()})
        of = lambda times: {name: milliseconds(one) for name, one in times.items()}
        later = statistics.median(at - there for there, at in zip(events["owner"], events["other"]))
        return {"answer_to_a_ping": of(answers), "edit": of(edits), "event_of_another_client": of(events)} | {
            "event_later_over_the_other_ms": round(later * 1000, 3)
        }


def change(writer, number):
    camera = {"center": [0, 1, 5 + number], "look_at": [0, 0, 0]}
    send(writer, {"type": "edit", "calls": [{"name": "set_camera", "args": camera}]})


async def followed(first, editor, lines):
    """From an edit of one client to its event at others."""
    times = {name: [] for name in lines}

    async def hear(name, reader, began):
        await told(reader, ["scene_changed"])
        times[name].append(time.perf_counter() - began)

    for number in range(EDITS):
        began = time.perf_counter()
        change(editor, 10_000 + number)
        await asyncio.gather(told(first, ["scene_changed"]), *(hear(*line, began) for line in lines.items()))
    return times


async def many(count, of_sessions):
    async with members(3) as servers:
        sessions = []
        for number in range(of_sessions):
            _, writer, welcome = await servers[number % len(servers)].socket()
            sessions.append(welcome["session_id"])
            writer.close()
        each = count // len(servers)
        crowds = await asyncio.gather(*(crowd(server, each, sessions, at_once=32) for server in servers))
        for server in servers:
            await server.until_quiet()
        waits = sorted(wait for _, of_one in crowds for wait in of_one)
        came = sum(len(clients) for clients, _ in crowds)
        result = {"sockets": count, "came": came, "sessions": of_sessions or came, "first_picture": sockets.told(waits)}
        result["servers"] = [
            {"before_mb": one.before, "open_mb": one.resident(), "forwarded": one.forwarded()} for one in servers
        ]
        grown = sum(one["open_mb"] - one["before_mb"] for one in result["servers"])
        result["kib_a_socket_on_all_servers"] = round(grown * 1024 / max(came, 1), 1)
        for clients, _ in crowds:
            await leave(clients)
        return result


MEASUREMENTS = {
    "cost": cost,
    "sockets": lambda count: many(count, SESSIONS),
    "sessions": lambda count: many(count, 0),
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("measurement", choices=MEASUREMENTS)
    parser.add_argument("--count", type=int, default=3000)
    chosen = parser.parse_args()
    sockets.PROGRAM = chosen.program
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    figures = asyncio.run(MEASUREMENTS[chosen.measurement](chosen.count))
    print(json.dumps(figures | {"load": os.getloadavg()}, indent=1))
