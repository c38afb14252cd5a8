/** Renders scene files, two at a time: batch-renders.js URL FOLDER FILE... */
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Client } from "../src/index.js";

const [url = "", folder = "", ...files] = process.argv.slice(2);
const client = new Client(url);

async function work(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const scene = JSON.parse(await readFile(file, "utf8"));
    const picture = await client.render(scene, { width: 160, height: 120, samples: 8, denoise: "builtin" });
    const path = join(folder, `${basename(file, ".json")}.png`);
    await writeFile(path, picture);
    console.log(path);
  }
}

await Promise.all([work(), work()]);
