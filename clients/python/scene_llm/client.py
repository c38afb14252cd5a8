"""A server, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from .api import Model, Object, Scene, SessionSummary
from .errors import Problem
from .messages import ServerMessage
from .session import Session


class Client:
    """`async with Client("http://127.0.0.1:8080") as client`. `token`: the operator's, where the server has one."""

    def __init__(self, url: str = "http://127.0.0.1:8080", token: str | None = None):
        self.url, self.token = url.rstrip("/"), token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # Connecting again is safe; a request that was sent is not repeated.
        self._http = httpx.AsyncClient(
            base_url=self.url, headers=headers, timeout=httpx.Timeout(30, read=600),
            transport=httpx.AsyncHTTPTransport(retries=3),
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    def session(self, key: str | None = None) -> Session:
        """The session of an id or a share token, or a new one: `async with client.session() as session`."""
        return Session(self, key)

    async def call(self, method: str, path: str, **more: Any) -> Any:
        """Any call of the HTTP API; the JSON of its answer."""
        answer = await self._http.request(method, path, **more)
        if answer.is_error:
            raise Problem.of(answer)
        return answer.json() if answer.content else None

    async def picture(self, method: str, path: str, kind: str, **more: Any) -> bytes:
        answer = await self._http.request(method, path, headers={"Accept": kind}, **more)
        if answer.is_error:
            raise Problem.of(answer)
        return answer.content

    async def events(self, session: str, after: int) -> tuple[list[ServerMessage], bool]:
        """Events of the log after a number, and whether there are more."""
        page = await self.call("GET", f"/api/sessions/{session}/events", params={"after": after})
        return page["events"], page["more"]

    async def sessions(self, words: str | None = None, limit: int = 50) -> list[SessionSummary]:
        params = {"limit": limit} | ({"q": words} if words else {})
        return (await self.call("GET", "/api/sessions", params=params))["sessions"]

    async def delete(self, session: str) -> None:
        await self.call("DELETE", f"/api/sessions/{session}")

    async def models(self) -> list[Model]:
        return (await self.call("GET", "/api/models"))["models"]

    async def objects(self, query: str) -> list[Object]:
        return (await self.call("GET", "/api/objects", params={"query": query}))["objects"]

    async def render(self, scene: Scene | dict[str, Any], *, kind: str = "image/png", **settings: Any) -> bytes:
        """A picture of a scene file."""
        return await self.picture("POST", "/api/render", kind, json={"scene": scene, **settings})
