"""Builds a scene by talking and by editing, and saves its picture: build_scene.py [URL] [FILE]"""

import asyncio
import sys

from scene_llm import Client


async def main(url: str, file: str) -> None:
    async with Client(url) as client, client.session() as session:
        run = await session.run("put a red ball on a wooden table")
        print(run.answer)
        await session.edit(("set_environment_lighting", {"type": "sky", "time": 17}))
        with open(file, "wb") as picture:
            picture.write(await session.render(width=320, height=240, samples=16))
        print(f"revision {session.revision} of session {session.id} is in {file}")


asyncio.run(main(*(sys.argv[1:] + ["http://127.0.0.1:8080", "scene.png"][len(sys.argv) - 1 :])))
