/** The client against a real server with the built-in model, also over a line that breaks. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client, ConnectionLost, Problem, Refused, type SessionEvent } from "../src/index.js";
import { brokenLine, withServer } from "./support.js";

const ball = (id: string, x: number) => ({
  name: "create_shape",
  args: { id, type: "sphere", properties: { center: [x, 0, 0], radius: 0.4 } },
});
const PNG = "89504e47";
const start = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString("hex");

test("a message builds a scene, edits are acknowledged, pictures are bytes", () =>
  withServer(async (url) => {
    const client = new Client(url);
    const session = await client.create();
    const run = await session.run("put a red ball on a wooden table");
    assert.equal(run.reason, "completed");
    assert.match(run.answer, /red/);
    assert.ok(run.calls > 0);
    const revision = await session.edit([ball("mine", 3)]);
    assert.ok(revision > run.revision);
    assert.ok((await session.scene()).shapes.some((shape) => shape.id === "mine"));
    await assert.rejects(
      session.edit([ball("mine", 3)]),
      (error) => error instanceof Refused && error.code === "invalid_edit" && error.message.includes("mine"),
    );
    await session.undo();
    assert.ok(!(await session.scene()).shapes.some((shape) => shape.id === "mine"));
    const previews = session.previews();
    await session.view({ width: 64, height: 48, quality: "draft" });
    for await (const preview of previews) {
      if (preview.header.width !== 64) continue;
      assert.match(preview.header.mime_type, /^image\//);
      assert.ok(preview.image.length > 100);
      break;
    }
    assert.equal(start(await session.render({ width: 16, height: 16, samples: 1 })), PNG);
    session.close();
  }));

test("errors say what is wrong", () =>
  withServer(async (url) => {
    const client = new Client(url);
    await assert.rejects(client.open("nobody"), (error) => error instanceof Problem && error.status === 404);
    await assert.rejects(
      client.render({ version: 7, shapes: [] } as never),
      (error) => error instanceof Problem && error.status === 422 && error.violations.length > 0,
    );
  }));

test("every event comes once, however often the line breaks", () =>
  withServer(async (url) => {
    for (const seed of [1, 2, 3]) {
      const direct = new Client(url);
      const actor = await direct.create();
      const line = await brokenLine(url, seed);
      const watcher = await new Client(line.url).open(actor.id);
      const first = watcher.welcome.seq;
      const seen: SessionEvent[] = [];
      const events = watcher.events();
      const watching = (async () => {
        for await (const event of events) {
          assert.notEqual(event.type, "welcome", "the log was never cut");
          if ("seq" in event) seen.push(event);
          if (event.type === "session_named" && event.name === "end") return;
        }
      })();
      for (const color of ["red", "green", "blue"]) {
        await actor.run(`add a ${color} ball`);
        for (let number = 0; number < 20; number += 1) await actor.edit([ball(`${color}_${number}`, number)]);
      }
      // How many bytes an edit brings depends on the machine: on until the line broke.
      for (let number = 0; watcher.reconnects === 0; number += 1) await actor.edit([ball(`more_${number}`, number)]);
      await direct.call("PATCH", `/api/sessions/${actor.id}`, { name: "end" });
      await watching;
      assert.deepEqual(seen.map((event) => event.seq), seen.map((_, index) => first + 1 + index));
      assert.deepEqual(seen, (await direct.events(actor.id, first)).events);
      watcher.close();
      actor.close();
      line.close();
    }
  }));

test("an edit over a bad line is acknowledged or in doubt, and never doubled", () =>
  withServer(async (url) => {
    const owner = await new Client(url).create();
    const line = await brokenLine(url, 5);
    const session = await new Client(line.url).open(owner.id);
    let number = 0;
    // An edit in doubt is made again, so the last one is not in doubt.
    let inDoubt = false;
    while (number < 60 || session.reconnects === 0 || inDoubt) {
      try {
        await session.edit([ball(`e${number}`, number)]);
      } catch (error) {
        inDoubt = error instanceof ConnectionLost;
        if (inDoubt) continue;
        // The one before was carried out.
        assert.ok(error instanceof Refused && error.message.includes(`e${number}`), String(error));
      }
      inDoubt = false;
      number += 1;
    }
    const ids = (await owner.scene()).shapes.map((shape) => shape.id);
    assert.deepEqual(ids, ids.map((_, index) => `e${index}`));
    assert.equal(ids.length, number);
    for (const one of [session, owner, line]) one.close();
  }));

test("the examples run", () =>
  withServer(async (url) => {
    const folder = await mkdtemp(join(tmpdir(), "scene-llm-"));
    const example = (name: string, ...more: string[]) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, "../examples", name), ...more], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let out = "";
      let began: () => void;
      const told = new Promise<void>((resolve) => {
        began = resolve;
      });
      child.stdout.on("data", (data) => {
        out += data;
        began();
      });
      const ended = new Promise<string>((resolve, reject) =>
        child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`${name} ended with ${code}`)))),
      );
      return { told, ended };
    };
    const client = new Client(url);
    const session = await client.create();
    const watching = example("watch-session.js", url, session.id);
    await watching.told;
    await session.run("a green cube");
    assert.match(await watching.ended, /> a green cube[^]*completed/);
    assert.match(await example("build-scene.js", url, join(folder, "scene.png")).ended, /revision/);
    assert.equal(start(await readFile(join(folder, "scene.png"))), PNG);
    await writeFile(join(folder, "one.json"), JSON.stringify(await session.scene()));
    await example("batch-renders.js", url, folder, join(folder, "one.json")).ended;
    assert.equal(start(await readFile(join(folder, "one.png"))), PNG);
    session.close();
    await rm(folder, { recursive: true });
  }));
