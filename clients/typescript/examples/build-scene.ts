/** Builds a scene by talking and by editing, and saves its picture: build-scene.js [URL] [FILE] */
import { writeFile } from "node:fs/promises";
import { Client } from "../src/index.js";

const [url = "http://127.0.0.1:8080", file = "scene.png"] = process.argv.slice(2);
const session = await new Client(url).create();
const run = await session.run("put a red ball on a wooden table");
console.log(run.answer);
await session.edit([{ name: "set_environment_lighting", args: { type: "sky", time: 17 } }]);
await writeFile(file, await session.render({ width: 320, height: 240, samples: 16 }));
console.log(`revision ${session.revision} of session ${session.id} is in ${file}`);
session.close();
