"""Holds the description of the HTTP API against a running server: it is linted, then schemathesis sends what the
document allows and what it forbids, and each answer has to be one that the document tells of.

`--minutes N` goes on with new cases for that long; without it there are a few of a fixed seed."""

import argparse
import json
import os
import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PROGRAM = os.environ.get("SCENE_LLM", str(ROOT / "target/debug/scene-llm"))
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
SCENE = {"version": 1, "shapes": [{"id": "ball", "type": "sphere", "properties": {"center": [0, 0, 0], "radius": 1}}]}
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def lint():
    redocly = HERE / "node_modules/@redocly/cli/bin/cli.js"
    run = subprocess.run(
        ["node", redocly, "lint", "--config", HERE / "redocly.yaml", "openapi"],
        cwd=HERE, env={**os.environ, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"},
        capture_output=True, text=True,
    )
    if run.returncode != 0:
        print(run.stdout, run.stderr)
        return False
    print("redocly: the document is clean")
    return True


def send(url, body=None, method=None, kind="application/json"):
    request = Request(url, body, {"content-type": kind}, method=method)
    with urlopen(request) as answer:
        return json.load(answer)


def has_its_methods(url):
    """Whether each path takes the methods that the document tells of, and no other."""
    with urlopen(f"{url}/api/openapi.json") as answer:
        paths = json.load(answer)["paths"]
    host, fine = url.removeprefix("http://"), True
    for path, operations in paths.items():
        told = {name.upper() for name in operations} & {"GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"}
        line = HTTPConnection(host)
        # No path takes it, and the refusal lists those that it takes.
        line.request("TRACE", re.sub(r"\{\w+\}", "x", path))
        answer = line.getresponse()
        takes = {name.strip() for name in answer.headers.get("allow", "").split(",")} - {"HEAD"}
        line.close()
        if answer.status != 405 or takes != told:
            print(f"{path} takes {sorted(takes)} (status {answer.status}); the document tells of {sorted(told)}")
            fine = False
    if fine:
        print(f"{len(paths)} paths take the methods that the document tells of")
    return fine


def known(url):
    """A session with a shape and an uploaded mesh, and others of what paths name."""
    session = send(f"{url}/api/sessions", b"")["session_id"]
    send(f"{url}/api/sessions/{session}/scene", json.dumps(SCENE).encode(), "PUT")
    asset = send(f"{url}/api/assets?name=one.obj&session={session}", MESH, kind="model/obj")["asset"]
    said = send(f"{url}/api/sessions/{session}/messages", b'{"text": "add a red ball"}')["message_id"]
    return {"id": session, "shape": "ball", "hash": asset, "name": "armchair", "message_id": said, "provider": "openai"}


def fuzz(url, minutes):
    # One worker: Python 3.11 cannot parse in several threads at once (SystemError: AST constructor recursion depth).
    command = [SCHEMATHESIS, "--config-file", HERE / "schemathesis.toml", "run", f"{url}/api/openapi.json",
               "--phases", "examples,coverage,fuzzing,stateful", "--workers", "1", "--no-color",
               "--generation-database", "none", "--continue-on-failure", "--warnings", "off", "--request-timeout", "60"]
    command += ["--max-time", str(minutes * 60)] if minutes else ["--seed", "24", "--max-examples", "4", "--no-shrink"]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "OPENAPI_KNOWN": json.dumps(known(url))}
    # It leaves notes for a replay where it runs.
    place = ROOT / "target/openapi"
    run = subprocess.run(command, env=environment, cwd=place, capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stdout, run.stderr)
        return False
    print("schemathesis:", run.stdout[run.stdout.find("Test cases:"):].strip())
    return True


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=int, default=0)
    minutes = arguments.parse_args().minutes
    if not lint():
        sys.exit(1)
    command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models", "--page-keys", "never"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as server:
        try:
            url = server.stdout.readline().split()[-1]
            fine = has_its_methods(url)
            fine = fuzz(url, minutes) and fine and server.poll() is None
        finally:
            server.terminate()
    sys.exit(not fine)


if __name__ == "__main__":
    main()
