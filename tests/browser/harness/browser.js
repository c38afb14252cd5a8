import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ARTIFACTS = fileURLToPath(new URL("../../../artifacts", import.meta.url));
const WIDE = { width: 1280, height: 800 };
/** For one condition; on a busy machine a debug build is slow. */
const PATIENCE_MS = 30_000;

/** What a browser says of drawing without a graphics card, whatever the page does. */
const OF_THE_DRIVER = /GL Driver Message .*GPU stall due to ReadPixels/;

/** What a browser says about any lost connection, whatever the page does. */
export const NETWORK_FAULTS = /WebSocket connection to|Failed to load resource/;

/**
 * A browser of its own, without anything remembered. Where no page has chosen a quality it is `quality`: all but
 * a few tests ask what is shown, not how finely, and a draft has a fortieth of a preview's rays.
 */
export async function openBrowser({ quality = "draft" } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "scene-llm-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: WIDE,
    colorScheme: "dark",
    args: [
      "--no-sandbox",
      // As a machine without a graphics card has it: the page is put together without WebGL, which SwiftShader draws.
      "--disable-gpu",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (process.env.SCENE_LLM_PAGE !== undefined) await servePage(context, resolve(process.env.SCENE_LLM_PAGE));
  await context.addInitScript((quality) => {
    // A frame of another origin has no storage.
    if (!location.protocol.startsWith("http")) return;
    if (localStorage.getItem("scene-llm.quality") === null) localStorage.setItem("scene-llm.quality", quality);
  }, quality);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  /** A page that is left open would go on asking for pictures. What pages remember goes with them. */
  const closePages = async () => {
    for (const page of context.pages().slice(1)) {
      await page.evaluate(() => localStorage.clear()).catch(() => {});
      await page.close();
    }
  };
  return {
    /** With `ownClock` the page's time can be moved on; `prepare` gets the page before it loads anything. */
    openStudio: (url, options = {}) => Studio.open(context, url, options),
    /** A page that shows nothing yet. */
    openBlank: () => context.newPage(),
    closePages,
    close,
  };
}

/**
 * Takes the page from a folder, `web/dist`, instead of from the program, which then need not be compiled after each change
 * of the page. The headers stay the server's. Frames of other pages are not served so.
 */
async function servePage(context, folder) {
  // To the browser such a page comes from nowhere: it may talk to this machine only if it is allowed to.
  await context.grantPermissions(["local-network-access"]);
  const isOfPage = ({ pathname }) => /^\/(embed|favicon\.svg|viewer\.js|assets\/[^/]+)?$/.test(pathname);
  await context.route(isOfPage, async (route) => {
    const { pathname } = new URL(route.request().url());
    const isPage = pathname === "/" || pathname === "/embed";
    const path = join(folder, isPage ? "index.html" : pathname);
    if (isPage) await route.fulfill({ response: await route.fetch(), path });
    else await route.fulfill({ path });
  });
}

/** The page as a person sees it. */
export class Studio {
  /** Errors and warnings of the console, policy violations among them, and uncaught exceptions. */
  problems = [];

  static async open(context, url, { ownClock = false, prepare = async () => {} }) {
    const page = await context.newPage();
    if (ownClock) await page.clock.install();
    await prepare(page);
    const studio = new Studio(page);
    page.on("console", (message) => {
      if (OF_THE_DRIVER.test(message.text())) return;
      if (["error", "warning"].includes(message.type())) studio.problems.push(message.text());
    });
    page.on("pageerror", (error) => studio.problems.push(String(error)));
    await page.goto(url);
    await studio.connected();
    return studio;
  }

  constructor(page) {
    this.page = page;
    this.composer = page.getByTestId("composer");
    this.stop = page.getByTestId("stop");
    this.banner = page.getByTestId("connection-banner");
    this.userMessages = page.getByTestId("message-user");
    this.answers = page.getByTestId("message-model");
    this.tools = page.getByTestId("tool-card");
    this.notices = page.getByTestId("notice");
    this.log = page.getByTestId("chat-log");
    this.canvas = page.getByTestId("view-canvas");
  }

  connected() {
    return this.page.locator('[data-testid="connection"][data-phase="open"]').waitFor();
  }

  /** Waits until the session this page shows is in its address, and names it. */
  async sessionId() {
    await this.page.waitForURL(/#session=/);
    return new URLSearchParams(new URL(this.page.url()).hash.slice(1)).get("session");
  }

  async say(text) {
    await this.composer.fill(text);
    await this.composer.press("Enter");
    await this.userMessages.filter({ hasText: text }).waitFor();
  }

  /** Adds an object by the menu of the document. */
  async add(name) {
    await this.page.getByTestId("add").click();
    await this.page.getByRole("menuitem", { name, exact: true }).click();
  }

  /** Does what the command palette finds first. */
  async command(words) {
    await this.page.keyboard.press("Control+k");
    const palette = this.page.getByRole("dialog", { name: "Commands" });
    const field = palette.getByRole("combobox", { name: "Find a command" });
    await field.fill(words);
    await field.press("Enter");
    await palette.waitFor({ state: "detached" });
  }

  /** Until the run has ended: no Stop, and nothing still on its way. */
  async idle() {
    await this.stop.waitFor({ state: "detached" });
    await this.page.getByTestId("message-outgoing").waitFor({ state: "detached" });
  }

  /** Waits for `locator` to hold `text` and nothing else. */
  async reads(locator, text) {
    await eventually(`"${text}" to be read`, async () => (await locator.innerText()).trim() === text);
  }

  /** Waits until the canvas shows a picture for which `accept` holds; returns its measures. */
  pictureWhere(what, accept) {
    return eventually(`a picture: ${what}`, async () => {
      const picture = await this.picture();
      return picture !== null && accept(picture) ? picture : null;
    });
  }

  /**
   * What the canvas shows now: revision, samples and the mean colours, 0..255, of its middle (a tenth of
   * each side) and of the whole.
   */
  picture() {
    return this.canvas.evaluate((canvas) => {
      if (canvas.dataset.samples === undefined) return null;
      const { width, height } = canvas;
      // Read from a copy: the page's own canvas is never read back, and is not made for it.
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const mean = (left, top, right, bottom) => {
        const sum = [0, 0, 0];
        for (let y = Math.floor(top * height); y < Math.floor(bottom * height); y += 1) {
          for (let x = Math.floor(left * width); x < Math.floor(right * width); x += 1) {
            for (let channel = 0; channel < 3; channel += 1)
              sum[channel] += data[(y * width + x) * 4 + channel];
          }
        }
        const count =
          (Math.floor(right * width) - Math.floor(left * width)) *
          (Math.floor(bottom * height) - Math.floor(top * height));
        return sum.map((channel) => channel / count);
      };
      return {
        revision: Number(canvas.dataset.revision),
        samples: Number(canvas.dataset.samples),
        width,
        height,
        middle: mean(0.45, 0.45, 0.55, 0.55),
        whole: mean(0, 0, 1, 1),
      };
    });
  }

  screenshot(name) {
    return screenshot(this.page, name);
  }

  /** Fails when the console told of anything but faults that match `expected`. */
  assertNoProblems(expected = /^$/) {
    assert.deepEqual(
      this.problems.filter((problem) => !expected.test(problem)),
      [],
    );
  }
}

/** A picture of a page among the artifacts. */
export async function screenshot(page, name) {
  mkdirSync(ARTIFACTS, { recursive: true });
  // Colours fade from one theme to the other; a picture of the page is of its end.
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), animations: "disabled" });
}

/** How much more of a channel (0 red, 1 green, 2 blue) a colour has than of the others. */
export function tint(colour, channel) {
  const others = colour.filter((_, index) => index !== channel);
  return colour[channel] - Math.max(...others);
}

/** Asks again until `check` answers with something true, and returns it. */
export async function eventually(what, check) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
