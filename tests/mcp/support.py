"""A server of our own, and what the tests do with the official client."""

import base64
import contextlib
import io
import json
import os
import subprocess

from mcp.client.stdio import StdioServerParameters
from PIL import Image

PROGRAM = os.environ.get("SCENE_LLM", "target/debug/scene-llm")


@contextlib.contextmanager
def server(*more):
    """A server without keys, on a free port."""
    command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models", *more]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def stdio(directory):
    environment = {"HOME": "/nonexistent", "SCENE_LLM_DATA_DIR": str(directory)}
    return StdioServerParameters(command=PROGRAM, args=["mcp"], env=environment)


async def call(client, tool, **arguments):
    """The structured result of a call that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def picture(content):
    return Image.open(io.BytesIO(base64.b64decode(content.data)))


def colours(image):
    return len(image.convert("RGB").resize((64, 48)).getcolors(64 * 48))


async def furnish(client, session):
    """Builds a small scene as a model would."""
    where = {"session": session}
    found = await call(client, "find_objects", query="armchair; floor lamp")
    assert "armchair" in json.dumps(found), found
    await call(client, "edit_scene", **where, calls=[
        {"name": "create_shape", "args": {"id": "floor", "type": "box", "properties": {
            "center": [0, -0.05, 0], "dimensions": [6, 0.1, 6], "material": {"preset": "oak"}}}},
        {"name": "set_environment_lighting", "args": {"type": "sky", "time": 15}},
    ])
    await call(client, "add_object", **where, object="armchair", at=[0, 0])
    await call(client, "add_object", **where, object="floor_lamp", relation="right_of", to="armchair", gap=0.2)
    return await call(client, "frame", **where, ids=["armchair", "floor_lamp"])
