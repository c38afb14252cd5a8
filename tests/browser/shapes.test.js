import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "./harness/browser.js";
import { setStage } from "./harness/stage.js";

/** As the menu calls them, and as the document does. */
const KINDS = {
  Ellipsoid: "ellipsoid",
  "Rounded box": "rounded_box",
  Tube: "tube",
  Lathe: "lathe",
  Extrusion: "extrusion",
  Text: "text",
  Land: "height_field",
};
const stage = setStage();

test("every kind of shape can be added by hand, is drawn and traced, and changed by its fields", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const shapes = async () => (await (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json()).shapes;
  for (const [name, type] of Object.entries(KINDS)) {
    await studio.add(name);
    await eventually(`the ${type} on the server`, async () => (await shapes()).at(-1)?.type === type);
  }
  const row = page.getByTestId("outline-row").filter({ has: page.getByText("text", { exact: true }) });
  await row.click();
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("Hello");
  await page.keyboard.press("Enter");
  await eventually("other letters", async () =>
    (await shapes()).some(({ id, properties }) => id === "text" && properties.text === "Hello"),
  );
  const { revision } = await (await fetch(`${stage.server.url}/api/sessions/${session}`)).json();
  await studio.pictureWhere("of them all", (picture) => picture.revision === revision);
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.locator('.view[data-raster="ready"]').waitFor();
  await studio.screenshot("shapes-dark");
  assert.equal(await page.getByTestId("fault").count(), 0, "nothing was refused");
  studio.assertNoProblems();
});
