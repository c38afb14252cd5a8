import { expect, test } from "vitest";
import { readScene } from "../../src/document/scene";
import { describe, imageAssets, makeWebPage, type WebPageServer } from "../../src/web-page/collect";
import { fromBase64, joinMesh, splitMesh, type WebPageContents } from "../../src/web-page/contents";
import { webPageHtml } from "../../src/web-page/html";
import { sphere } from "../support/fake-scene";

const HOSTILE = `</title></script><!--<script>alert("1")</script>'&`;
const NOTHING: WebPageContents = {
  scene: readScene({}),
  camera: null,
  bookmarks: [],
  moments: null,
  meshes: [],
  bodies: [],
  pictures: [],
};

test("no name, label or piece of code ends the element that it stands in", () => {
  const contents = { ...NOTHING, bookmarks: [{ name: HOSTILE, camera: {} }] };
  const script = `console.log("</script><!--<script>".length)`;
  const html = webPageHtml({
    title: HOSTILE,
    description: HOSTILE,
    picture: "data:image/png;base64,AAAA",
    contents,
    script,
    style: "",
    nonce: "n",
  });
  expect(html.match(/<\/script/gi), "of the contents and of the script").toHaveLength(2);
  expect(
    html.match(/<script/gi),
    "and that in a string, which begins nothing without a comment",
  ).toHaveLength(3);
  expect(html).not.toContain("<!--");
  expect(html.match(/<\/title/g)).toHaveLength(1);
  const json = /id="contents">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  expect(JSON.parse(json)).toEqual(contents);
  const code = /<script nonce="n">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  const logged: unknown[] = [];
  new Function("console", code)({ log: (value: unknown) => logged.push(value) });
  expect(logged, "the code says what it said").toEqual(["</script><!--<script>".length]);
});

test("such a page may load nothing, and runs what has its mark alone", () => {
  const html = webPageHtml({
    title: "",
    description: "",
    picture: "",
    contents: NOTHING,
    script: "",
    style: "",
    nonce: "abc",
  });
  const policy = /content-security-policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc';/);
  expect(policy).not.toMatch(/unsafe|http|self|\*/);
});

test("triangles are the same after they were packed; shapes of one key, or with the same numbers, share them", async () => {
  const meshOf = (shape: string): ArrayBuffer => {
    const header = JSON.stringify({ of: shape }).padEnd(20);
    return joinMesh(header, new Uint8Array(shape === "other" ? [1, 2, 3, 4] : [5, 6, 7, 8]));
  };
  const asked: string[] = [];
  const server: WebPageServer = {
    picture: async () => new Blob(["picture"], { type: "image/jpeg" }),
    mesh: async (shape) => {
      asked.push(shape);
      return meshOf(shape);
    },
    asset: async (asset) => new Blob([asset], { type: "image/png" }),
    moments: () => Promise.reject(new Error("nothing is animated")),
    script: async () => "run()",
  };
  const scene = readScene({ shapes: ["first", "twin", "alike", "other", "gone"].map((id) => sphere(id, 1)) });
  const serverMeshes = [
    ["first", "a"],
    ["twin", "a"],
    ["alike", "b"],
    ["other", "c"],
    ["gone", "d"],
  ] as const;
  const source = {
    title: "Mine",
    scene,
    hidden: new Set(["gone"]),
    camera: null,
    bookmarks: [],
    serverMeshes,
  };
  const steps: string[] = [];
  const page = await makeWebPage(source, server, (step) => steps.push(step));
  const html = await page.text();
  const contents = JSON.parse(/id="contents">(.*?)<\/script>/s.exec(html)?.[1] ?? "") as WebPageContents;
  expect(asked.toSorted(), "one of each key").toEqual(["alike", "first", "other"]);
  expect(contents.bodies).toHaveLength(2);
  for (const { shape, header, body } of contents.meshes) {
    const bytes = joinMesh(header, fromBase64(contents.bodies[body] ?? ""));
    expect(bytes, shape).toEqual(meshOf(shape === "twin" ? "first" : shape));
  }
  expect(contents.meshes.map(({ shape }) => shape).toSorted()).toEqual(["alike", "first", "other", "twin"]);
  expect(contents.scene.shapes.map(({ id }) => id)).not.toContain("gone");
  expect(html).toContain(`src="data:image/jpeg;base64,${btoa("picture")}"`);
  expect(steps).toContain("Collecting shapes: 3 of 3");
  expect(splitMesh(meshOf("x")).header.trim()).toBe('{"of":"x"}');
});

test("a page has the images of surfaces and environment, and meshes as triangles alone", () => {
  const scene = readScene({
    shapes: [
      {
        id: "m",
        type: "mesh",
        properties: { asset: "mesh", material: { albedo: { type: "image", asset: "skin" } } },
      },
      { id: "n", type: "box", properties: { material: { layers: [{ normal: { asset: "bumps" } }] } } },
    ],
    environment: { type: "image", asset: "sky" },
  });
  expect([...imageAssets(scene)].toSorted()).toEqual(["bumps", "skin", "sky"]);
});

test("who does not see the picture reads what is in the scene", () => {
  const named = (...ids: string[]) => readScene({ shapes: ids.map((id) => sphere(id, 1)) });
  expect(describe("Fruit", named())).toBe("Fruit");
  expect(describe("Fruit", named("red_apple"))).toBe("Fruit: a 3D scene with red apple");
  expect(describe("Fruit", named("apple", "pear"))).toBe("Fruit: a 3D scene with apple and pear");
  const many = Array.from({ length: 11 }, (_, index) => `f${index}`);
  expect(describe("Fruit", named(...many))).toMatch(/with f0, .*, f7 and 3 more$/);
});
