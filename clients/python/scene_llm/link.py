"""The connection of a session. It comes back by itself after a loss, at the event after the last one that was seen, so
that each event is delivered once, in order and without gaps."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

import websockets
from websockets.asyncio.client import ClientConnection, connect

from .errors import ConnectionLost, Problem, Refused, SceneLlmError
from .messages import PreviewHeader, ServerMessage, ServerMessageWelcome

PROTOCOL = 1
# A welcome holds the whole scene.
MAX_FRAME = 256 * 1024 * 1024
HANDSHAKE_SECONDS = 10.0
FIRST_DELAY_SECONDS, LAST_DELAY_SECONDS = 0.1, 10.0


@dataclass(frozen=True)
class Preview:
    """A picture of the scene while it is refined. `header["final"]` is true for the last one of a revision."""

    header: PreviewHeader
    image: bytes

    @classmethod
    def of(cls, frame: bytes) -> Preview:
        length = int.from_bytes(frame[:4], "little")
        return cls(json.loads(frame[4 : 4 + length]), frame[4 + length :])


@dataclass
class _Request:
    done: asyncio.Future[dict[str, Any] | None]
    # The reply, which counts once the ping behind the request is answered.
    reply: dict[str, Any] | None = None


class Link:
    """Delivers to `deliver`: a `welcome` at first (and again only if the log of the session was cut), then events, and
    messages without a number."""

    def __init__(
        self,
        address: str,
        session: str | None,
        token: str | None,
        deliver: Callable[[ServerMessage | Preview], None],
        log: Callable[[str, int], Awaitable[tuple[list[ServerMessage], bool]]],
    ):
        self._address, self._token, self._deliver, self._log = address, token, deliver, log
        self.session = session
        self._cursor: tuple[str, int] | None = None
        self._socket: ClientConnection | None = None
        self._open = asyncio.Event()
        self._requests: dict[int, _Request] = {}
        self._ids = itertools.count(1)
        self._task: asyncio.Task[None] | None = None
        self.reconnects = 0

    async def start(self) -> None:
        self._task = asyncio.create_task(self._drive())
        opened = asyncio.create_task(self._open.wait())
        await asyncio.wait({self._task, opened}, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        if self._task.done():
            await self._task

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(ConnectionLost("the session was closed here"))

    @property
    def failure(self) -> BaseException | None:
        """Why it does not come back; None while it tries."""
        task = self._task
        return task.exception() if task and task.done() and not task.cancelled() else None

    def add_done_callback(self, call: Callable[[], None]) -> None:
        if self._task is not None:
            self._task.add_done_callback(lambda _: call())

    async def request(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Sends a message and waits until the server has carried it out; returns its direct reply, if it has one."""
        while not (socket := self._socket):
            if self._task is None or self._task.done():
                raise self.failure or ConnectionLost("the session is closed")
            self._open.clear()
            opened = asyncio.create_task(self._open.wait())
            await asyncio.wait({self._task, opened}, return_when=asyncio.FIRST_COMPLETED)
            opened.cancel()
        number = next(self._ids)
        request = self._requests[number] = _Request(asyncio.get_running_loop().create_future())
        try:
            # Messages are handled one after another: the pong tells that the one before it is done.
            await socket.send(json.dumps({**message, "request_id": number}))
            await socket.send(json.dumps({"type": "ping", "request_id": number}))
        except websockets.ConnectionClosed:
            self._requests.pop(number, None)
            raise ConnectionLost(f"the connection broke while '{message['type']}' was sent") from None
        return await request.done

    async def _drive(self) -> None:
        attempt = 0
        while True:
            try:
                headers = {"Authorization": f"Bearer {self._token}"} if self._token else None
                async with connect(
                    self._url(), additional_headers=headers, max_size=MAX_FRAME, open_timeout=HANDSHAKE_SECONDS
                ) as socket:
                    async with asyncio.timeout(HANDSHAKE_SECONDS):
                        await self._welcome(json.loads(await socket.recv()))
                    attempt, self._socket = 0, socket
                    self._open.set()
                    async for frame in socket:
                        self._receive(frame)
            except websockets.InvalidStatus as refused:
                if refused.response.status_code in (400, 401, 403, 404, 421):
                    body = refused.response.body or b"{}"
                    try:
                        detail = json.loads(body).get("detail", "")
                    except ValueError:
                        detail = body.decode(errors="replace")
                    raise Problem(refused.response.status_code, detail) from None
            except (OSError, TimeoutError, websockets.WebSocketException, _Gap):
                pass
            self._socket = None
            self._fail(ConnectionLost("the connection broke before the request was acknowledged"))
            attempt += 1
            self.reconnects += 1
            delay = min(LAST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** min(attempt - 1, 10))
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))

    def _url(self) -> str:
        query: dict[str, Any] = {"session": self.session} if self.session else {}
        if self._cursor:
            query |= {"epoch": self._cursor[0], "after": self._cursor[1]}
        return f"{self._address}?{urlencode(query)}" if query else self._address

    async def _welcome(self, message: dict[str, Any]) -> None:
        welcome = cast(ServerMessageWelcome, message)
        if welcome["protocol"] != PROTOCOL:
            raise SceneLlmError(f"the server speaks protocol {welcome['protocol']}, this client {PROTOCOL}")
        self.session = welcome["session_id"]
        if welcome["resumed"]:
            return
        if self._cursor and self._cursor[0] == welcome["epoch"]:
            # Too much was missed for the socket; the log has it.
            more = True
            while more and self._cursor[1] < welcome["seq"]:
                events, more = await self._log(self.session, self._cursor[1])
                for event in events:
                    self._event(cast(Any, event))
            return
        self._cursor = (welcome["epoch"], welcome["seq"])
        self._deliver(welcome)

    def _receive(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            self._deliver(Preview.of(frame))
            return
        message = json.loads(frame)
        number, kind = message.get("request_id"), message["type"]
        request = self._requests.get(number) if isinstance(number, int) else None
        if request is not None and kind == "pong":
            del self._requests[number]
            self._settle(request)
        elif request is not None:
            request.reply = message
        elif "seq" in message:
            self._event(message)
        elif kind != "pong":
            self._deliver(message)

    @staticmethod
    def _settle(request: _Request) -> None:
        reply = request.reply
        if request.done.done():
            return
        if reply is not None and reply["type"] == "error":
            request.done.set_exception(Refused(reply["code"], reply["message"], reply["retryable"]))
        else:
            request.done.set_result(reply)

    def _event(self, event: dict[str, Any]) -> None:
        assert self._cursor is not None
        epoch, seen = self._cursor
        if event["seq"] <= seen:
            return
        if event["seq"] != seen + 1:
            raise _Gap
        self._cursor = (epoch, event["seq"])
        self._deliver(cast(ServerMessage, event))

    def _fail(self, error: SceneLlmError) -> None:
        requests, self._requests = self._requests, {}
        for request in requests.values():
            if not request.done.done():
                request.done.set_exception(error)


class _Gap(Exception):
    """Events were left out: connecting again brings them."""
