import { eventually } from "../harness/browser.js";

/** Selects the sphere `s0` of `sceneOf`; returns a function that gives its radius so many new values by the field. */
export async function radiusEdits({ page }) {
  await page.getByTestId("outline-row").filter({ has: page.getByText("s0", { exact: true }) }).click();
  const radius = page.getByTestId("inspector").getByRole("textbox", { name: "Radius" });
  await radius.waitFor();
  let made = 0;
  return async (times) => {
    for (const end = made + times; made < end; made += 1) {
      const value = (0.2 + 0.001 * made).toFixed(3);
      await radius.fill(value);
      await radius.press("Enter");
      await eventually("the edit", async () => Number(await radius.inputValue()).toFixed(3) === value);
    }
  };
}
