"""Checks the files in this folder by what they start: units and compose files call the program with flags and variables
that it has, and the services of a compose file name each other rightly."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
PROGRAM = os.environ.get("SCENE_LLM", "target/debug/scene-llm")
OF_OTHERS = re.compile(r"(GEMINI|ANTHROPIC|OPENAI)_API_KEY")
OF_ALL = {"SCENE_LLM_LOG"}


def known(command):
    """The flags of a command of the program and its variables."""
    text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"--[a-z][a-z-]+", text)), set(re.findall(r"env: ([A-Z_]+)", text)) | OF_ALL


def check_call(where, words, variables):
    flags, names = known(words[0])
    wrong = [word for word in words[1:] if word.startswith("--") and word not in flags]
    wrong += [name for name in variables if name not in names and not OF_OTHERS.fullmatch(name)]
    assert not wrong, f"{where}: '{words[0]}' knows no {', '.join(wrong)}"


def check_unit(path):
    text = path.read_text()
    calls = re.findall(r"^ExecStart=/usr/local/bin/scene-llm (.+)$", text, re.MULTILINE)
    assert len(calls) == 1, f"{path.name}: {len(calls)} calls of the program"
    # The steps at the top name what to put into the file of the environment.
    variables = re.findall(r"\b(SCENE_LLM_[A-Z_]+)\b", text)
    check_call(path.name, shlex.split(calls[0]), variables)


def check_compose(path):
    # Values that have to be given are given.
    text = re.sub(r"\$\{(\w+):[?-][^}]*\}", r"\1", path.read_text())
    assert "${" not in text, f"{path.name}: a variable without a default or a word on what it has to be"
    whole = yaml.safe_load(text)
    services = whole["services"]
    for name, service in services.items():
        where = f"{path.name}: {name}"
        for other in service.get("depends_on", []):
            assert other in services, f"{where} waits for {other}, which there is not"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = (FOLDER / source).exists() if source.startswith(".") else source in whole["volumes"]
            assert there, f"{where}: there is no {source}"
        if "build" not in service:
            continue
        environment = service.get("environment", {})
        dockerfile = (path.parent / service["build"]["context"] / service["build"]["dockerfile"]).resolve()
        assert dockerfile.exists(), f"{where}: there is no {dockerfile}"
        usual = re.search(r"^CMD (\[.*\])$", dockerfile.read_text(), re.MULTILINE)
        check_call(where, service.get("command") or yaml.safe_load(usual[1]), environment)
        for address in re.findall(r"http://([a-z0-9-]+):8080", str(environment)):
            assert address in services, f"{where}: there is no server {address}"
            allowed = services[address]["command"]
            assert "--allow-host" in allowed and address in allowed, f"{address} does not answer to its name"


def main():
    for path in [*FOLDER.glob("*.service"), *FOLDER.glob("*.service.d/*.conf")]:
        check_unit(path)
    for path in FOLDER.glob("compose*.yaml"):
        check_compose(path)
    balanced = re.findall(r"^\s+server (\S+) (\S+):8080", (FOLDER / "haproxy.cfg").read_text(), re.MULTILINE)
    services = yaml.safe_load((FOLDER / "compose.cluster.yaml").read_text())["services"]
    expected = sorted(name for name in services if name.startswith("server-"))
    assert sorted(address for _, address in balanced) == expected, f"haproxy.cfg leads to {balanced}"


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        sys.exit(str(wrong))
