#!/usr/bin/env python3
"""How others fare while some ask for much: `python3 benches/pressure.py PROGRAM [MEASUREMENT ...]` (Linux, Python only).

PROGRAM is a `scene-llm`. Each measurement starts a server of its own and prints one JSON object, with the peak of its
memory:

- `acks`: edits of one client until they are told, with 500 other sockets and two clients who render all the time;
- `texts`: the same while eight clients read a scene of 10,000 shapes in a loop;
- `chats`: the same while people of 20 sessions talk to the built-in model over 1,000 shapes each;
- `newcomer`: a new session until its first picture while one client asks for the largest pictures;
- `rendering-200`: 200 new sessions until each has a first and a traced picture, and the processor time it took;
- `dragging`: four people who drag at four edits a second at 800 x 600 for twenty seconds: the traced picture after the
  last edit, and a newcomer's first picture meanwhile;
- `exports`: GLB of 10,000 spheres, and six at once of 1,000 checkered ones;
- `instances`: a PBRT file of 8,000 instances, its job after its client has left, and SIGTERM with four of them;
- `flood`: edits of one client until they are told, while twenty others (in a process of their own) send edits of 2,000 wrong
  calls without a pause;
- `downloads`: 30 clients who ask for a large file and read nothing: places and memory when they are cut off.
"""

import asyncio
import json
import resource
import socket
import subprocess
import sys
import time

import sockets
from sockets import Server, crowd, leave, masked, received

EDITS = 200
PLAIN = '{"type":"lambertian","albedo":[0.8,0.8,0.8]}'


def percentiles(waits):
    waits = sorted(waits)
    at = lambda share: round(1000 * waits[int((len(waits) - 1) * share)], 1)
    return {"count": len(waits), "median_ms": at(0.5), "p99_ms": at(0.99), "worst_ms": at(1)}


async def http(server, method, path, body=b""):
    """Status and size of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=2**20)
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    answer = await reader.read()
    writer.transport.abort()
    return int(answer.split()[1]) if answer else 0, len(answer)


async def put(server, room, scene):
    """Replaces the scene of a session; returns its path."""
    path = f"/api/sessions/{room}/scene"
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=2**20)
    head = f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(scene)}\r\n\r\n"
    writer.write(head.encode() + scene)
    answer = await reader.read()
    writer.transport.abort()
    assert b" 200 " in answer[:20], answer[-2000:]
    return path


async def session(server):
    reader, writer, welcome = await server.socket()
    writer.transport.abort()
    return welcome["session_id"]


def spheres(count, material=PLAIN):
    shape = '{"id":"s%d","type":"sphere","properties":{"center":[%d,0,%d],"radius":0.3,"material":%s}}'
    return ('{"version":1,"shapes":[%s]}' % ",".join(shape % (n, n % 100, n // 100, material) for n in range(count))).encode()


async def edits(server, count=EDITS):
    """How long edits of a client of its own take until they are told."""
    reader, writer, _ = await server.socket()
    waits = []
    for number in range(count):
        ball = {"id": f"b{number}", "type": "sphere", "properties": {"center": [number, 0, 0], "radius": 0.4}}
        message = {"type": "edit", "calls": [{"name": "create_shape", "args": ball}]}
        began = time.monotonic()
        writer.write(masked(1, json.dumps(message).encode()))
        while True:
            kind, payload = await received(reader)
            if kind == 9:
                writer.write(masked(10, payload))
            elif kind == 1 and json.loads(payload)["type"] == "scene_changed":
                break
        waits.append(time.monotonic() - began)
        await asyncio.sleep(0.02)
    writer.transport.abort()
    return percentiles(waits)


async def beside(work, *others):
    """The result of `work` while others go on."""
    tasks = [asyncio.create_task(other) for other in others]
    await asyncio.sleep(1)
    try:
        return await work
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def again(server, method, path, body=b""):
    while True:
        await http(server, method, path, body)


async def acks():
    async with Server() as server:
        rooms = [await session(server) for _ in range(20)]
        clients, _ = await crowd(server, 500, rooms)
        await server.until_quiet()
        quiet = await edits(server)
        path = "/api/sessions/%s/render?width=800&height=600&samples=64"
        busy = await beside(edits(server), *(again(server, "GET", path % room) for room in rooms[:2]))
        await leave(clients)
        return {"quiet": quiet, "beside_renders": busy, "peak_mb": server.memory("VmHWM")}


async def texts():
    async with Server() as server:
        path = await put(server, await session(server), spheres(10_000))
        busy = await beside(edits(server), *(again(server, "GET", path) for _ in range(8)))
        return {"edits": busy, "peak_mb": server.memory("VmHWM")}


async def chats(people=20):
    async with Server() as server:
        rooms = [await session(server) for _ in range(people)]
        for room in rooms:
            await put(server, room, spheres(1_000))

        async def talk(room):
            while True:
                for words in ("a red ball", "make it blue", "what is in the scene?"):
                    body = json.dumps({"text": words}).encode()
                    await http(server, "POST", f"/api/sessions/{room}/messages", body)
                    await asyncio.sleep(0.5)

        busy = await beside(edits(server, 60), *(talk(room) for room in rooms))
        return {"edits": busy, "peak_mb": server.memory("VmHWM")}


async def first_pictures(server, traced=True):
    """Seconds until a new session has a picture and one of the path tracer, and its connection."""
    began, first = time.monotonic(), None
    reader, writer, _ = await server.socket()
    while True:
        kind, payload = await received(reader)
        if kind == 9:
            writer.write(masked(10, payload))
        if kind == 2:
            waited = time.monotonic() - began
            first = first or waited
            if not traced or is_traced(payload):
                return first, waited, writer


def header(payload):
    return json.loads(payload[4 : 4 + int.from_bytes(payload[:4], "little")])


def is_traced(payload):
    return header(payload)["samples"] > 0


async def newcomer():
    async with Server() as server:
        largest = b'{"scene":{"version":1,"shapes":[]},"width":1920,"height":1080,"samples":2000}'
        greedy = [again(server, "POST", "/api/render", largest) for _ in range(20)]

        async def come():
            waits = []
            for _ in range(10):
                waited, _, writer = await first_pictures(server, traced=False)
                writer.transport.abort()
                waits.append(waited)
            return percentiles(waits)

        return {"first_picture": await beside(come(), *greedy), "peak_mb": server.memory("VmHWM")}


async def rendering():
    async with Server() as server:
        used = server.processor_seconds()
        seen = await asyncio.gather(*(first_pictures(server) for _ in range(200)))
        used = server.processor_seconds() - used
        for *_, writer in seen:
            writer.transport.abort()
        first, traced, _ = zip(*seen)
        return {"first": percentiles(first), "traced": percentiles(traced), "processor_s": round(used, 1),
                "peak_mb": server.memory("VmHWM")}


async def dragging(people=4, seconds=20):
    async with Server() as server:
        clients = []
        for _ in range(people):
            reader, writer, _ = await server.socket()
            ball = {"id": "ball", "type": "sphere", "properties": {"center": [0, 1, 0], "radius": 1}}
            first = {"type": "edit", "calls": [{"name": "create_shape", "args": ball}]}
            for message in ({"type": "view", "width": 800, "height": 600}, first):
                writer.write(masked(1, json.dumps(message).encode()))
            clients.append((reader, writer))

        async def traced_after(reader, writer, revision):
            while True:
                kind, payload = await received(reader)
                if kind == 9:
                    writer.write(masked(10, payload))
                if kind == 2 and header(payload)["revision"] >= revision and is_traced(payload):
                    return time.monotonic()

        waiting = [asyncio.create_task(traced_after(*client, 1 + seconds * 4)) for client in clients]
        newcomer = None
        for number in range(seconds * 4):
            move = {"id": "ball", "updates": {"properties": {"center": [(number + 1) / 50, 1, 0]}}}
            message = json.dumps({"type": "edit", "calls": [{"name": "update_shape", "args": move}]}).encode()
            for _, writer in clients:
                writer.write(masked(1, message))
            if number == seconds * 2:
                newcomer = asyncio.create_task(first_pictures(server, traced=False))
            await asyncio.sleep(0.25)
        last = time.monotonic()
        after = [await task - last for task in waiting]
        return {"newcomer_s": round((await newcomer)[0], 2), "traced_after_last_edit_s": [round(wait, 2) for wait in after],
                "peak_mb": server.memory("VmHWM")}


async def exports():
    async with Server() as server:
        checker = '{"type":"lambertian","albedo":{"type":"checker","first":[1,0,0],"second":[0,1,0]}}'
        result = {}
        for name, count, scene in (("plain_10000", 1, spheres(10_000)), ("checkered_1000", 6, spheres(1000, checker))):
            path = await put(server, await session(server), scene)
            began = time.monotonic()
            answers = await asyncio.gather(*(http(server, "GET", f"{path}/export?format=glb") for _ in range(count)))
            result[name] = {"answers": answers, "seconds": round(time.monotonic() - began, 2), "peak_mb": server.memory("VmHWM")}
        return result


async def instances():
    async with Server() as server:
        file = b'WorldBegin\nObjectBegin "a"\nShape "sphere"\nObjectEnd\n'
        file += b"".join(b'AttributeBegin\nTranslate %d 0 %d\nObjectInstance "a"\nAttributeEnd\n' % (n % 90, n // 90) for n in range(8000))
        room = await session(server)
        path = f"/api/sessions/{room}/scene/import?name=a.pbrt&replace=true"
        began = time.monotonic()
        status, _ = await http(server, "POST", path, file)
        result = {"status": status, "seconds": round(time.monotonic() - began, 2)}
        tasks = [asyncio.create_task(http(server, "POST", path, file)) for _ in range(4)]
        await asyncio.sleep(0.3)
        began = time.monotonic()
        server.process.terminate()
        await asyncio.to_thread(server.process.wait)
        result["sigterm_s"] = round(time.monotonic() - began, 2)
        await asyncio.gather(*tasks, return_exceptions=True)
        return result


async def flood():
    async with Server() as server:
        child = subprocess.Popen([sys.executable, __file__, sockets.PROGRAM, "send-wrong-edits", str(server.port)])
        await asyncio.sleep(2)
        try:
            return {"edits": await edits(server, 60), "peak_mb": server.memory("VmHWM")}
        finally:
            child.kill()


async def send_wrong_edits(port, count=20):
    """What the others of `flood` do, to a server that runs already."""
    server = Server()
    server.port = port
    wrong = masked(1, json.dumps({"type": "edit", "calls": [{"name": "x", "args": {}}] * 2000}).encode())

    async def send():
        reader, writer, _ = await server.socket()

        async def write():
            while True:
                writer.write(wrong)
                await writer.drain()

        writing = asyncio.create_task(write())
        while await reader.read(1 << 20):
            pass
        writing.cancel()

    await asyncio.gather(*(send() for _ in range(count)))


async def downloads(count=30):
    async with Server() as server:
        path = await put(server, await session(server), spheres(10_000))
        stalled = []
        for _ in range(count):
            stream = socket.socket()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stream.connect(("127.0.0.1", server.port))
            stream.sendall(f"GET {path}/export?format=gltf HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            stalled.append(stream)
        over_time, began = {}, time.monotonic()
        for seconds in (5, 30, 60):
            await asyncio.sleep(began + seconds - time.monotonic())
            with open(f"/proc/{server.process.pid}/net/tcp", encoding="ascii") as table:
                lines = [line.split() for line in table][1:]
            open_ones = sum(1 for line in lines if line[1].endswith(f":{server.port:04X}") and line[3] == "01")
            over_time[f"after_{seconds}_s"] = {"connections": open_ones, "mb": server.resident()}
        for stream in stalled:
            stream.close()
        return {"clients": count, **over_time, "peak_mb": server.memory("VmHWM")}


MEASUREMENTS = {
    "acks": acks,
    "texts": texts,
    "chats": chats,
    "newcomer": newcomer,
    "rendering-200": rendering,
    "dragging": dragging,
    "exports": exports,
    "instances": instances,
    "flood": flood,
    "downloads": downloads,
}


async def main(chosen):
    if chosen[:1] == ["send-wrong-edits"]:
        return await send_wrong_edits(int(chosen[1]))
    results = {}
    for name in chosen or MEASUREMENTS:
        results[name] = await MEASUREMENTS[name]()
        print(json.dumps({name: results[name]}), file=sys.stderr, flush=True)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    sockets.PROGRAM = sys.argv[1]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main(sys.argv[2:]))
