"""A session: what one says and does in it, and what comes of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from .link import Link, Preview
from .messages import ServerMessage, ServerMessageWelcome, Usage

if TYPE_CHECKING:
    from .client import Client


@dataclass(frozen=True)
class Run:
    """What the model did for a message."""

    reason: Literal["completed", "turn_limit", "cancelled", "error"]
    answer: str
    message: str | None
    revision: int
    calls: int
    usage: Usage | None


class Session:
    """Made by `Client.session`. All of it goes on after losses of the connection."""

    def __init__(self, client: Client, key: str | None):
        self._client = client
        self._queues: set[asyncio.Queue[Any]] = set()
        self._previews: set[asyncio.Queue[Any]] = set()
        self._welcome: ServerMessageWelcome | None = None
        self._revision = 0
        self._changed = asyncio.Event()
        address = client.url.replace("http", "ws", 1) + "/ws"
        self._link = Link(address, key, client.token, self._deliver, client.events)

    async def __aenter__(self) -> Session:
        await self._link.start()
        self._link.add_done_callback(self._end)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._link.close()

    def _end(self) -> None:
        for queue in self._queues | self._previews:
            queue.put_nowait(self._link.failure)

    def _deliver(self, message: ServerMessage | Preview) -> None:
        if isinstance(message, Preview):
            for queue in self._previews:
                # The newest counts.
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(message)
            return
        if message["type"] == "welcome":
            self._welcome, self._revision = message, message["revision"]
        elif message["type"] == "scene_changed":
            self._revision = message["revision"]
            self._changed.set()
        for queue in self._queues:
            queue.put_nowait(message)

    @property
    def id(self) -> str:
        return self.welcome["session_id"]

    @property
    def welcome(self) -> ServerMessageWelcome:
        """The state when the session was opened: scene, chat, models, limits."""
        assert self._welcome is not None, "enter the session first: async with client.session() as session"
        return self._welcome

    @property
    def revision(self) -> int:
        """The newest revision of the scene that is known."""
        return self._revision

    @property
    def reconnects(self) -> int:
        """How often the connection was lost."""
        return self._link.reconnects

    @contextlib.contextmanager
    def subscribe(self) -> Any:
        """A queue of what `events` yields, from now on."""
        queue: asyncio.Queue[Any] = asyncio.Queue()
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)

    async def events(self) -> AsyncIterator[ServerMessage]:
        """Every event from now on, once and in order, and messages without a number (progress). A `welcome` means that
        the log of the session was cut: its state replaces all that was known."""
        with self.subscribe() as queue:
            while isinstance(message := await queue.get(), Mapping):
                yield cast(ServerMessage, message)
            if message is not None:
                raise message

    async def previews(self) -> AsyncIterator[Preview]:
        """Pictures while they are refined; a slow reader gets the newest."""
        queue: asyncio.Queue[Any] = asyncio.Queue()
        self._previews.add(queue)
        try:
            while isinstance(preview := await queue.get(), Preview):
                yield preview
            if preview is not None:
                raise preview
        finally:
            self._previews.discard(queue)

    async def say(self, text: str, *, selection: Iterable[str] = ()) -> str:
        """Sends a message to the model; returns its id once it is stored."""
        body = {"text": text, "selection": list(selection)}
        said = await self._client.call("POST", f"/api/sessions/{self.id}/messages", json=body)
        return said["message_id"]

    async def run(self, text: str, *, selection: Iterable[str] = ()) -> Run:
        """Sends a message and waits until the model is done with it."""
        with self.subscribe() as queue:
            message_id = await self.say(text, selection=selection)
            heard, calls, texts = False, 0, cast("dict[str, str]", {})
            while isinstance(event := await queue.get(), Mapping):
                kind = event["type"]
                if kind == "user_message":
                    heard = heard or event["message_id"] == message_id
                elif kind == "text_delta" and heard and not event["thought"]:
                    texts[event["message_id"]] = texts.get(event["message_id"], "") + event["text"]
                elif kind == "text_discarded":
                    texts.pop(event["message_id"], None)
                elif kind == "tool_started" and heard:
                    calls += 1
                # A run that ended without reading the message is followed by one that does.
                elif kind == "run_finished" and heard and not await self._is_running():
                    answer = "\n".join(text for text in texts.values() if text.strip())
                    return Run(event["reason"], answer, event.get("message"), self._revision, calls, event.get("usage"))
        raise event or asyncio.CancelledError

    async def _is_running(self) -> bool:
        return (await self._client.call("GET", f"/api/sessions/{self.id}"))["running"]

    async def edit(self, *calls: tuple[str, Mapping[str, Any]], base_revision: int | None = None) -> int:
        """Calls tools that change the scene, all or nothing; returns the newest revision once it is stored and seen."""
        message: dict[str, Any] = {"type": "edit", "calls": [{"name": name, "args": dict(args)} for name, args in calls]}
        if base_revision is not None:
            message["base_revision"] = base_revision
        return await self._change(message)

    async def undo(self) -> int:
        return await self._change({"type": "undo"})

    async def redo(self) -> int:
        return await self._change({"type": "redo"})

    async def restore(self, revision: int) -> int:
        return await self._change({"type": "restore", "revision": revision})

    async def _change(self, message: dict[str, Any]) -> int:
        before = self._revision
        reply = await self._link.request(message)
        if reply is not None and reply["type"] == "unchanged":
            return reply["revision"]
        # It is done; its event may be behind the acknowledgement.
        while self._revision == before:
            self._changed.clear()
            await self._changed.wait()
        return self._revision

    async def cancel(self) -> None:
        """Stops the model."""
        await self._link.request({"type": "cancel"})

    async def approve(self, call_id: str, allow: bool, remember: Literal["session", "always"] | None = None) -> None:
        message: dict[str, Any] = {"type": "approve", "call_id": call_id, "allow": allow}
        await self._link.request(message | ({"remember": remember} if remember else {}))

    async def select_model(self, model: str, **settings: Any) -> None:
        await self._link.request({"type": "select_model", "model": model, **settings})

    async def view(self, **view: Any) -> None:
        """How previews are made: width, height, quality, camera, hidden, paused."""
        await self._link.request({"type": "view", **view})

    async def scene(self) -> dict[str, Any]:
        return await self._client.call("GET", f"/api/sessions/{self.id}/scene")

    async def render(self, *, kind: str = "image/png", **settings: Any) -> bytes:
        """A picture of the scene: width, height, samples and the other settings of `/render`."""
        return await self._client.picture("GET", f"/api/sessions/{self.id}/render", kind, params=settings)
