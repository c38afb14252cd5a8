"""Client of scene-llm: create or follow a session, talk, edit, and get typed events, previews and renders."""

from .client import Client
from .errors import ConnectionLost, Problem, Refused, SceneLlmError
from .link import Preview
from .session import Run, Session

__all__ = ["Client", "ConnectionLost", "Preview", "Problem", "Refused", "Run", "SceneLlmError", "Session"]
