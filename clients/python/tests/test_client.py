"""The client against a real server with the built-in model, also over a line that breaks."""

import asyncio
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import Switch, broken_line, server

from scene_llm import Client, ConnectionLost, Preview, Problem, Refused

HERE = Path(__file__).parent
BALL = ("create_shape", {"id": "ball", "type": "sphere", "properties": {"center": [0, 1, 0], "radius": 1}})


def ball(name, x):
    return "create_shape", {"id": name, "type": "sphere", "properties": {"center": [x, 0, 0], "radius": 0.4}}


def with_server(test):
    async def run(self):
        with server() as self.url:
            async with Client(self.url) as self.client, asyncio.timeout(120):
                await test(self)

    return run


class Sessions(unittest.IsolatedAsyncioTestCase):
    @with_server
    async def test_a_message_builds_a_scene(self):
        async with self.client.session() as session:
            run = await session.run("put a red ball on a wooden table")
            self.assertEqual(run.reason, "completed")
            self.assertIn("red", run.answer)
            self.assertGreater(run.calls, 0)
            self.assertTrue((await session.scene())["shapes"])
            again = await session.run("make the ball blue")
            self.assertGreater(again.revision, run.revision)
            self.assertEqual((await self.client.call("GET", f"/api/sessions/{session.id}"))["revision"], again.revision)

    @with_server
    async def test_edits_are_acknowledged_and_refused(self):
        async with self.client.session() as session:
            first = await session.edit(BALL, ball("other", 3))
            self.assertEqual([shape["id"] for shape in (await session.scene())["shapes"]], ["ball", "other"])
            with self.assertRaises(Refused) as refused:
                await session.edit(BALL)
            self.assertEqual(refused.exception.code, "invalid_edit")
            self.assertIn("ball", str(refused.exception))
            self.assertGreater(await session.undo(), first)
            self.assertEqual((await session.scene())["shapes"], [])
            await session.redo()
            self.assertEqual(await session.restore(session.revision), session.revision, "nothing changes")

    @with_server
    async def test_previews_and_renders_are_pictures(self):
        async with self.client.session() as session:
            await session.edit(BALL)
            await session.view(width=64, height=48, quality="draft")
            async for preview in session.previews():
                self.assertIsInstance(preview, Preview)
                if preview.header["width"] == 64 and preview.header["revision"] == session.revision:
                    self.assertIn(preview.header["mime_type"], ("image/jpeg", "image/png", "image/webp"))
                    self.assertIn(preview.image[:2], (b"\xff\xd8", b"\x89P", b"RI"))
                    break
            self.assertEqual((await session.render(width=16, height=16, samples=1))[:4], b"\x89PNG")
            self.assertEqual((await self.client.render(await session.scene(), width=8, height=8, kind="image/jpeg"))[:2], b"\xff\xd8")

    @with_server
    async def test_errors_say_what_is_wrong(self):
        with self.assertRaisesRegex(Problem, "there is no session 'nobody'"):
            async with self.client.session("nobody"):
                self.fail("it is not there")
        with self.assertRaisesRegex(Problem, "version") as wrong:
            await self.client.render({"version": 7, "shapes": []})
        self.assertEqual(wrong.exception.status, 422)
        self.assertTrue(wrong.exception.violations)
        async with self.client.session() as session:
            with self.assertRaisesRegex(Refused, "there is no model 'x'"):
                await session.select_model("x")

    @with_server
    async def test_a_stop_ends_a_run(self):
        async with self.client.session() as session:
            with session.subscribe() as queue:
                await session.say("a living room with a sofa, a table and two lamps")
                while (await queue.get())["type"] != "turn_started":
                    pass
                await session.cancel()
                while (event := await queue.get())["type"] != "run_finished":
                    pass
            self.assertIn(event["reason"], ("cancelled", "completed"))


class BrokenLines(unittest.IsolatedAsyncioTestCase):
    @with_server
    async def test_every_event_comes_once_however_often_the_line_breaks(self):
        # The people who act reach the server; the one who looks does so over a bad line.
        for seed in (1, 2, 3):
            async with self.client.session() as actor:
                async with broken_line(self.url, seed) as bad, Client(bad) as client, client.session(actor.id) as watcher:
                    start = watcher.welcome["seq"]
                    seen, done = [], asyncio.Event()

                    async def watch():
                        async for event in watcher.events():
                            self.assertNotEqual(event["type"], "welcome", "the log was never cut")
                            if "seq" in event:
                                seen.append(event)
                            if event["type"] == "session_named" and event["name"] == f"end {seed}":
                                done.set()

                    watching = asyncio.create_task(watch())
                    await asyncio.sleep(0)
                    for turn in range(3):
                        await actor.run(f"add a {('red', 'green', 'blue')[turn]} ball")
                        for number in range(20):
                            await actor.edit(ball(f"b{seed}_{turn}_{number}", number))
                    while watcher.reconnects == 0:
                        number += 1
                        await actor.edit(ball(f"b{seed}_{turn}_{number}", number))
                    await self.client.call("PATCH", f"/api/sessions/{actor.id}", json={"name": f"end {seed}"})
                    await asyncio.wait({asyncio.create_task(done.wait()), watching}, return_when=asyncio.FIRST_COMPLETED)
                    watching.cancel()
                    self.assertTrue(done.is_set(), watching)
                    self.assertEqual([event["seq"] for event in seen], list(range(start + 1, seen[-1]["seq"] + 1)))
                    logged, more = await self.client.events(actor.id, start)
                    self.assertFalse(more)
                    self.assertEqual(seen, logged)

    @with_server
    async def test_what_was_missed_for_long_comes_from_the_log(self):
        switch = Switch()
        async with (
            self.client.session() as actor,
            broken_line(self.url, 1, 1 << 40, 1 << 41, switch) as line,
            Client(line) as client,
            client.session(actor.id) as watcher,
        ):
            start, seen = watcher.welcome["seq"], []

            async def watch():
                async for event in watcher.events():
                    seen.append(event)
                    if event["type"] == "session_named" and event["name"] == "end":
                        return

            watching = asyncio.create_task(watch())
            await asyncio.sleep(0)
            switch.off()
            # More than the socket would make up for: the server keeps 1 MiB of events for it.
            for first in range(0, 3_000, 500):
                await actor.edit(*(ball(f"n{number}", number / 10) for number in range(first, first + 500)))
            for _ in range(4):
                await actor.undo()
                await actor.redo()
            await self.client.call("PATCH", f"/api/sessions/{actor.id}", json={"name": "end"})
            switch.is_on = True
            await watching
            events = [event for event in seen if "seq" in event]
            self.assertEqual([event["seq"] for event in events], list(range(start + 1, events[-1]["seq"] + 1)))
            self.assertNotIn("welcome", {event["type"] for event in seen})

    @with_server
    async def test_an_edit_over_a_bad_line_is_acknowledged_or_in_doubt_and_never_doubled(self):
        async with self.client.session() as owner, broken_line(self.url, 5) as bad:
            async with Client(bad) as client, client.session(owner.id) as session:
                doubts = number = 0
                # How many bytes an edit brings depends on the machine: on until the line broke.
                while number < 60 or doubts + session.reconnects == 0:
                    while True:
                        try:
                            await session.edit(ball(f"e{number}", number))
                            break
                        except ConnectionLost:
                            doubts += 1
                        except Refused as refused:
                            # The one before was carried out.
                            self.assertIn(f"e{number}", str(refused))
                            break
                    number += 1
            ids = [shape["id"] for shape in (await owner.scene())["shapes"]]
            self.assertEqual(ids, [f"e{edit}" for edit in range(number)])


class Examples(unittest.IsolatedAsyncioTestCase):
    async def run_example(self, name, *arguments, **more):
        return await asyncio.create_subprocess_exec(
            sys.executable, str(HERE.parent / "examples" / name), *arguments, stdout=asyncio.subprocess.PIPE, **more
        )

    @with_server
    async def test_they_run(self):
        with tempfile.TemporaryDirectory() as folder:
            built = await self.run_example("build_scene.py", self.url, f"{folder}/scene.png")
            out, _ = await built.communicate()
            self.assertEqual(built.returncode, 0)
            self.assertIn("revision", out.decode())
            self.assertEqual(Path(folder, "scene.png").read_bytes()[:4], b"\x89PNG")
            async with self.client.session() as session:
                watching = await self.run_example("watch_session.py", self.url, session.id)
                self.assertIn(b"watching", await watching.stdout.readline())
                await session.run("a green cube")
                out, _ = await watching.communicate()
                self.assertEqual(watching.returncode, 0)
                self.assertIn("> a green cube", out.decode())
                self.assertIn("completed", out.decode())
                Path(folder, "one.json").write_text(json.dumps(await session.scene()))
            batch = await self.run_example("batch_renders.py", self.url, folder, f"{folder}/one.json")
            out, _ = await batch.communicate()
            self.assertEqual(batch.returncode, 0)
            self.assertEqual(Path(folder, "one.png").read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
