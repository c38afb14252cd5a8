"""Agents of others in `soak.py`: one speaks MCP, one A2A. Each has sessions of its own and remembers what it was told is done."""

import asyncio
import json
import random
import time

from soak_server import Fault

# What an agent has in a session before it begins another.
MAX_THINGS = 20
MAX_TASKS = 10
WORDS = ["a red ball", "make it blue", "add a chair next to it", "a lamp above it", "how many things are there?", "remove the chair"]
STATES = {f"TASK_STATE_{state}" for state in
          ("SUBMITTED", "WORKING", "COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED", "REJECTED", "AUTH_REQUIRED")}
MCP = "2026-07-28"
META = {f"io.modelcontextprotocol/{name}": value for name, value in [
    ("protocolVersion", MCP), ("clientInfo", {"name": "soak", "version": "1"}), ("clientCapabilities", {})]}
LOST = (OSError, IndexError, ValueError, asyncio.TimeoutError)


class Agent:
    """A client of JSON-RPC over HTTP."""

    def __init__(self, server, seed, counts):
        self.server, self.counts, self.random, self.asked = server, counts, random.Random(f"agent {seed}"), 0

    async def call(self, path, method, params, headers):
        """The result of a call, or its error; None if the server was not there or could not."""
        self.asked += 1
        message = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        faults, was_faulty = self.server.faults, self.server.is_faulty
        status, body = await self.server.http("POST", path, json.dumps(message).encode(), headers=headers)
        if status >= 500 and status != 503 and not (was_faulty or self.server.is_faulty or self.server.faults != faults):
            raise Fault(f"{method}: {status} {body[:300]}")
        if status != 200:
            self.counts[f"{method} {status}"] += 1
            return None
        lines = [line[5:].strip() for line in body.decode().splitlines() if line.startswith("data:")] or [body.decode()]
        answers = [json.loads(line) for line in lines if line]
        answer = next((answer for answer in answers if answer.get("id") == self.asked), None)
        if answer is None:
            raise OSError(f"{method}: the answer was cut off")
        return answer

    async def live(self, until):
        while time.monotonic() < until:
            try:
                await self.server.up.wait()
                await self.act()
            except LOST:
                # The server is being started anew.
                await asyncio.sleep(0.5)
            await asyncio.sleep(self.random.uniform(0.2, 1.5))


class McpAgent(Agent):
    """Builds with tools. Nobody else is in its session, so what was told as done is there until it takes it away."""

    def __init__(self, *given):
        super().__init__(*given)
        self.session, self.things, self.unsure, self.made = None, set(), set(), 0

    async def tool(self, name, **arguments):
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MCP, "Mcp-Method": "tools/call",
                   "Mcp-Name": name}
        params = {"name": name, "arguments": arguments, "_meta": META}
        answer = await self.call("/mcp", "tools/call", params, headers)
        if answer is None:
            return None
        if "error" in answer:
            raise Fault(f"{name}: {answer['error']}")
        return answer["result"]["structuredContent"]

    async def act(self):
        if self.session is None or len(self.things) >= MAX_THINGS:
            begun = await self.tool("new_session")
            if begun and begun["success"]:
                self.session, self.things, self.unsure = begun["session"], set(), set()
            return
        what = self.random.choices(["create", "remove", "look", "check", "picture"], [6, 2, 3, 1, 1])[0]
        self.counts[f"mcp {what}"] += 1
        if what == "create":
            self.made += 1
            thing = f"thing_{self.made}"
            self.unsure.add(thing)
            place = [round(self.random.uniform(-5, 5), 2) for _ in range(3)]
            done = await self.tool("create_shape", session=self.session, id=thing, type="sphere",
                                   properties={"center": place, "radius": 0.5})
            self.settle(thing, done, True)
        elif what == "remove" and self.things:
            thing = self.random.choice(sorted(self.things))
            self.things.remove(thing)
            self.unsure.add(thing)
            self.settle(thing, await self.tool("remove_shape", session=self.session, id=thing), False)
        elif what == "check":
            await self.tool("check_scene", session=self.session)
        elif what == "picture":
            await self.tool("render_preview", session=self.session, width=64, height=48)
        else:
            status, body = await self.server.http("GET", f"/api/sessions/{self.session}/scene")
            if status != 200:
                return
            there = {shape["id"] for shape in json.loads(body)["shapes"] if shape["id"].startswith("thing_")}
            if not self.things <= there <= self.things | self.unsure:
                raise Fault(f"MCP: {sorted(self.things)} and perhaps {sorted(self.unsure)} were made, {sorted(there)} are there")

    def settle(self, thing, done, stays):
        """The answer has come: it is known what has become of the thing, unless the server refused."""
        if done is None:
            return
        self.unsure.discard(thing)
        if done["success"] == stays:
            self.things.add(thing)


class A2aAgent(Agent):
    """Hands requests to the built-in agent, and finds each task again that it was told of."""

    def __init__(self, *given):
        super().__init__(*given)
        self.context, self.tasks = None, []

    async def ask(self, method, **params):
        answer = await self.call("/a2a", method, params, {"A2A-Version": "1.0"})
        return answer and answer.get("result")

    async def act(self):
        if self.tasks and self.random.random() < 0.6:
            self.counts["a2a look"] += 1
            known = self.random.choice(self.tasks)
            answer = await self.call("/a2a", "GetTask", {"id": known}, {"A2A-Version": "1.0"})
            if answer is None:
                return
            if answer.get("result", {}).get("status", {}).get("state") not in STATES:
                raise Fault(f"A2A: the task {known} is gone: {json.dumps(answer)[:300]}")
            return
        self.counts["a2a message"] += 1
        message = {"messageId": f"m{self.asked}", "role": "ROLE_USER", "parts": [{"text": self.random.choice(WORDS)}]}
        if self.context is not None and len(self.tasks) < MAX_TASKS:
            message["contextId"] = self.context
        else:
            self.context, self.tasks = None, []
        sent = await self.ask("SendMessage", message=message,
                              configuration={"returnImmediately": self.random.random() < 0.5})
        if sent and "task" in sent:
            self.context = sent["task"]["contextId"]
            self.tasks.append(sent["task"]["id"])


def agents(server, seed, counts):
    """One of each."""
    return [McpAgent(server, f"{seed} mcp", counts), A2aAgent(server, f"{seed} a2a", counts)]
