#!/usr/bin/env python3
"""Everything at once, for long: `python3 benches/soak.py PROGRAM [--minutes 60] [--people 24] [--seed 1]` (Linux).

PROGRAM is a `scene-llm`; it is started with a folder of its own and the built-in model. People in eight sessions talk,
edit, undo, look, render, upload, import, export, come back over broken connections and read nothing for a while; agents
build over MCP and hand requests over by A2A; others send halves of requests, garbage and bombs. What each is told is checked: events come in order, once, never in two
versions, and whoever follows them has the server's scene exactly. Now and then everybody leaves, and after a minute the
server's memory is read: it must not grow from one rest to the next. So that only the server could make it grow, people keep
no more than so many things, and at each rest two sessions are replaced by new ones, which are soon of all ages. In the
last third of the time the server is killed or stopped now and then, its disk is full, slow or stands still, its clock
jumps, it has no files left or stands still itself (`soak_server.py`), and nothing anybody was told may be
lost. Ends with status 1 at the first fault of the server.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter

from soak_agents import agents
from soak_people import Person, attack, without_description
from soak_server import FAULTS, PATIENCE, Fault, Server

SESSIONS = 8
LOAD_SECONDS = 110
REST_SECONDS = 65
# At a rest the oldest sessions are replaced.
REPLACED = 2
# Minutes after which the sessions are of all ages, and the heap has the size that people in them need.
SETTLES_AFTER = 15


async def all_equal(server, people):
    """Waits until everybody has the server's scene, and returns the number of shapes of all sessions."""
    deadline = time.monotonic() + PATIENCE
    while True:
        server.check()
        apart, shapes = None, 0
        for session in {person.session for person in people}:
            status = await server.get(f"/api/sessions/{session}")
            scene = without_description(await server.get(f"/api/sessions/{session}/scene"))
            shapes += len(scene.get("shapes", []))
            if status["running"]:
                apart = f"{session} is still running"
            for person in people:
                if person.session == session and person.scene != scene:
                    apart = f"{person.name} has another scene than the server in {session}"
        if apart is None:
            return shapes
        if time.monotonic() > deadline:
            raise Fault(apart)
        await asyncio.sleep(1)


async def new_session(server):
    status, body = await server.http("POST", "/api/sessions")
    if status != 201:
        raise Fault(f"a session cannot be begun: {status} {body[:300]}")
    return json.loads(body)["session_id"]


async def replace_oldest(server, sessions, people, chance):
    """New sessions for the oldest ones, half of which are deleted; the others sleep."""
    for old in sessions[:REPLACED]:
        if chance.random() < 0.5:
            status, body = await server.http("DELETE", f"/api/sessions/{old}")
            if status >= 300:
                raise Fault(f"a session cannot be deleted: {status} {body[:300]}")
        sessions.append(await new_session(server))
        for person in people:
            if person.session == old:
                person.begin(sessions[-1])
    del sessions[:REPLACED]


def growth(rests):
    """Megabytes of anonymous memory an hour, by the line that is nearest to what rests left."""
    if len(rests) < 3:
        return None
    times, sizes = [rest["minute"] / 60 for rest in rests], [rest["anonymous_mb"] for rest in rests]
    time, size = sum(times) / len(times), sum(sizes) / len(sizes)
    slope = sum((at - time) * (mb - size) for at, mb in zip(times, sizes)) / sum((at - time) ** 2 for at in times)
    return round(slope, 1)


async def first_fault(tasks):
    """Waits for all, and raises what the first raises."""
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()
    return rest


async def soak(program, minutes, count, seed, ends_after):
    counts, told, rests = Counter(), {}, []
    began = time.monotonic()
    ends = began + minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        server.start()
        await asyncio.sleep(5)
        report = {"minutes": minutes, "people": count, "before_mb": server.memory()}
        sessions = [await new_session(server) for _ in range(SESSIONS)]
        people = [Person(server, sessions[at % SESSIONS], seed * 1000 + at, counts, told) for at in range(count)]
        others = agents(server, seed, counts)
        chance = random.Random(seed)
        try:
            while time.monotonic() < ends - 30:
                with_ends = time.monotonic() - began >= ends_after * 60
                until = min(time.monotonic() + LOAD_SECONDS, ends)
                listening = [asyncio.create_task(person.listen()) for person in people]
                acting = [asyncio.create_task(person.live(until)) for person in people]
                acting += [asyncio.create_task(agent.live(until)) for agent in others]
                acting += [asyncio.create_task(attack(server, chance, until, counts)) for _ in range(4)]

                async def faults():
                    while time.monotonic() < until:
                        await asyncio.sleep(chance.uniform(8, 25))
                        server.check()
                        if not with_ends or time.monotonic() > until - 10:
                            continue
                        what = chance.choice(["SIGKILL", "SIGTERM", *FAULTS])
                        counts[what] += 1
                        if what in FAULTS:
                            await server.suffer(what, chance.uniform(2, 8))
                        else:
                            await asyncio.to_thread(server.end, signal.Signals[what])
                            server.start()

                acting.append(asyncio.create_task(faults()))
                acting_done = asyncio.gather(*acting)
                listened = asyncio.create_task(first_fault(listening))
                done, _ = await asyncio.wait([acting_done, listened], return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                for person in people:
                    if person.writer is not None:
                        person.say(type="cancel")
                shapes = await all_equal(server, people)
                for task in listening:
                    if task.done():
                        task.result()
                    task.cancel()
                for person in people:
                    person.drop()
                peak = server.memory("VmHWM")
                await asyncio.sleep(REST_SECONDS)
                rest = {"minute": round((time.monotonic() - began) / 60, 1), "mb": server.memory(),
                        "anonymous_mb": server.memory("RssAnon"), "peak_mb": peak, "shapes": shapes,
                        "in_use": await server.in_use(),
                        "threads": len(os.listdir(f"/proc/{server.process.pid}/task")),
                        "files": len(os.listdir(f"/proc/{server.process.pid}/fd"))}
                rests.append(rest)
                print(json.dumps(rest), file=sys.stderr, flush=True)
                settled = [rest["mb"] for rest in rests if rest["minute"] > SETTLES_AFTER]
                if not with_ends and settled and settled[-1] > settled[0] * 1.2 + 20:
                    raise Fault(f"memory grows: {settled[0]} MB after {SETTLES_AFTER} minutes, {settled[-1]} MB now")
                await replace_oldest(server, sessions, people, chance)
            server.end(signal.SIGTERM)
        finally:
            server.process.kill()
    report["grows_mb_an_hour"] = growth([rest for rest in rests if rest["minute"] > SETTLES_AFTER])
    return report | {"rests": rests, "events": len(told), "done": dict(sorted(counts.items()))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ends-after", type=float, help="minutes until the server is first killed (default: two thirds)")
    args = parser.parse_args()
    ends_after = args.minutes * 2 / 3 if args.ends_after is None else args.ends_after
    try:
        print(json.dumps(asyncio.run(soak(args.program, args.minutes, args.people, args.seed, ends_after)), indent=1))
    except Fault as fault:
        sys.exit(f"fault: {fault}")


if __name__ == "__main__":
    main()
