import { eventually } from "../harness/browser.js";
import { download } from "../harness/files.js";
import { LONG } from "../harness/long-texts.js";
import { select, setLooks, WITH_DOCUMENT } from "../harness/looks.js";
import { giveFiles, textFile } from "../harness/transfer.js";

// The states of tools and dialogs; those of chat, document and view are in looks.test.js.

const { stage, look, putScene, longScene } = setLooks();

async function renderDialog(studio) {
  await longScene(studio);
  await studio.pictureWhere("of the scene", ({ revision }) => revision > 0);
  await studio.command("render image");
  const dialog = studio.page.getByTestId("render-dialog");
  await dialog.waitFor();
  return dialog;
}

async function render(studio, dialog, width) {
  await dialog.getByRole("spinbutton", { name: "Width" }).fill(String(width));
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  await download(studio.page, () => dialog.getByTestId("render-start").click());
  await dialog.getByTestId("render-result").waitFor();
}

look("a render under way", async (studio) => {
  const dialog = await renderDialog(studio);
  await dialog.getByRole("combobox", { name: "Size" }).selectOption("3840 × 2160, 4K");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("200");
  await dialog.getByTestId("render-start").click();
  await dialog.getByTestId("render-draft").waitFor();
});

look("a render that is done", async (studio) => {
  await render(studio, await renderDialog(studio), 200);
});

look("the renders of a session", async (studio) => {
  const dialog = await renderDialog(studio);
  for (const width of [120, 160, 200]) await render(studio, dialog, width);
  await dialog.getByRole("list", { name: "Renders of this session" }).waitFor();
});

look("two renders compared", async (studio) => {
  const dialog = await renderDialog(studio);
  await render(studio, dialog, 200);
  await dialog.getByRole("button", { name: "Compare" }).click();
  await studio.page.getByTestId("saved-render-left").waitFor();
});

look("the animation dialog", async (studio) => {
  await putScene(studio, ROLLING);
  await studio.command("render animation");
  await studio.page.getByTestId("animation-dialog").waitFor();
});

look("the timeline", async (studio) => {
  await putScene(studio, ROLLING);
  await studio.page.getByTestId("animate").click();
  await select(studio, "ball");
  await studio.page.getByTestId("timeline").waitFor();
});

look("a mesh before it is added", async (studio) => {
  await longScene(studio);
  const facets = ["0 0 0", "9 0 0", "0 9 0"].map((each) => `vertex ${each}`).join("\n");
  const other = ["0 0 0", "0 9 0", "0 0 9"].map((each) => `vertex ${each}`).join("\n");
  const facet = (corners) => `facet normal 0 0 0\nouter loop\n${corners}\nendloop\nendfacet`;
  const stl = `solid part\n${facet(facets)}\n${facet(other)}\nendsolid part\n`;
  await giveFiles(studio.page, "drop", [textFile(`${LONG.word}.stl`, stl)]);
  await studio.page.getByTestId("import-picture").waitFor();
});

const openMenu = async ({ page }) => {
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2, { button: "right" });
  await page.getByRole("menuitem", { name: "Isolate selection" }).waitFor();
};

look(
  "the menu of what is under the pointer",
  async (studio) => {
    await longScene(studio);
    await studio.page.locator('.view:not([data-raster="loading"])').waitFor();
    await studio.page.getByTestId("view-switch-raster").check({ force: true });
    await select(studio, "ball");
    await openMenu(studio);
  },
  { resized: openMenu },
);

look("who else is here", async (studio) => {
  await longScene(studio);
  const other = await stage.openAt(studio.page.url());
  await select(other, "ball");
  await studio.page.getByTestId("people-here").waitFor();
  await studio.page.getByTestId("people").click();
});

look("a distance measured", async (studio) => {
  await longScene(studio);
  await studio.page.locator('.view:not([data-raster="loading"])').waitFor();
  await studio.page.getByTestId("view-switch-raster").check({ force: true });
  await studio.page.getByTestId("measure-toggle").click();
  const { x, y, width, height } = await studio.page.getByTestId("raster-frame").boundingBox();
  await studio.page.mouse.click(x + 0.4 * width, y + 0.7 * height);
  await studio.page.mouse.click(x + 0.6 * width, y + 0.75 * height);
  await studio.page.getByTestId("measure").getByText("x ").waitFor();
});

const showExamples = async ({ page }) => {
  await page.getByTestId("gallery").evaluate((gallery) => gallery.scrollIntoView());
  const pictures = page.getByTestId("gallery").locator("img");
  await eventually("their pictures", () => pictures.evaluateAll((all) => all.every((image) => image.complete)));
};

look("the examples", showExamples, { resized: showExamples });

const showRequests = async ({ page }) => {
  const groups = page.getByTestId("capabilities");
  await groups.evaluate((all) => all.scrollIntoView());
  const first = groups.locator("img").first();
  await eventually("the pictures", () => first.evaluate((image) => image.naturalWidth > 0));
};

look(
  "what one can ask for",
  async (studio) => {
    await studio.page.getByText("What can I ask for?").click();
    await showRequests(studio);
  },
  { resized: showRequests },
);

look("bookmarks presented", async (studio) => {
  await longScene(studio);
  const { page } = studio;
  for (const side of ["3", "5"]) {
    await page.getByTestId("outliner").focus();
    await page.keyboard.press(side);
    await studio.command("Bookmark this view");
  }
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("present").click();
  await page.getByTestId("presented-bookmark").waitFor();
});

look(
  "more than a hundred things selected",
  async (studio) => {
    const ball = (_, index) => ({
      id: `ball_${index}`,
      type: "sphere",
      properties: { center: [index % 12, 0.4, -Math.floor(index / 12)], radius: 0.4 },
    });
    await putScene(studio, { version: 1, shapes: Array.from({ length: 120 }, ball), camera: FAR });
    await studio.page.getByTestId("outliner").focus();
    await studio.page.keyboard.press("Control+a");
    await studio.composer.fill("Make these red");
  },
  WITH_DOCUMENT,
);

look("the viewer for pages of others", async (studio) => {
  await longScene(studio);
  const session = await studio.sessionId();
  const answer = await fetch(`${stage.server.url}/api/sessions/${session}/shares`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ access: "view" }),
  });
  const { token } = await answer.json();
  await studio.page.goto(`${stage.line.url}/embed?session=${token}`);
  await studio.pictureWhere("of the scene", ({ revision }) => revision > 0);
});

const FAR = { center: [5.5, 9, 9], look_at: [5.5, 0, -4] };
const ROLLING = {
  version: 1,
  shapes: [
    { id: "ball", type: "sphere", properties: { center: [-1, 0, 0], radius: 0.5 } },
    { id: LONG.id, type: "box", properties: { center: [0, -0.6, 0], dimensions: [4, 0.2, 2] } },
  ],
  camera: { center: [0, 1, 6], look_at: [0, 0, 0] },
  animation: {
    duration: 2,
    fps: 10,
    loops: true,
    tracks: ["ball", LONG.id].map((target, index) => ({
      target,
      property: "position",
      keys: [
        { time: 0, value: [-1, -0.6 * index, 0] },
        { time: 2, value: [1, -0.6 * index, 0] },
      ],
    })),
  },
};
