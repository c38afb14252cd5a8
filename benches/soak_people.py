"""The people of `soak.py`, who check what they are told, and those who attack its server."""

import asyncio
import base64
import json
import os
import random
import time

from soak_server import PATIENCE, Fault

# Things that a person has in the scene at most.
MAX_THINGS = 25
WORDS = ["a red ball", "make it blue", "add a chair", "a table with four chairs", "undo that", "what is in the scene?",
         "make everything bigger", "a lamp above the table", "remove the chair", "render it"]
VIEWS = [(64, 64), (160, 120), (400, 300), (800, 600), (1280, 720)]
TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def without_description(scene):
    return {name: value for name, value in scene.items() if name != "description"}


def follow(scene, event):
    """Makes the changes of an event in a scene, as docs/protocol.md says."""
    lists = {"shape": "shapes", "light": "lights", "group": "groups"}
    for change in event["changes"]:
        name = lists.get(change["kind"])
        if name is None:
            scene[change["kind"]] = change.get("after")
            continue
        objects = scene.setdefault(name, [])
        place = next((at for at, one in enumerate(objects) if one["id"] == change["id"]), None)
        index = change.get("index")
        if change["op"] != "remove" and index is None and place is not None:
            objects[place] = change["after"]
        else:
            if place is not None:
                objects.pop(place)
            if change["op"] != "remove" and index is not None:
                objects.insert(index, change["after"])
        if name == "groups" and not objects:
            scene.pop("groups")


class Person:
    """A client that remembers what it was told."""

    def __init__(self, server, session, seed, counts, told):
        self.server, self.session, self.counts, self.told = server, session, counts, told
        self.random = random.Random(seed)
        self.name = f"p{seed}"
        self.epoch, self.seq, self.scene, self.made = None, None, None, 0
        self.things, self.frames, self.writer = [], [], None

    def begin(self, session):
        """Goes to another session."""
        self.session, self.epoch, self.seq, self.scene, self.things = session, None, None, None, []

    async def connect(self):
        await self.server.up.wait()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, limit=2**16)
        resume = f"&epoch={self.epoch}&after={self.seq}" if self.epoch else ""
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /ws?session={self.session}{resume} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        if b" 101 " not in head:
            writer.transport.abort()
            raise OSError(head.decode()[:80])
        self.writer, self.frames = writer, []
        return reader

    async def frame(self, reader):
        kind, length = await reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await reader.readexactly(2), "big")
        elif length == 127:
            length = int.from_bytes(await reader.readexactly(8), "big")
        return kind & 15, kind & 0x80, await reader.readexactly(length)

    async def message(self, reader):
        """A message in one frame or several, or a control frame, which may come between them."""
        while True:
            code, is_last, payload = await self.frame(reader)
            if code >= 8:
                return code, payload
            self.frames.append((code, payload))
            if is_last:
                frames, self.frames = self.frames, []
                return frames[0][0], b"".join(payload for _, payload in frames)

    def send(self, kind, payload):
        if self.writer is None:
            raise OSError("not connected")
        length = len(payload)
        if length < 126:
            size = bytes([0x80 | length])
        elif length < 65536:
            size = bytes([0x80 | 126]) + length.to_bytes(2, "big")
        else:
            size = bytes([0x80 | 127]) + length.to_bytes(8, "big")
        self.writer.write(bytes([0x80 | kind]) + size + bytes(4) + payload)

    def say(self, **message):
        self.send(1, json.dumps(message).encode())

    def hear(self, message):
        if message["type"] == "welcome":
            if self.epoch and message["epoch"] != self.epoch:
                raise Fault(f"{self.name}: events that were told are lost: another epoch")
            if self.seq is not None and message["seq"] < self.seq:
                raise Fault(f"{self.name}: told {self.seq} events, and the server knows {message['seq']}")
            self.epoch = message["epoch"]
            if not message["resumed"]:
                self.seq, self.scene = message["seq"], without_description(message["scene"])
            return
        seq = message.get("seq")
        if seq is None:
            return
        if seq != self.seq + 1:
            raise Fault(f"{self.name}: event {seq} after {self.seq}")
        self.seq = seq
        text = json.dumps(message, sort_keys=True)
        before = self.told.setdefault((self.session, seq), hash(text))
        if before != hash(text):
            raise Fault(f"event {seq} of {self.session} was told in two versions: {text[:300]}")
        if message["type"] == "scene_changed":
            follow(self.scene, message)

    async def listen(self):
        """Reads for ever, and comes back over every lost connection."""
        while True:
            try:
                reader = await self.connect()
                while True:
                    kind, payload = await self.message(reader)
                    if kind == 9:
                        self.send(10, payload)
                    elif kind == 1:
                        self.hear(json.loads(payload))
                    elif kind == 2:
                        self.counts["frames"] += 1
                    elif kind == 8:
                        raise OSError("closed")
                    if self.random.random() < 0.002:
                        self.counts["pauses"] += 1
                        await asyncio.sleep(3)
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError):
                self.counts["connections lost"] += 1
                self.drop()
                await asyncio.sleep(self.random.uniform(0.1, 1))

    def drop(self):
        if self.writer is not None:
            self.writer.transport.abort()
            self.writer = None

    def edit(self, *calls):
        self.say(type="edit", calls=[{"name": name, "args": args} for name, args in calls])

    async def act(self):
        """Something people do."""
        chance, path = self.random, f"/api/sessions/{self.session}"
        what = chance.choices(
            ["create", "move", "remove", "undo", "redo", "say", "cancel", "view", "pick", "leave", "render",
             "thumbnail", "export", "upload", "import", "rename", "presence", "animate", "goal", "carry"],
            [20, 25, 6, 6, 3, 6, 2, 6, 4, 3, 2, 3, 2, 2, 2, 2, 4, 2, 1, 1])[0]
        self.counts[what] += 1
        some = chance.choice(self.things) if self.things else f"{self.name}_none"
        place = [round(chance.uniform(-5, 5), 2) for _ in range(3)]
        status, body, faults, was_faulty = 200, b"", self.server.faults, self.server.is_faulty
        if what in ("create", "move", "remove", "undo", "redo", "say", "cancel", "view", "pick", "presence", "animate", "goal"):
            if self.writer is None:
                return
        if what == "create" and len(self.things) >= MAX_THINGS:
            what = "remove"
        if what == "create":
            kind = chance.choice([("sphere", {"center": place, "radius": 0.5}), ("box", {"center": place, "dimensions": [1, 1, 1]})])
            self.things.append(f"{self.name}_{self.made}")
            self.made += 1
            self.edit(("create_shape", {"id": self.things[-1], "type": kind[0], "properties": kind[1]}))
        elif what == "move":
            self.edit(("update_shape", {"id": some, "updates": {"properties": {"center": place}}}))
        elif what == "remove":
            self.edit(("remove_shape", {"id": some}))
            self.things = [thing for thing in self.things if thing != some]
        elif what in ("undo", "redo", "cancel"):
            self.say(type=what)
        elif what == "say":
            self.say(type="user_message", text=chance.choice(WORDS))
        elif what == "view":
            width, height = chance.choice(VIEWS)
            self.say(type="view", width=width, height=height, quality=chance.choice(["draft", "preview", "final"]))
        elif what == "pick":
            self.say(type="pick", x=chance.random(), y=chance.random(), request_id="p")
        elif what == "presence":
            self.say(type="presence", name=self.name, selection=[some])
        elif what == "animate":
            self.edit(("set_animation", {"turntable": {"seconds": 4}}))
        elif what == "goal":
            self.say(type="start_goal", objective=chance.choice(WORDS), may_ask=False, budget={"turns": 6, "seconds": 20})
        elif what == "carry":
            status, body = await self.carry(path)
        elif what == "leave":
            self.drop()
        elif what == "render":
            status, body = await self.server.http("GET", f"{path}/render?width=200&height=150&samples=4")
        elif what == "thumbnail":
            status, body = await self.server.http("GET", f"{path}/thumbnail")
        elif what == "export":
            kind = chance.choice(["glb", "gltf", "obj", "pbrt"])
            status, body = await self.server.http("GET", f"{path}/scene/export?format={kind}")
        elif what == "upload":
            mesh = TRIANGLE.replace(b"1", str(chance.randrange(1, 9)).encode(), 1)
            status, body = await self.server.http("POST", f"/api/assets?name=t.obj&session={self.session}", mesh)
        elif what == "import":
            # What was there goes, and others' edits of it are refused.
            replace = "true" if chance.random() < 0.25 else "false"
            query = f"name={self.name}.obj&replace={replace}"
            status, body = await self.server.http("POST", f"{path}/scene/import?{query}", TRIANGLE)
        elif what == "rename":
            status, body = await self.server.http("PATCH", path, json.dumps({"name": f"of {self.name}"}).encode())
        # What it cannot do on such a machine it may refuse.
        is_excused = was_faulty or self.server.is_faulty or self.server.faults != faults
        if status >= 500 and status != 503 and not is_excused:
            raise Fault(f"{what}: {status} {body[:300]}")
        if status >= 400:
            self.counts[f"{what} {status}"] += 1

    async def carry(self, path):
        """Takes the session to another one by its file, which says the same there, and removes that."""
        status, file = await self.server.http("GET", f"{path}/export")
        if status != 200:
            return status, file
        status, body = await self.server.http("POST", "/api/sessions/import", file)
        if status != 201:
            return status, body
        copy = f"/api/sessions/{json.loads(body)['session_id']}"
        status, again = await self.server.http("GET", f"{copy}/export")
        # The first line has the name, and a run that was cut off by the export is closed where it is opened.
        if status == 200 and not again.split(b"\n", 1)[1].startswith(file.rstrip(b"\n").split(b"\n", 1)[1]):
            raise Fault(f"{self.name}: an imported session is not what was exported")
        return await self.server.http("DELETE", copy)

    async def live(self, until):
        while time.monotonic() < until:
            try:
                await self.act()
            except (OSError, IndexError, ValueError, asyncio.TimeoutError):
                # The server is being started anew.
                await asyncio.sleep(0.5)
            await asyncio.sleep(self.random.uniform(0.05, 1.2))


async def attack(server, chance, until, counts):
    """Halves, garbage and bombs, one after another."""
    length = "Content-Length: 100000000\r\n"
    texts = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ",
        b"POST /api/render HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n" + b" " * 300_000,
        b"POST /api/assets?name=a.png HTTP/1.1\r\nHost: localhost\r\n" + length.encode() + b"\r\n\x89PNG",
        b"\x16\x03\x01\x02\x00\x01\x00" + os.urandom(200),
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x01\xff" + (1 << 22).to_bytes(8, "big") + bytes(100_004),
    ]
    nested = b'{"scene":' + b"[" * 100_000
    while time.monotonic() < until:
        await server.up.wait()
        try:
            counts["attacks"] += 1
            if chance.random() < 0.2:
                status, _ = await server.http("POST", "/api/render", nested)
                if status < 400:
                    raise Fault(f"nonsense was rendered: {status}")
                continue
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(chance.choice(texts))
            try:
                await asyncio.wait_for(reader.read(), chance.uniform(0.5, 15))
            except asyncio.TimeoutError:
                pass
            writer.transport.abort()
        except (OSError, IndexError):
            await asyncio.sleep(0.5)
