import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { pictureFile } from "../harness/files.js";
import { LONG, RICH_ANSWER } from "../harness/long-texts.js";
import { select, setLooks, WITH_DOCUMENT } from "../harness/looks.js";
import { giveFiles, textFile } from "../harness/transfer.js";

// Every state the page can be in; those of its tools and dialogs are in looks-tools.test.js.

const { stage, look, longScene } = setLooks();

test("in the top bar nothing lies over anything else, at any width", async () => {
  const studio = await stage.open();
  const { page } = studio;
  await studio.say("A name for the session that is quite long");
  await (await stage.gemini.nextRequest()).end();
  await studio.idle();
  for (const width of [1440, 1280, 1200, 1024, 1001, 1000, 900, 768, 767, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const overlaps = await page.evaluate(() => {
      const parts = [...document.querySelectorAll(".top-bar :is(button, select, .session-name, .segments, .connection)")];
      const seen = parts.filter((part) => part.checkVisibility() && !part.closest(".popover-panel, .menu-list"));
      const boxes = seen.map((part) => ({ part, box: part.getBoundingClientRect() }));
      const found = boxes.flatMap(({ part, box }, index) =>
        boxes.slice(index + 1).flatMap(({ part: other, box: next }) => {
          if (part.contains(other) || other.contains(part)) return [];
          const across = Math.min(box.right, next.right) - Math.max(box.left, next.left);
          return across > 1 ? [`${part.dataset.testid ?? part.className} and ${other.dataset.testid ?? other.className}`] : [];
        }),
      );
      const name = document.querySelector(".top-bar .session-name").getBoundingClientRect();
      return name.width < 40 ? [...found, `the name has ${name.width} px`] : found;
    });
    assert.deepEqual(overlaps, [], `at ${width} px`);
    if ([1440, 1024, 768, 390].includes(width)) await studio.screenshot(`top-bar-${width}`);
  }
  studio.assertNoProblems();
});

look("empty", async () => {});

look("a conversation", async (studio) => {
  await conversation(studio);
});

look("an answer under way", async (studio) => {
  await studio.say(LONG.message);
  const answer = await stage.gemini.nextRequest();
  answer.think("**Weighing it up**\n\nA ball is round, so it may roll.");
  await studio.page.getByText("Thinking").first().click();
  answer.say("First the ball, then ");
  answer.call("create_shape", { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } });
  await studio.say("And a box beside it");
});

look("a service that is busy", async (studio) => {
  await studio.say("Make a ball");
  (await stage.gemini.nextRequest()).fail(429, "Too many requests.");
  await studio.page.getByTestId("retrying").waitFor();
});

look("a message being said anew", async (studio) => {
  await conversation(studio);
  await studio.page.getByRole("button", { name: "Edit and resend" }).first().press("Enter");
  await studio.page.getByTestId("message-editor").waitFor();
});

look("a message with objects and pictures", async (studio) => {
  await longScene(studio);
  await select(studio, "ball", LONG.id);
  await studio.page.getByTestId("attach-file").setInputFiles([
    await pictureFile(studio.page, `${LONG.word}.png`),
    await pictureFile(studio.page, "b.png"),
  ]);
  await studio.page.getByRole("img", { name: "b.png" }).waitFor();
  await studio.composer.fill("Make @b");
  await studio.page.getByRole("listbox").waitFor();
});

look("a scene with long names", async (studio) => {
  await longScene(studio);
  await select(studio, LONG.id);
}, WITH_DOCUMENT);

look("a principled material", async (studio) => {
  await longScene(studio);
  await select(studio, "ball");
}, WITH_DOCUMENT);

look("several things selected", async (studio) => {
  await longScene(studio);
  await select(studio, "ball", LONG.id, "key");
}, WITH_DOCUMENT);

look("the camera", async (studio) => {
  await longScene(studio);
  await select(studio, "Camera");
}, WITH_DOCUMENT);

look("the environment", async (studio) => {
  await longScene(studio);
  await select(studio, "Environment");
}, WITH_DOCUMENT);

const openPresets = async ({ page }) => {
  await page.getByTestId("presets").click();
  await page.getByRole("button", { name: "gold", exact: true }).waitFor();
};

look(
  "ready-made materials",
  async (studio) => {
    await longScene(studio);
    await select(studio, "ball");
    await openPresets(studio);
  },
  {
    narrowed: async (studio) => {
      await WITH_DOCUMENT.narrowed(studio);
      await openPresets(studio);
    },
  },
);

for (const mode of ["raster", "traced", "split", "wipe"]) {
  look(`the ${mode} view`, async (studio) => {
    await longScene(studio);
    await studio.page.locator('.view:not([data-raster="loading"])').waitFor();
    await studio.pictureWhere("of the scene", ({ revision }) => revision > 0);
    await studio.page.getByTestId(`view-switch-${mode}`).check({ force: true });
    await studio.page.locator(`.view[data-mode="${mode}"]`).waitFor();
    if (mode === "wipe") await studio.page.getByTestId("save-render").click();
  });
}

for (const [name, testId, role] of [
  ["sessions", "sessions", "dialog"],
  ["share", "share", "dialog"],
  ["download", "download", "menu"],
  ["the camera menu", "camera-menu", "dialog"],
]) {
  look(name, async (studio) => {
    await longScene(studio);
    await studio.say(LONG.message);
    await (await stage.gemini.nextRequest()).end();
    await studio.idle();
    await studio.page.getByTestId(testId).first().click();
    await studio.page.getByRole(role).first().waitFor();
    if (name === "share") {
      await studio.page.getByRole("button", { name: "New view link" }).click();
      await studio.page.getByRole("button", { name: "Copy the view link" }).waitFor();
    }
  });
}

const openAdd = async ({ page }) => {
  await page.getByTestId("add").click();
  await page.getByRole("menu").waitFor();
};

look("what can be added", openAdd, {
  narrowed: async (studio) => {
    await WITH_DOCUMENT.narrowed(studio);
    await openAdd(studio);
  },
});

const openLibrary = async ({ page }) => {
  await page.getByTestId("toggle-library").click();
  await page.locator('.library-picture[data-phase="loaded"]').first().waitFor();
};

look("the library", openLibrary);

look("a library without results", async (studio) => {
  await openLibrary(studio);
  await studio.page.getByTestId("library-search").fill(LONG.word);
  await studio.page.getByTestId("library-none").waitFor();
});

look("the palette", async (studio) => {
  await studio.page.keyboard.press("Control+k");
  await studio.page.getByRole("combobox", { name: "Find a command" }).fill("add");
});

look("the shortcuts", async (studio) => {
  await studio.page.getByTestId("open-palette").focus();
  await studio.page.keyboard.press("?");
  await studio.page.getByTestId("shortcuts").waitFor();
});

look("how to set a key", async (studio) => {
  await studio.command("api keys");
  await studio.page.getByTestId("key-help").waitFor();
});

look("faults", async (studio) => {
  for (const name of ["bad.json", `${LONG.word}.json`]) {
    await giveFiles(studio.page, "drop", [textFile(name, `{"version":1,"shapes":[{"id":"${LONG.id}"}]}`)]);
    await studio.page.getByTestId("toast").filter({ hasText: name }).waitFor();
  }
});

look("what becomes of a file", async (studio) => {
  await longScene(studio);
  const mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n";
  await giveFiles(studio.page, "drop", [textFile(`${LONG.word}.obj`, mesh)]);
  await studio.page.getByRole("dialog").waitFor();
});

look("a file over the page", async (studio) => {
  await studio.page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["{}"], "a.json"));
    document.body.dispatchEvent(new DragEvent("dragenter", { bubbles: true, dataTransfer: transfer }));
    document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, dataTransfer: transfer }));
  });
});

look("a lost connection", async (studio) => {
  await studio.say("Count");
  const answer = await stage.gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");
  stage.line.cut();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
});

look("a connection that is back", async (studio) => {
  stage.line.cut();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  stage.line.mend();
  await studio.banner.filter({ hasText: "Nothing was missed" }).waitFor();
});

look("a session that is gone", async (studio) => {
  await studio.page.goto(`${stage.line.url}/#session=00000000-0000-0000-0000-000000000000`);
  await studio.page.reload();
  await studio.connected();
  await studio.banner.waitFor();
});

look("a view link", async (studio) => {
  await longScene(studio);
  await conversation(studio);
  const session = await studio.sessionId();
  const answer = await fetch(`${stage.server.url}/api/sessions/${session}/shares`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ access: "view" }),
  });
  const { token } = await answer.json();
  await studio.page.goto(`${stage.line.url}/#session=${token}`);
  await studio.page.reload();
  await studio.connected();
  await studio.page.getByTestId("toggle-chat").click();
  await studio.userMessages.first().waitFor();
});

look(
  "a tool that asks for leave",
  async (studio) => {
    await studio.page.getByText("web_search").first().waitFor();
  },
  {
    /** All of its answers can be given. */
    resized: async ({ page }) => {
      const deny = page.getByRole("button", { name: "Deny" });
      await eventually("Deny in the window", () =>
        deny.evaluate((button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }),
      );
    },
    /** Outside tools are the server's matter; what it says of one is put into its welcome. */
    prepare: (page) =>
      page.routeWebSocket(/\/ws/, (socket) => {
        const beyond = socket.connectToServer();
        beyond.onMessage((frame) => {
          if (typeof frame !== "string") return socket.send(frame);
          const message = JSON.parse(frame);
          const asked = { call_id: "c", name: "web_search", args: { query: LONG.message, depth: 3 } };
          socket.send(
            message.type === "welcome" ? JSON.stringify({ ...message, running: true, approvals: [asked] }) : frame,
          );
        });
      }),
  },
);

/** Every kind of entry a chat has, with texts that are long or cannot be broken. */
async function conversation(studio) {
  await studio.say(LONG.message);
  const first = await stage.gemini.nextRequest();
  first.think("A ball is round.");
  first.say(RICH_ANSWER);
  first.call("create_shape", { id: "round_thing", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } });
  first.call("create_shape", { id: "wrong", type: "sphere", properties: { center: [0, 0, 0] } });
  first.end();
  const second = await stage.gemini.nextRequest();
  for (let index = 0; index < 6; index += 1) {
    const center = [index, 0, -3];
    second.call("create_shape", { id: `stone_${index}`, type: "sphere", properties: { center, radius: 0.4 } });
  }
  second.end();
  const third = await stage.gemini.nextRequest();
  third.say("Seven things are there.");
  third.end({ promptTokenCount: 20_900, candidatesTokenCount: 1_000 });
  await studio.idle();
  await studio.say("More");
  (await stage.gemini.nextRequest()).fail(400, "No more today.");
  await studio.idle();
  await studio.page.locator(".notice-error").waitFor();
}
