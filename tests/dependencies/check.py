#!/usr/bin/env python3
"""Crates and packages of others: `python3 tests/dependencies/check.py` (`make lint` runs it).

Each has a licence that `allowed.toml` names, comes from its registry with a checksum, and is there in one version,
except for those that `allowed.toml` names. Prints every fault and ends with status 1 if there is one.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[2]


def is_allowed(expression, licences):
    """Whether an SPDX expression can be met by these licences. `/` is how old crates write OR."""
    tokens = re.findall(r"\(|\)|/|[^\s()/]+", expression)
    at = 0

    def one():
        nonlocal at
        if tokens[at] == "(":
            at += 1
            met = any_of()
            at += 1
            return met
        name = tokens[at]
        at += 1
        if at < len(tokens) and tokens[at] == "WITH":
            name, at = f"{name} WITH {tokens[at + 1]}", at + 2
        return name in licences

    def all_of():
        nonlocal at
        met = one()
        while at < len(tokens) and tokens[at] == "AND":
            at += 1
            met = one() and met
        return met

    def any_of():
        nonlocal at
        met = all_of()
        while at < len(tokens) and tokens[at] in ("OR", "/"):
            at += 1
            met = all_of() or met
        return met

    try:
        return any_of() and at == len(tokens)
    except IndexError:
        return False


def crates(allowed):
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)["packages"]
    others = [package for package in packages if package["source"]]
    versions = {}
    for package in others:
        name = package["name"]
        versions.setdefault(name, []).append(package["version"])
        if not is_allowed(package["license"] or "", allowed["licences"]):
            yield f"crate {name}: its licence is {package['license']!r}"
        if not package["source"].startswith("registry+"):
            yield f"crate {name}: it comes from {package['source']}, not from a registry"
    twice = {name for name, found in versions.items() if len(found) > 1}
    for name in sorted(twice - set(allowed["duplicates"])):
        yield f"crate {name}: it is there in versions {', '.join(versions[name])}; use one of them"
    for name in sorted(set(allowed["duplicates"]) - twice):
        yield f"crate {name}: it is there once by now; take it from the duplicates of allowed.toml"
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    for package in lock["package"]:
        if "source" in package and "checksum" not in package:
            yield f"crate {package['name']}: Cargo.lock has no checksum"


def npm_packages(lock, allowed):
    for path, package in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        name = path.rpartition("node_modules/")[2]
        # The project itself, and what is beside it.
        if "node_modules/" not in path or package.get("link"):
            continue
        if name not in allowed["tools"] and not is_allowed(package.get("license", ""), allowed["licences"]):
            yield f"{lock.relative_to(ROOT)}: {name}: its licence is {package.get('license')!r}"
        if "integrity" not in package and not package.get("inBundle"):
            yield f"{lock.relative_to(ROOT)}: {name}: there is no checksum"


def main():
    allowed = tomllib.loads((pathlib.Path(__file__).parent / "allowed.toml").read_text(encoding="utf-8"))
    # What the check itself must see.
    assert is_allowed("(MIT OR GPL-3.0) AND ISC", {"MIT", "ISC"}) and not is_allowed("MIT AND GPL-3.0", {"MIT"})
    assert not is_allowed("", {"MIT"}) and not is_allowed("GPL-3.0 OR", {"MIT"})
    faults = list(crates(allowed))
    listed = subprocess.run(["git", "ls-files", "*package-lock.json"], cwd=ROOT, check=True, capture_output=True, text=True)
    for lock in listed.stdout.split():
        faults += npm_packages(ROOT / lock, allowed)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
