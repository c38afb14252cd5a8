"""The official A2A client hands requests to our agent. `SCENE_LLM` names the program."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import unittest
from uuid import uuid4

import httpx
from a2a.client import A2ACardResolver, ClientConfig, create_client
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

PROGRAM = os.environ.get("SCENE_LLM", "target/debug/scene-llm")


@contextlib.contextmanager
def server(*more, **variables):
    command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models", *more]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def silent_provider():
    """A model whose provider takes requests and never answers: its runs last until they are cancelled."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, {
        "GEMINI_API_KEY": "a key",
        "GEMINI_BASE_URL": f"http://127.0.0.1:{listener.getsockname()[1]}",
        "SCENE_LLM_MODEL": "gemini/gemini-3-flash",
    }


LISTENER, SILENT = silent_provider()


def with_client(streaming, variables=None):
    def wrap(test):
        async def run(self):
            with server(**(variables or {})) as self.url:
                async with httpx.AsyncClient(timeout=120) as self.http, asyncio.timeout(120):
                    card = await A2ACardResolver(self.http, self.url).get_agent_card()
                    config = ClientConfig(httpx_client=self.http, streaming=streaming)
                    self.card, self.client = card, await create_client(card, config)
                    await test(self)

        return run

    return wrap


def says(text, context="", task="", **settings):
    message = Message(message_id=str(uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)], context_id=context, task_id=task)
    return SendMessageRequest(message=message, configuration=SendMessageConfiguration(**settings))


class Tasks(unittest.IsolatedAsyncioTestCase):
    async def task(self, request):
        """The last task of a call that does not stream."""
        responses = [response async for response in self.client.send_message(request)]
        return responses[-1].task

    @with_client(streaming=False)
    async def test_a_message_blocks_until_the_scene_is_built(self):
        task = await self.task(says("put a red ball on a wooden table"))
        self.assertEqual(task.status.state, TaskState.TASK_STATE_COMPLETED)
        artifacts = {artifact.artifact_id: artifact for artifact in task.artifacts}
        self.assertIn("red", artifacts["answer"].parts[0].text)
        self.assertEqual([message.role for message in task.history][:2], [Role.ROLE_USER, Role.ROLE_AGENT])
        for part in artifacts["scene"].parts[:2]:
            got = await self.http.get(part.url)
            self.assertEqual(got.headers["content-type"].split(";")[0], part.media_type)
        scene = (await self.http.get(artifacts["scene"].parts[0].url)).json()
        self.assertTrue(scene["shapes"])
        # The next message is about the same scene.
        again = await self.task(says("make the ball blue", context=task.context_id))
        self.assertEqual(again.context_id, task.context_id)
        self.assertNotEqual(again.id, task.id)
        self.assertEqual(again.status.state, TaskState.TASK_STATE_COMPLETED)
        self.assertEqual(len([part for part in task.history if part.role == Role.ROLE_USER]), 1)

    @with_client(streaming=True)
    async def test_a_stream_begins_with_the_task_and_closes_at_its_end(self):
        responses = [response async for response in self.client.send_message(says("a green cube on the floor"))]
        self.assertTrue(responses[0].HasField("task"))
        task = responses[0].task
        self.assertFalse(any(response.HasField("task") for response in responses[1:]))
        states = [response.status_update.status.state for response in responses if response.HasField("status_update")]
        self.assertEqual(states[-1], TaskState.TASK_STATE_COMPLETED)
        self.assertEqual(set(states[:-1]), {TaskState.TASK_STATE_WORKING})
        text = ""
        for response in responses:
            if response.HasField("artifact_update") and response.artifact_update.artifact.artifact_id == "answer":
                update = response.artifact_update
                text = (text if update.append else "") + update.artifact.parts[0].text
        whole = await self.client.get_task(GetTaskRequest(id=task.id))
        self.assertEqual(whole.artifacts[0].parts[0].text, text)
        self.assertEqual(whole.status.state, TaskState.TASK_STATE_COMPLETED)

    @with_client(streaming=False)
    async def test_tasks_are_followed_stopped_and_listed(self):
        task = await self.task(says("a living room with a sofa and two lamps", return_immediately=True))
        followed = []
        streams = await create_client(self.card, ClientConfig(httpx_client=self.http, streaming=True))
        with contextlib.suppress(UnsupportedOperationError):
            followed = [response async for response in streams.subscribe(SubscribeToTaskRequest(id=task.id))]
        if followed:
            self.assertEqual(followed[0].task.id, task.id)
            self.assertEqual(followed[-1].status_update.status.state, TaskState.TASK_STATE_COMPLETED)
        done = await self.client.get_task(GetTaskRequest(id=task.id))
        self.assertEqual(done.status.state, TaskState.TASK_STATE_COMPLETED)
        with self.assertRaises(TaskNotCancelableError):
            await self.client.cancel_task(CancelTaskRequest(id=task.id))
        with self.assertRaises(UnsupportedOperationError):
            [response async for response in streams.subscribe(SubscribeToTaskRequest(id=task.id))]
        with self.assertRaises(UnsupportedOperationError):
            await self.task(says("and a rug", context=task.context_id, task=task.id))
        other = await self.task(says("a ball"))
        second = await self.task(says("a cube", context=task.context_id))
        listed = await self.client.list_tasks(ListTasksRequest(context_id=task.context_id, page_size=1))
        self.assertEqual([one.id for one in listed.tasks], [second.id])
        self.assertEqual(listed.total_size, 2)
        self.assertFalse(listed.tasks[0].artifacts, "only when asked for")
        more = ListTasksRequest(context_id=task.context_id, page_size=1, page_token=listed.next_page_token)
        rest = await self.client.list_tasks(more)
        self.assertEqual([one.id for one in rest.tasks], [task.id])
        self.assertEqual(rest.next_page_token, "")
        everything = await self.client.list_tasks(ListTasksRequest(status=TaskState.TASK_STATE_COMPLETED))
        self.assertEqual({one.id for one in everything.tasks}, {task.id, second.id, other.id})

    @with_client(streaming=False, variables=SILENT)
    async def test_a_running_task_is_cancelled(self):
        task = await self.task(says("a village", return_immediately=True))
        cancelled = await self.client.cancel_task(CancelTaskRequest(id=task.id))
        self.assertEqual(cancelled.status.state, TaskState.TASK_STATE_CANCELED)
        with self.assertRaises(TaskNotCancelableError):
            await self.client.cancel_task(CancelTaskRequest(id=task.id))

    @with_client(streaming=False)
    async def test_errors_say_what_to_do(self):
        with self.assertRaises(TaskNotFoundError):
            await self.client.get_task(GetTaskRequest(id="nobody.m1"))
        with self.assertRaises(TaskNotFoundError):
            await self.client.get_task(GetTaskRequest(id="nothing"))
        with self.assertRaisesRegex(InvalidParamsError, "no such context"):
            await self.task(says("a ball", context="nobody"))
        with self.assertRaisesRegex(InvalidParamsError, "'text' is empty"):
            await self.task(says(" "))
        sent = Message(message_id="m", role=Role.ROLE_USER, parts=[Part(url="http://example.com/a.png")])
        with self.assertRaisesRegex(ContentTypeNotSupportedError, "part 0 has 'url'"):
            await self.task(SendMessageRequest(message=sent))


class Wire(unittest.IsolatedAsyncioTestCase):
    @with_client(streaming=False)
    async def test_versions_and_malformed_requests(self):
        async def post(body, **headers):
            text = body if isinstance(body, str) else json.dumps(body)
            async with httpx.AsyncClient() as http:
                answer = await http.post(f"{self.url}/a2a", content=text, headers=headers)
            self.assertEqual(answer.status_code, 200)
            return answer.json()

        listing = {"jsonrpc": "2.0", "id": 7, "method": "ListTasks"}
        for version in (None, "", "0.3", "2.0"):
            headers = {} if version is None else {"A2A-Version": version}
            refused = await post(listing, **headers)
            self.assertEqual((refused["id"], refused["error"]["code"]), (7, -32009))
            (info,) = refused["error"]["data"]
            self.assertEqual(info["@type"], "type.googleapis.com/google.rpc.ErrorInfo")
            self.assertEqual((info["reason"], info["domain"]), ("VERSION_NOT_SUPPORTED", "a2a-protocol.org"))
        self.assertEqual((await post(listing, **{"A2A-Version": "1.0"}))["result"]["totalSize"], 0)
        message = {"messageId": "1", "role": "ROLE_USER", "parts": [{"text": "a ball"}]}
        sending = {**listing, "method": "SendMessage", "params": {"message": message}}
        for body, code, said in [
            ("{", -32700, "the body is not JSON"),
            ("", -32700, "the body is not JSON: it is empty"),
            ([], -32600, "one request at a time"),
            ([sending], -32600, "one request at a time"),
            (5, -32600, "a request is a JSON object"),
            ({"jsonrpc": "1.0", "id": 1, "method": "ListTasks"}, -32600, "'jsonrpc' must be \"2.0\""),
            ({"jsonrpc": "2.0", "method": "ListTasks"}, -32600, "needs an 'id'"),
            ({**listing, "id": {"a": 1}}, -32600, "a text or a number"),
            ({"jsonrpc": "2.0", "id": 1}, -32600, "'method' is missing"),
            ({**listing, "method": "Dance"}, -32601, "the methods are SendMessage"),
            ({**listing, "method": "GetTask"}, -32602, "'params' are missing"),
            ({**listing, "method": "GetTask", "params": []}, -32602, "'params' must be an object"),
            ({**listing, "method": "GetTask", "params": {}}, -32602, "'id' is missing"),
            ({**listing, "method": "GetTask", "params": {"id": 5}}, -32602, "'id' must be a text, got 5"),
            ({**listing, "params": {"pageSize": 1000}}, -32602, "from 1 to 100"),
            ({**listing, "params": {"pageSize": 1e99}}, -32602, "'pageSize' must be a whole number"),
            ({**listing, "params": {"status": "BUSY"}}, -32602, "must be one of TASK_STATE_SUBMITTED"),
            ({**sending, "params": {"message": {}}}, -32602, "'message.messageId' is missing"),
            ({**sending, "params": {"message": {**message, "parts": []}}}, -32602, "'message.parts' is empty"),
            ({**sending, "params": {"message": {**message, "parts": [{"text": 5}]}}}, -32602, "'message.parts[0].text' must be a text"),
            ({**listing, "method": "CreateTaskPushNotificationConfig"}, -32003, "use SubscribeToTask"),
            ({**listing, "method": "GetExtendedAgentCard"}, -32004, "no extended agent card"),
        ]:
            error = (await post(body, **{"A2A-Version": "1.0"}))["error"]
            self.assertEqual(error["code"], code, body)
            self.assertIn(said, error["message"], body)

    async def test_the_operators_token_is_needed_for_calls_and_told_by_the_card(self):
        with server("--token", "open-sesame") as url:
            async with httpx.AsyncClient() as http:
                card = await A2ACardResolver(http, url).get_agent_card()
                self.assertIn("operator_token", card.security_schemes)
                body = {"jsonrpc": "2.0", "id": 1, "method": "ListTasks"}
                headers = {"A2A-Version": "1.0"}
                self.assertEqual((await http.post(f"{url}/a2a", json=body, headers=headers)).status_code, 401)
                headers["Authorization"] = "Bearer open-sesame"
                self.assertIn("result", (await http.post(f"{url}/a2a", json=body, headers=headers)).json())


if __name__ == "__main__":
    unittest.main()
