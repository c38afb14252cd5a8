"""Packs the program as an MCP bundle (.mcpb), and writes the entry for an MCP registry beside it.

    python3 deploy/mcpb.py target/release/scene-llm target/mcpb [--name NAME --url URL]

`--name` is the name under which a registry knows the server (`io.github.OWNER/scene-llm`), `--url` where the bundle will
be downloaded from; without them there is no registry entry."""

import argparse
import hashlib
import json
import platform
import stat
import subprocess
import zipfile
from pathlib import Path

WHAT = "Builds, edits and renders 3D scenes; people watch and edit in the browser."
SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}


def tools(program):
    """The tools as the server lists them, so that the bundle names no others."""
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "mcpb", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen([program, "mcp", "--in-memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        for request in requests:
            server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id") == 2:
                server.stdin.close()
                return answer["result"]["tools"]
    raise SystemExit("the program listed no tools")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--name")
    arguments.add_argument("--url")
    asked = arguments.parse_args()
    if bool(asked.name) != bool(asked.url):
        arguments.error("a registry entry needs both --name and --url")
    version = subprocess.run([asked.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    inside = f"server/{asked.program.name}"
    manifest = {
        "manifest_version": "0.3",
        "name": "scene-llm",
        "display_name": "scene-llm",
        "version": version,
        "description": WHAT,
        "author": {"name": "The authors of scene-llm"},
        "license": "Apache-2.0",
        "keywords": ["3d", "scene", "rendering"],
        "server": {
            "type": "binary",
            "entry_point": inside,
            "mcp_config": {"command": f"${{__dirname}}/{inside}", "args": ["mcp"], "env": {}},
        },
        "tools": [
            {"name": tool["name"], "description": tool["description"].split("\n")[0]} for tool in tools(asked.program)
        ],
        "prompts_generated": True,
        "compatibility": {"platforms": [SYSTEMS[platform.system()]]},
    }
    asked.folder.mkdir(parents=True, exist_ok=True)
    (asked.folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    bundle = asked.folder / "scene-llm.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as files:
        files.write(asked.folder / "manifest.json", "manifest.json")
        entry = zipfile.ZipInfo(inside, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (stat.S_IFREG | 0o755) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        files.writestr(entry, asked.program.read_bytes())
    print(f"{bundle}: {bundle.stat().st_size / 1e6:.1f} MB, {len(manifest['tools'])} tools")
    if asked.url:
        entry = {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": asked.name,
            "title": "scene-llm",
            "description": WHAT,
            "version": version,
            "packages": [{
                "registryType": "mcpb",
                "identifier": asked.url,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
            }],
        }
        (asked.folder / "server.json").write_text(json.dumps(entry, indent=2) + "\n")
        print(asked.folder / "server.json")


if __name__ == "__main__":
    main()
