"""The server of `soak.py`, and the faults of its machine."""

import asyncio
import json
import os
import pathlib
import resource
import signal
import struct
import subprocess

PATIENCE = 120
# What can be wrong with the machine for a while.
FAULTS = ["full disk", "slow disk", "still disk", "no files", "clock ahead", "clock behind", "still process"]
# Of these the server may refuse what it cannot save or open.
REFUSING = {"full disk", "no files"}
LIBRARY = pathlib.Path(__file__).parents[1] / "tests/src/machine/faults.c"
DAY = 86_400


class Fault(Exception):
    """The server did something it must never do."""


class Server:
    """The server, started anew on the same folder after each end."""

    def __init__(self, program, folder):
        self.program, self.folder = program, f"{folder}/data"
        self.up = asyncio.Event()
        # How many faults there were that excuse a refusal, and whether there is one.
        self.faults, self.is_faulty = 0, False
        library, self.machine = f"{folder}/faults.so", f"{folder}/faults"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, LIBRARY], check=True)
        self.set_machine()
        self.environment = {"LD_PRELOAD": library, "FAULTS": self.machine}

    def start(self):
        hidden = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        command = [self.program, "serve", "--addr", "127.0.0.1:0", "--data-dir", self.folder, "--no-local-models"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment | self.environment)
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
        self.up.set()

    def end(self, how):
        self.up.clear()
        self.process.send_signal(how)
        status = self.process.wait(60)
        if how == signal.SIGTERM and status != 0:
            raise Fault(f"SIGTERM ended the server with {status}")

    def set_machine(self, clock_ahead_s=0, sync_us=0, holds_syncs=0):
        """The numbers that `faults.c` reads."""
        mode = "r+b" if os.path.exists(self.machine) else "w+b"
        with open(self.machine, mode) as file:
            file.write(struct.pack("=qqq", clock_ahead_s, sync_us, holds_syncs))
            if mode == "w+b":
                file.write(bytes(8))

    def limit(self, what, most=None):
        """Sets a limit of the process, or takes it back."""
        _, hard = resource.prlimit(self.process.pid, what)
        resource.prlimit(self.process.pid, what, (hard if most is None else most, hard))

    async def suffer(self, fault, seconds):
        """Something is wrong with the machine for some seconds."""
        if fault in REFUSING:
            self.faults, self.is_faulty = self.faults + 1, True
        if fault == "full disk":
            self.limit(resource.RLIMIT_FSIZE, 1)
        elif fault == "no files":
            self.limit(resource.RLIMIT_NOFILE, len(os.listdir(f"/proc/{self.process.pid}/fd")))
        elif fault == "slow disk":
            self.set_machine(sync_us=300_000)
        elif fault == "still disk":
            self.set_machine(holds_syncs=1)
        elif fault == "clock ahead":
            self.set_machine(clock_ahead_s=40 * DAY)
        elif fault == "clock behind":
            self.set_machine(clock_ahead_s=-40 * DAY)
        elif fault == "still process":
            self.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)
        self.set_machine()
        self.limit(resource.RLIMIT_FSIZE)
        self.limit(resource.RLIMIT_NOFILE)
        self.is_faulty = False

    def check(self):
        if self.up.is_set() and self.process.poll() is not None:
            raise Fault(f"the server ended by itself with {self.process.returncode}")

    def memory(self, name="VmRSS"):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        return round(int(lines[name].split()[0]) / 1024, 1)

    async def in_use(self):
        """What of the shared limits is in use."""
        _, body = await self.http("GET", "/metrics")
        lines = [line.rsplit(" ", 1) for line in body.decode().splitlines() if line.startswith("scene_llm_in_use{")]
        return {name.split('"')[1]: int(value) for name, value in lines if value != "0"}

    async def http(self, method, path, body=b"", kind="application/json", headers=None):
        """Status and body of a request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        try:
            head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: {kind}\r\n"
            head += "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
        finally:
            writer.transport.abort()
        head, _, body = answer.partition(b"\r\n\r\n")
        if b"chunked" in head.lower():
            body = unchunked(body)
        return int(head.split()[1]), body

    async def get(self, path):
        status, body = await self.http("GET", path)
        if status != 200:
            raise OSError(f"{path}: {status}")
        return json.loads(body)


def unchunked(body):
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        whole, body = whole + body[:length], body[length + 2 :]
        if length == 0:
            break
    return whole
