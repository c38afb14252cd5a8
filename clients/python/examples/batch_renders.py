"""Renders scene files, two at a time: batch_renders.py URL FOLDER FILE..."""

import asyncio
import json
import sys
from pathlib import Path

from scene_llm import Client


async def main(url: str, folder: str, *files: str) -> None:
    both = asyncio.Semaphore(2)

    async def one(client: Client, file: str) -> None:
        async with both:
            scene = json.loads(Path(file).read_text())
            picture = await client.render(scene, width=160, height=120, samples=8, denoise="builtin")
        path = Path(folder, Path(file).stem + ".png")
        path.write_bytes(picture)
        print(path)

    async with Client(url) as client:
        await asyncio.gather(*(one(client, file) for file in files))


asyncio.run(main(*sys.argv[1:]))
