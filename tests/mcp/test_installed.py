"""Clients that start our server themselves: by the configuration that `mcp --install` writes into their file, and by the
bundle. Each is followed to the letter: command, arguments and environment are what the file says and nothing else."""

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from support import PROGRAM, call, colours, furnish, picture

HERE = Path(__file__).parent
# The official tools for bundles.
MCPB = HERE / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"
FILES = [
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"),
    ("claude-code", ".mcp.json", "mcpServers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("vscode", ".vscode/mcp.json", "servers"),
]


async def build(entry, home):
    """Starts the server as an entry says, and builds a scene with it: its session."""
    environment = {"HOME": str(home), **entry.get("env", {})}
    started = StdioServerParameters(command=entry["command"], args=entry.get("args", []), env=environment, cwd=home)
    async with Client(started) as client:
        session = (await call(client, "new_session"))["result"]["session"]
        await furnish(client, session)
        seen = await client.call_tool("render_preview", {"session": session})
        image = next(content for content in seen.content if content.type == "image")
        assert colours(picture(image)) > 50
        scene = (await client.read_resource(f"scene-llm://sessions/{session}/scene")).contents[0]
        groups = {shape.get("group", "").split("/")[0] for shape in json.loads(scene.text)["shapes"]}
        assert {"armchair", "floor_lamp"} <= groups, groups
        return session


class Install(unittest.TestCase):
    def install(self, *arguments, home):
        environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
        command = [str(Path(PROGRAM).absolute()), "mcp", "--install", *arguments]
        return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)

    def test_clients_get_their_configuration_and_start_what_it_says(self):
        for client, file, member in FILES:
            with self.subTest(client=client), tempfile.TemporaryDirectory() as home:
                printed = self.install(client, home=home)
                self.assertEqual(printed.returncode, 0, printed.stderr)
                self.assertIn(file, printed.stderr)
                self.assertFalse((Path(home) / file).exists())
                self.assertEqual(self.install(client, "--write", home=home).returncode, 0)
                written = json.loads((Path(home) / file).read_text())
                self.assertEqual(written, json.loads(printed.stdout))
                self.assertEqual(list(written), [member])
                entry = written[member]["scene-llm"]
                self.assertTrue(Path(entry["command"]).is_absolute())
                session = asyncio.run(build(entry, home))
                # Where `serve` finds it.
                self.assertTrue(list(Path(home).glob(".local/share/scene-llm/*")), session)

    def test_a_data_directory_that_is_named_is_in_the_entry(self):
        with tempfile.TemporaryDirectory() as home:
            self.assertEqual(self.install("cursor", "--data-dir", "scenes", "--write", home=home).returncode, 0)
            entry = json.loads((Path(home) / ".cursor/mcp.json").read_text())["mcpServers"]["scene-llm"]
            asyncio.run(build(entry, home))
            self.assertTrue(list(Path(home, "scenes").iterdir()))

    def test_what_a_client_has_stays(self):
        with tempfile.TemporaryDirectory() as home:
            file = Path(home, ".mcp.json")
            file.write_text('{"mcpServers": {"files": {"command": "files"}}}')
            self.assertEqual(self.install("claude-code", "--write", home=home).returncode, 0)
            self.assertEqual(set(json.loads(file.read_text())["mcpServers"]), {"files", "scene-llm"})
            file.write_text("// mine\n{}")
            refused = self.install("claude-code", "--write", home=home)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("add the entry by hand", refused.stderr)
            self.assertEqual(file.read_text(), "// mine\n{}")


class Bundle(unittest.TestCase):
    def mcpb(self, *arguments):
        done = subprocess.run(["node", MCPB, *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_a_client_unpacks_the_bundle_and_starts_what_its_manifest_says(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
            url = "https://example.com/scene-llm.mcpb"
            pack = [sys.executable, HERE.parent.parent / "deploy/mcpb.py", Path(PROGRAM).absolute(), folder]
            packed = subprocess.run([*pack, "--name", "io.github.someone/scene-llm", "--url", url], capture_output=True, text=True)
            self.assertEqual(packed.returncode, 0, packed.stderr)
            place = Path(home, "extensions/scene-llm")
            self.mcpb("unpack", f"{folder}/scene-llm.mcpb", str(place))
            self.mcpb("validate", str(place / "manifest.json"))
            manifest = json.loads((place / "manifest.json").read_text())
            self.assertGreater(len(manifest["tools"]), 20)
            started = manifest["server"]["mcp_config"]

            def filled(text):
                return text.replace("${__dirname}", str(place))

            entry = {
                "command": filled(started["command"]),
                "args": [filled(argument) for argument in started["args"]],
                "env": {name: filled(value) for name, value in started.get("env", {}).items()},
            }
            asyncio.run(build(entry, home))
            # The entry for a registry is about this very file.
            (package,) = json.loads(Path(folder, "server.json").read_text())["packages"]
            self.assertEqual(package["identifier"], url)
            digest = hashlib.sha256(Path(folder, "scene-llm.mcpb").read_bytes()).hexdigest()
            self.assertEqual(digest, package["fileSha256"])


if __name__ == "__main__":
    unittest.main()
