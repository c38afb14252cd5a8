"""Runs the official conformance suite against our server, for each generation of the protocol.

Scenarios that call tools, resources or prompts which the suite's own example server has are expected to fail; they
stand in expected-failures.yml with their reasons. Anything else that fails, or no longer fails, ends this with 1."""

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SUITE = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
PROGRAM = os.environ.get("SCENE_LLM", "target/debug/scene-llm")


def main():
    command = [PROGRAM, "serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    failed = False
    try:
        url = server.stdout.readline().split()[-1]
        for version in ["2025-11-25", "2026-07-28"]:
            run = subprocess.run(
                ["node", "--import", f"{HERE}/node20.mjs", SUITE, "server", "--url", f"{url}/mcp",
                 "--requirements", version, "--expected-failures", HERE / "expected-failures.yml"],
                capture_output=True, text=True,
            )
            summary = run.stdout[run.stdout.find("=== SUMMARY ==="):]
            passed = re.findall(r"^✓ (\S+):", summary, re.M)
            total = re.search(r"Total: .*", summary)
            print(f"MCP {version}: {len(passed)} scenarios pass whole; {total[0] if total else run.stderr[-2000:]}")
            if run.returncode != 0:
                failed = True
                print(summary)
    finally:
        server.terminate()
    sys.exit(failed)


if __name__ == "__main__":
    main()
