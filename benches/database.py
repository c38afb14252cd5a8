#!/usr/bin/env python3
"""One server with SQLite and with PostgreSQL side by side: start-up, first frame, what a turn costs, memory, and
acknowledged edits a second with one session and with many at once.

    python3 benches/database.py target/release/scene-llm
    python3 benches/database.py target/release/scene-llm --before OTHER     (two programs, both with SQLite)

Starts a PostgreSQL of its own, by the programs in POSTGRES_BIN or where Debian has them. Prints one JSON object. Rounds
alternate between the two, so that both see the same other work of the machine; each figure is the median of all rounds.
"""

import argparse
import asyncio
import contextlib
import json
import os
import shlex
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import sockets
from sockets import masked, received

ROUNDS = 3
TURNS = 10
SECONDS = 4
MANY = [1, 50, 200]


@contextlib.contextmanager
def postgres():
    """The URL of a new database, by a socket in a folder that is removed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    programs = Path(os.environ.get("POSTGRES_BIN") or found[-1])
    # PostgreSQL refuses to run as root.
    other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder:
        if other:
            os.chmod(folder, 0o755)
            os.chown(folder, 65534, 65534)

        def run(name, *arguments):
            command = [*other, programs / name, *arguments]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        run("initdb", "--pgdata", "data", "--username", "me", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8")
        options = f"-k {shlex.quote(folder)} -c listen_addresses="
        run("pg_ctl", "start", "--pgdata", "data", "--wait", "--silent", "--log", "log", "--options", options)
        try:
            yield f"postgres://me@{folder.replace('/', '%2F')}/postgres"
        finally:
            run("pg_ctl", "stop", "--pgdata", "data", "--mode", "fast", "--silent")


class Server(sockets.Server):
    """A server of its own, which tells how long it took to start."""

    def __init__(self, *arguments, program=None):
        self.program, self.arguments = program or sockets.PROGRAM, arguments

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory()
        answers = [json.dumps({"text": "Done."})]
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder.name, "SCENE_LLM_LOG": "off"}
        environment["DEBUG_MOCK_RESPONSES"] = f"[{','.join(answers * (TURNS + 1))}]"
        command = [self.program, "serve", "--addr", "127.0.0.1:0", "--no-local-models", "--data-dir", self.folder.name]
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
        self.started = time.monotonic() - began
        return self


async def told(reader, kinds):
    """The next message of one of these kinds."""
    while True:
        kind, payload = await received(reader)
        if kind == 1 and (message := json.loads(payload))["type"] in kinds:
            return message


def send(writer, message):
    writer.write(masked(1, json.dumps(message).encode()))


async def edit_away(server, until):
    """Edits one after the other; how long each took to be told."""
    reader, writer, _ = await server.socket()
    send(writer, {"type": "view", "paused": True})
    times = []
    while time.monotonic() < until:
        began = time.monotonic()
        camera = {"center": [0, 1, 5 + len(times)], "look_at": [0, 0, 0]}
        send(writer, {"type": "edit", "calls": [{"name": "set_camera", "args": camera}]})
        await told(reader, ["scene_changed"])
        times.append(time.monotonic() - began)
    writer.transport.abort()
    return times


async def measure(*arguments, program=None):
    """The figures of one server."""
    figures = {}
    async with Server(*arguments, program=program) as server:
        figures["start_ms"] = server.started * 1000
        await server.until_quiet()
        figures["memory_mb"] = server.resident()
        began = time.monotonic()
        reader, writer, _ = await server.socket()
        while (await received(reader))[0] != 2:
            pass
        figures["first_frame_ms"] = (time.monotonic() - began) * 1000
        send(writer, {"type": "view", "paused": True})
        turns = []
        for _ in range(TURNS):
            began = time.monotonic()
            send(writer, {"type": "user_message", "text": "Say something."})
            await told(reader, ["run_finished"])
            turns.append(time.monotonic() - began)
        figures["turn_ms"] = statistics.median(turns) * 1000
        writer.transport.abort()
        for count in MANY:
            until = time.monotonic() + SECONDS
            all_times = await asyncio.gather(*(edit_away(server, until) for _ in range(count)))
            times = sorted(one for times in all_times for one in times)
            figures[f"edits_a_second_of_{count}"] = len(times) / SECONDS
            figures[f"edit_ms_of_{count}"] = statistics.median(times) * 1000
            figures[f"edit_p99_ms_of_{count}"] = times[int((len(times) - 1) * 0.99)] * 1000
        figures["memory_after_mb"] = server.resident()
    return figures


async def main(before):
    rounds = {"before": [], "now": []} if before else {"sqlite": [], "postgresql": []}
    with contextlib.nullcontext() if before else postgres() as url:
        for _ in range(ROUNDS):
            if before:
                rounds["before"].append(await measure(program=before))
                rounds["now"].append(await measure())
            else:
                rounds["sqlite"].append(await measure())
                rounds["postgresql"].append(await measure("--database-url", url))
    medians = {
        name: {figure: round(statistics.median(one[figure] for one in all_rounds), 1) for figure in all_rounds[0]}
        for name, all_rounds in rounds.items()
    }
    print(json.dumps(medians | {"rounds": ROUNDS, "load": os.getloadavg()}, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--before", metavar="OTHER")
    chosen = parser.parse_args()
    sockets.PROGRAM = chosen.program
    asyncio.run(main(chosen.before))
