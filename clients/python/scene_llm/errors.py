"""What can go wrong."""

from __future__ import annotations

import json

import httpx


class SceneLlmError(Exception):
    """Any error of this package."""


class Problem(SceneLlmError):
    """An answer of the HTTP API that is an error (RFC 9457)."""

    def __init__(self, status: int, detail: str, violations: list[str] | None = None):
        super().__init__(f"{status}: {detail}")
        self.status, self.detail, self.violations = status, detail, violations or []

    @classmethod
    def of(cls, answer: httpx.Response) -> Problem:
        try:
            body = json.loads(answer.content)
            return cls(answer.status_code, body["detail"], body.get("violations"))
        except (ValueError, KeyError, TypeError):
            return cls(answer.status_code, answer.text[:500] or answer.reason_phrase)


class Refused(SceneLlmError):
    """The session refused a request, and nothing changed. `code` is one of `ErrorCode`."""

    def __init__(self, code: str, message: str, retryable: bool):
        super().__init__(message)
        self.code, self.retryable = code, retryable


class ConnectionLost(SceneLlmError):
    """The connection broke before a request was acknowledged: the server may or may not have carried it out. The
    events that follow, or the scene, tell."""
