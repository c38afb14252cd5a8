"""Tells what happens in a session until its next run ends: watch_session.py URL SESSION"""

import asyncio
import sys

from scene_llm import Client


async def main(url: str, key: str) -> None:
    async with Client(url) as client, client.session(key) as session:
        print(f"watching '{session.welcome['name']}' from event {session.welcome['seq']} on", flush=True)
        async for event in session.events():
            match event["type"]:
                case "user_message":
                    print(f"> {event['text']}")
                case "tool_started":
                    print(f"  {event['name']}")
                case "text_delta" if not event["thought"]:
                    print(event["text"], end="")
                case "scene_changed":
                    print(f"  revision {event['revision']}: {len(event['changes'])} changes")
                case "run_finished":
                    print(f"\n{event['reason']}")
                    return


asyncio.run(main(*sys.argv[1:]))
