"""The official Python client builds scenes with our MCP server, over both transports and both generations of the
protocol. `SCENE_LLM` names the program."""

import asyncio
import base64
import io
import json
import subprocess
import tempfile
import unittest
from urllib.request import Request, urlopen

from mcp import Client, MCPError
from mcp.client.extension import advertise
from PIL import Image

from support import PROGRAM, call, colours, furnish, picture, server, stdio


class Transports(unittest.IsolatedAsyncioTestCase):
    async def build(self, client):
        new = (await call(client, "new_session", name="A corner to read in"))["result"]
        await furnish(client, new["session"])
        seen = await client.call_tool("render_preview", {"session": new["session"]})
        image = next(content for content in seen.content if content.type == "image")
        self.assertLessEqual(len(base64.b64decode(image.data)), 40_000)
        self.assertLessEqual(max(picture(image).size), 512)
        self.assertGreater(colours(picture(image)), 50)
        self.assertIn("armchair", json.dumps(seen.structured_content["result"]["seen"]))
        link = next(content for content in seen.content if content.type == "resource_link")
        full = (await client.read_resource(link.uri)).contents[0]
        large = Image.open(io.BytesIO(base64.b64decode(full.blob)))
        self.assertEqual(large.size, (1024, 768))
        self.assertGreater(colours(large), 50)
        scene = (await client.read_resource(f"scene-llm://sessions/{new['session']}/scene")).contents[0]
        groups = {shape.get("group", "").split("/")[0] for shape in json.loads(scene.text)["shapes"]}
        self.assertLessEqual({"armchair", "floor_lamp"}, groups)
        return new

    async def test_http_of_the_newest_protocol(self):
        with server() as url:
            async with Client(f"{url}/mcp") as client:
                self.assertEqual(client.session.protocol_version, "2026-07-28")
                new = await self.build(client)
                self.assertTrue(new["page"].startswith(url), new)

    async def test_http_with_a_handshake(self):
        with server() as url:
            async with Client(f"{url}/mcp", mode="legacy") as client:
                await self.build(client)

    async def test_stdio_remembers_its_session(self):
        with tempfile.TemporaryDirectory() as directory:
            async with Client(stdio(directory)) as client:
                new = await self.build(client)
                with urlopen(new["page"].split("#")[0]) as page:
                    self.assertIn("text/html", page.headers["content-type"])
            async with Client(stdio(directory), mode="legacy") as client:
                state = await call(client, "get_scene_state")
                self.assertEqual(state["session"], new["session"])
                self.assertGreater(len(state["result"]["shapes"]), 10)

    async def test_a_view_of_the_picture_for_clients_that_show_one(self):
        kind = "text/html;profile=mcp-app"
        with server() as url, tempfile.TemporaryDirectory() as directory:
            for where, mode in ((f"{url}/mcp", "auto"), (f"{url}/mcp", "legacy"), (stdio(directory), "legacy")):
                shown = [advertise("io.modelcontextprotocol/ui", {"mimeTypes": [kind]})]
                async with Client(where, mode=mode, extensions=shown) as client:
                    tools = (await client.list_tools()).tools
                    views = {tool.name: tool.meta["ui"] for tool in tools if tool.meta and "ui" in tool.meta}
                    self.assertEqual(list(views), ["render_preview"])
                    page = (await client.read_resource(views["render_preview"]["resourceUri"])).contents[0]
                    self.assertEqual(page.mime_type, kind)
                    self.assertTrue(page.text.startswith("<!doctype html>"))
                    # Hosts let it load nothing.
                    self.assertNotRegex(page.text, "https?://|import |fetch\\(")
                async with Client(where, mode=mode) as client:
                    self.assertFalse([tool for tool in (await client.list_tools()).tools if tool.meta])

    async def test_a_look_leaves_the_camera_where_it_is(self):
        with server() as url:
            async with Client(f"{url}/mcp", mode="legacy") as client:
                await call(client, "add_object", object="mug", at=[0, 0])
                await call(client, "set_camera", center=[0, 1, 4], look_at=[0, 0, 0])
                look = await call(client, "render_preview", camera={"center": [3, 2, 0]}, width=64, height=48)
                camera = look["result"]["camera"]
                self.assertEqual((camera["center"], camera["look_at"]), ([3, 2, 0], [0, 0, 0]))
                whole = await call(client, "render_preview", camera={}, width=64, height=48)
                self.assertEqual(whole["result"]["camera"]["center"], [0, 1, 4])
                wrong = await client.call_tool("render_preview", {"camera": {"centre": [0, 0, 0]}})
                self.assertRegex(wrong.structured_content["error"], "'camera'.*centre")

    async def test_calls_that_arrive_together_are_done_in_order(self):
        with tempfile.TemporaryDirectory() as directory:
            async with Client(stdio(directory)) as client:
                for _ in range(5):
                    new, *added = await asyncio.gather(
                        call(client, "new_session"),
                        call(client, "add_object", object="mug", id="a", at=[0, 0]),
                        call(client, "add_object", object="mug", id="b", relation="on", to="a"),
                    )
                    self.assertEqual({one["session"] for one in added}, {new["result"]["session"]})


def with_client(test):
    """Runs a test with a client of a server of its own, entered and left in one task."""

    async def run(self):
        with server() as self.url:
            async with Client(f"{self.url}/mcp", mode="legacy") as self.client:
                await test(self)

    return run


class Tools(unittest.IsolatedAsyncioTestCase):
    @with_client
    async def test_tools_are_described_whole(self):
        tools = (await self.client.list_tools()).tools
        names = [tool.name for tool in tools]
        self.assertEqual(len(names), len(set(names)))
        for tool in tools:
            self.assertTrue(tool.title and tool.description and tool.annotations and tool.output_schema, tool.name)
            self.assertLessEqual(len(tool.name), 64)
        reads = {tool.name for tool in tools if tool.annotations.read_only_hint}
        self.assertLessEqual({"render_preview", "measure", "find_objects", "check_scene"}, reads)
        self.assertFalse(reads & {"create_shape", "edit_scene", "undo", "send_message"})
        self.assertTrue(next(tool for tool in tools if tool.name == "remove").annotations.destructive_hint)

    @with_client
    async def test_calls_without_a_session_are_about_the_current_one(self):
        looked = await call(self.client, "get_scene_state")
        self.assertNotIn("session", looked, "looking at nothing begins no session")
        first = await call(self.client, "add_object", object="mug", at=[0, 0])
        second = await call(self.client, "get_scene_state")
        self.assertEqual(first["session"], second["session"])
        await call(self.client, "undo")
        self.assertEqual((await call(self.client, "get_scene_state"))["result"]["shapes"], [])
        await call(self.client, "redo")
        self.assertTrue((await call(self.client, "get_scene_state"))["result"]["shapes"])

    @with_client
    async def test_errors_say_what_to_do(self):
        wrong = await self.client.call_tool("add_object", {"object": "armchiar"})
        self.assertTrue(wrong.is_error)
        self.assertIn("armchair", wrong.structured_content["error"])
        wrong = await self.client.call_tool("measure", {"session": "nobody"})
        self.assertIn("there is no session 'nobody'", wrong.structured_content["error"])
        wrong = await self.client.call_tool("undo", {"session": 7})
        self.assertIn("must be the id of a session, got 7", wrong.structured_content["error"])
        with self.assertRaisesRegex(MCPError, "there is no tool 'dance'; the tools are: new_session"):
            await self.client.call_tool("dance", {})

    @with_client
    async def test_a_batch_keeps_what_worked_and_is_corrected_by_index(self):
        box = {"type": "box", "properties": {"center": [0, 0.5, 0], "dimensions": [1, 1, 1]}}
        calls = [
            {"name": "create_shape", "args": {"id": "a", **box}},
            {"name": "create_shape", "args": {"id": "b", "type": "bxo"}},
            {"name": "move", "args": {"ids": ["a"], "by": [1, 0, 0]}},
        ]
        stopped = await self.client.call_tool("edit_scene", {"calls": calls})
        self.assertTrue(stopped.is_error)
        self.assertEqual(stopped.structured_content["done"]["done"], 1)
        mended = {"index": 2, "name": "create_shape", "args": {"id": "b", **box}}
        done = await call(self.client, "edit_scene", calls=[mended])
        self.assertEqual(done["result"]["done"], 2)

    @with_client
    async def test_a_message_goes_to_the_agent_and_tells_its_progress(self):
        steps = []

        async def progress(number, total, message):
            steps.append((number, message))

        result = await self.client.call_tool(
            "send_message", {"text": "put a red ball on a wooden table"}, progress_callback=progress
        )
        self.assertFalse(result.is_error, result.content)
        answer = result.structured_content["result"]
        self.assertEqual(answer["reason"], "completed")
        self.assertGreater(answer["changes"], 0)
        self.assertIn("red", answer["answer"])
        self.assertEqual([number for number, _ in steps], sorted({number for number, _ in steps}))
        self.assertTrue(steps)
        history = await self.client.read_resource(f"scene-llm://sessions/{answer['session']}/history")
        self.assertIn("put a red ball", history.contents[0].text)

    @with_client
    async def test_what_a_client_does_is_seen_by_others(self):
        added = await call(self.client, "add_object", object="mug", at=[0, 0])
        with urlopen(f"{self.url}/api/sessions/{added['session']}/scene") as scene:
            self.assertTrue(json.load(scene)["shapes"])

    @with_client
    async def test_prompts_are_filled_in(self):
        prompts = (await self.client.list_prompts()).prompts
        self.assertIn("product_shot", {prompt.name for prompt in prompts})
        got = await self.client.get_prompt("product_shot", {"subject": "a watch"})
        self.assertIn("product shot of a watch", got.messages[0].content.text)
        with self.assertRaisesRegex(MCPError, "needs the argument 'subject'"):
            await self.client.get_prompt("product_shot", {})


class Following(unittest.IsolatedAsyncioTestCase):
    async def test_a_change_is_told_to_who_follows_the_scene(self):
        told = asyncio.Queue()

        async def heard(message):
            await told.put(message)

        with server() as url:
            client = Client(f"{url}/mcp", mode="legacy", message_handler=heard)
            async with client:
                new = (await call(client, "new_session"))["result"]["session"]
                uri = f"scene-llm://sessions/{new}/scene"
                await client.session.subscribe_resource(uri)
                await call(client, "add_object", session=new, object="mug", at=[0, 0])
                while True:
                    message = await asyncio.wait_for(told.get(), 30)
                    if getattr(message, "method", "") == "notifications/resources/updated":
                        self.assertEqual(str(message.params.uri), uri)
                        break


class Access(unittest.IsolatedAsyncioTestCase):
    async def test_the_operators_token_and_the_origin_are_checked(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
        kinds = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        with server("--token", "open-sesame") as url:
            for headers, status in [
                ({}, 401),
                ({"authorization": "Bearer wrong-one"}, 401),
                ({"authorization": "Bearer open-sesame", "origin": "https://evil.example"}, 403),
                ({"authorization": "Bearer open-sesame", "host": "evil.example"}, 421),
            ]:
                with self.assertRaises(OSError) as refused:
                    urlopen(Request(f"{url}/mcp", body, {**kinds, **headers}))
                self.assertEqual(refused.exception.code, status, headers)

    async def test_a_link_for_looking_changes_nothing(self):
        with server() as url:
            async with Client(f"{url}/mcp", mode="legacy") as client:
                new = (await call(client, "new_session"))["result"]["session"]
                share = Request(f"{url}/api/sessions/{new}/shares", b'{"access": "view"}', method="POST")
                with urlopen(share) as made:
                    token = json.load(made)["token"]
                await call(client, "get_scene_state", session=token)
                refused = await client.call_tool("add_object", {"session": token, "object": "mug"})
                self.assertIn("for looking only", refused.structured_content["error"])


class Answers(unittest.TestCase):
    """What a client gets that writes other requests than the official one does."""

    kinds = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def ask(self, url, body, method="POST", **headers):
        kinds = {**self.kinds, **{name.replace("_", "-"): value for name, value in headers.items()}}
        body = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{url}/mcp", body, kinds, method=method)) as answer:
                return answer.status, answer.read().decode()
        except OSError as refused:
            return refused.code, json.loads(refused.read())

    def call(self, url, method, params, name=None):
        headers = {"mcp_protocol_version": "2026-07-28", "mcp_method": method, **({"mcp_name": name} if name else {})}
        params = {**params, "_meta": self.meta} if isinstance(params, dict) else params
        return self.ask(url, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, **headers)

    def test_what_is_no_request_is_refused_as_json_rpc_says(self):
        with server() as url:
            for body, code, said in [
                (b"hello", -32700, "the body is not JSON"),
                (b"", -32700, "the body is not JSON"),
                ({}, -32600, "no JSON-RPC request"),
                ([], -32600, "lists of requests are not answered"),
                ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, "no JSON-RPC request"),
                ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600, "a whole number"),
            ]:
                status, answer = self.ask(url, body)
                self.assertEqual((status, answer["id"], answer["error"]["code"]), (400, None, code), answer)
                self.assertIn(said, answer["error"]["message"])

    def test_a_request_out_of_place_says_what_comes_before_it(self):
        with server() as url:
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            status, problem = self.ask(url, ping)
            self.assertEqual(status, 400)
            self.assertIn("begin with 'initialize'", problem["detail"])
            status, problem = self.ask(url, ping, mcp_session_id="nobody")
            self.assertEqual(status, 404)
            self.assertIn("begin again with 'initialize'", problem["detail"])
            self.assertEqual(self.ask(url, ping, content_type="text/xml")[0], 415)
            self.assertEqual(self.ask(url, ping, accept="text/html")[0], 406)
            status, problem = self.ask(url, None, method="PUT")
            self.assertEqual(status, 405)
            self.assertTrue("the header Allow lists those" in problem["detail"], problem)

    def test_the_wrong_method_and_the_wrong_params_are_told_apart(self):
        with server() as url:
            status, answer = self.call(url, "dance", {})
            self.assertEqual((status, answer["error"]["code"]), (404, -32601))
            self.assertIn("there is no method 'dance'; the methods are tools/list", answer["error"]["message"])
            _, answer = self.call(url, "tools/call", {"name": "undo", "arguments": []}, name="undo")
            answer = answer if isinstance(answer, dict) else json.loads(answer.split("data: ", 1)[1])
            self.assertEqual(answer["error"]["code"], -32602, answer)
            self.assertIn("'arguments' must be an object, got a list", answer["error"]["message"])

    def test_standard_input_is_answered_in_the_same_words(self):
        requests = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "dance"},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 42}},
            {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "render_preview", "arguments": {
                "width": 64.0, "height": 48.0, "seconds": 0.2}}},
        ]
        with subprocess.Popen(
            [PROGRAM, "mcp", "--in-memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            answers = {}
            for request in requests:
                process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while len(answers) < 4:
                answer = json.loads(process.stdout.readline())
                answers[answer["id"]] = answer
            process.stdin.close()
            self.assertIn("there is no method 'dance'", answers[2]["error"]["message"])
            self.assertEqual(answers[3]["error"]["code"], -32602)
            self.assertIn("'name' must be a text, got 42", answers[3]["error"]["message"])
            self.assertFalse(answers[4]["result"].get("isError"), answers[4])
            self.assertEqual(process.wait(), 0)

    def test_a_client_that_says_nothing_is_no_error(self):
        done = subprocess.run([PROGRAM, "mcp", "--in-memory"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("error", done.stderr)


if __name__ == "__main__":
    unittest.main()
