"""A server of our own with the built-in model, and a proxy in front of it that breaks connections."""

import asyncio
import contextlib
import os
import random
import subprocess

PROGRAM = os.environ.get("SCENE_LLM", "target/debug/scene-llm")


@contextlib.contextmanager
def server(*more):
    command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models", *more]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


class Switch:
    """Cuts all connections of a line at once."""

    def __init__(self):
        self.is_on, self.lines = True, set()

    def off(self):
        self.is_on = False
        for line in self.lines:
            line.transport.abort()


@contextlib.asynccontextmanager
async def broken_line(url, seed, least=40_000, most=70_000, switch=None):
    """Each connection is cut after a random number of bytes from the server, in the middle of whatever it is. `least`
    lets a welcome with its scene pass."""
    host, port = url.removeprefix("http://").split(":")
    dice = random.Random(seed)
    open_tasks = set()

    async def attend(reader, writer):
        if switch is not None and not switch.is_on:
            writer.transport.abort()
            return
        open_tasks.add(asyncio.current_task())
        there, back = await asyncio.open_connection(host, int(port))
        left = dice.randrange(least, most)
        if switch is not None:
            switch.lines |= {back, writer}

        async def up():
            while data := await reader.read(65_536):
                back.write(data)
                await back.drain()

        async def down():
            nonlocal left
            while data := await there.read(1_024):
                writer.write(data[:left])
                await writer.drain()
                left -= len(data)
                if left <= 0:
                    return

        with contextlib.suppress(OSError):
            await asyncio.wait({asyncio.create_task(up()), asyncio.create_task(down())}, return_when=asyncio.FIRST_COMPLETED)
        if switch is not None:
            switch.lines -= {back, writer}
        for end in (back, writer):
            end.transport.abort()

    line = await asyncio.start_server(attend, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{line.sockets[0].getsockname()[1]}"
    finally:
        line.close()
        for task in open_tasks:
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)
