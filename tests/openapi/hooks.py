"""What schemathesis cannot know of our server: which sessions, assets and objects there are, and that pictures of
4096 x 4096 pixels with 65,536 samples take an hour."""

import json
import os

import schemathesis

KNOWN = json.loads(os.environ["OPENAPI_KNOWN"])
# A session that others read and write must not be deleted by the way; the stateful phase deletes its own.
DELETES = {("DELETE", "/api/sessions/{id}")}
LARGEST = {"width": 48, "height": 48, "samples": 4, "max_depth": 8}
BOUNDS = {"width": 4096, "height": 4096, "samples": 65536, "max_depth": 256}


def valid(name, value):
    """Whether a generated value has the form of a real one: then half of them become real."""
    if name in ("id", "hash", "message_id"):
        return isinstance(value, str) and all(digit in "0123456789abcdef-" for digit in value)
    return isinstance(value, str) and value != ""


@schemathesis.hook
def map_path_parameters(context, parameters):
    operation = context.operation
    if not parameters or (operation.method.upper(), operation.path) in DELETES:
        return parameters
    for name, real in KNOWN.items():
        value = parameters.get(name)
        if valid(name, value) and sum(value.encode()) % 2 == 0:
            parameters[name] = real
    return parameters


def small(settings):
    """Valid numbers become small ones; what is out of range stays so."""
    for name, largest in LARGEST.items():
        value = settings.get(name)
        if isinstance(value, str) and value.isdigit():
            value = int(value)
        if type(value) is int and 1 <= value <= BOUNDS[name]:
            settings[name] = 1 + value % largest
        elif name not in settings:
            settings[name] = largest
    return settings


def renders(context):
    return context.operation.path in ("/api/render", "/api/sessions/{id}/render")


@schemathesis.hook
def map_query(context, query):
    if renders(context) and context.operation.method.upper() == "GET":
        return small(dict(query or {}))
    return query


@schemathesis.hook
def map_body(context, body):
    return small(body) if renders(context) and isinstance(body, dict) else body


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """A body that is told to be text."""
    return value if isinstance(value, bytes) else str(value).encode()
