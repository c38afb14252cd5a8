import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_SCENE, type SceneDocument } from "../../src/document/scene";
import { FileOpener } from "../../src/files/file-opener";

const ball = { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } };
const fileOf = (name: string, content = name.endsWith(".glb") ? "glTF..." : "...") =>
  new File([content], name);

const PREVIEW = { scene: { shapes: [ball] }, bounds: { min: [-1, -1, -1], max: [1, 1, 1] } };

const api = {
  importScene: vi.fn(),
  previewImport: vi.fn(),
  replaceScene: vi.fn(),
  upload: vi.fn(),
  import: vi.fn(),
};
const editor = {
  scene: { value: { ...EMPTY_SCENE, shapes: [ball] } as SceneDocument },
  edit: vi.fn(() => true),
  select: vi.fn(),
  selectOnceLoaded: vi.fn(),
};
const page = { attach: vi.fn(), openSession: vi.fn(), sceneWillChange: vi.fn(), showError: vi.fn() };
let access = "edit";
let session: string | null = "s";
let opener: FileOpener;

beforeEach(() => {
  vi.resetAllMocks();
  editor.edit.mockReturnValue(true);
  editor.scene.value = { ...EMPTY_SCENE, shapes: [ball] };
  access = "edit";
  session = "s";
  api.previewImport.mockResolvedValue(PREVIEW);
  const parts = { api, editor, ...page } as unknown as ConstructorParameters<typeof FileOpener>[0];
  opener = new FileOpener({ ...parts, sessionId: () => session, canEdit: () => access === "edit" });
});

test("what becomes of the scene of another program is asked, one file after the other", async () => {
  await opener.open([fileOf("a.glb"), fileOf("b.pbrt")]);
  expect(opener.pendingImport.value).toMatchObject({ file: { name: "a.glb" }, phase: "asking" });
  expect(api.importScene).not.toHaveBeenCalled();
  api.importScene.mockResolvedValue({ ids: ["chair", "leg"], notes: [] });
  await opener.choose("add");
  expect(api.importScene).toHaveBeenCalledWith(
    "s",
    expect.objectContaining({ name: "a.glb" }),
    { replace: false, up: "y", meters: 1 },
    expect.any(Function),
  );
  expect(editor.selectOnceLoaded).toHaveBeenCalledWith(["chair", "leg"]);
  expect(opener.pendingImport.value).toMatchObject({ file: { name: "b.pbrt" }, phase: "asking" });
  await opener.dismiss();
  expect(opener.pendingImport.value).toBeNull();
});

test("what was left out stays to be read until it was", async () => {
  await opener.open([fileOf("a.glb")]);
  api.importScene.mockResolvedValue({ ids: ["chair"], notes: ["animations are left out"] });
  await opener.choose("replace", { up: "z", meters: 0.001 });
  expect(api.importScene).toHaveBeenCalledWith(
    "s",
    expect.anything(),
    { replace: true, up: "z", meters: 0.001 },
    expect.any(Function),
  );
  expect(editor.selectOnceLoaded).not.toHaveBeenCalled();
  expect(opener.pendingImport.value).toMatchObject({ phase: "done", notes: ["animations are left out"] });
  await opener.dismiss();
  expect(opener.pendingImport.value).toBeNull();
});

test("an empty scene becomes what a file holds that says its unit, without a question", async () => {
  editor.scene.value = EMPTY_SCENE;
  api.importScene.mockResolvedValue({ ids: ["chair"], notes: [] });
  await opener.open([fileOf("a.glb")]);
  expect(api.importScene).toHaveBeenCalledTimes(1);
  expect(opener.pendingImport.value).toBeNull();
  await opener.open([fileOf("a.obj")]);
  expect(api.importScene).toHaveBeenCalledTimes(1);
  expect(opener.pendingImport.value).toMatchObject({ phase: "asking", preview: PREVIEW });
});

test("of a file that cannot be read nothing is asked", async () => {
  api.previewImport.mockRejectedValueOnce(new Error("the file promises more than it has"));
  await opener.open([fileOf("a.obj"), fileOf("b.obj")]);
  expect(page.showError).toHaveBeenCalledWith(
    "a.obj could not be opened: the file promises more than it has",
  );
  expect(opener.pendingImport.value).toMatchObject({ file: { name: "b.obj" }, preview: PREVIEW });
});

test.each([
  ["a.stl", { up: "z", meters: 0.001 }],
  ["b.ply", { up: "y", meters: null }],
])("of %s it is asked how it stands", async (name, placing) => {
  api.upload.mockResolvedValue({ asset: "hash" });
  await opener.open([fileOf(name, "ply")]);
  expect(opener.pendingMesh.value).toMatchObject({ name, placing });
  expect(editor.edit).not.toHaveBeenCalled();
  opener.placeMesh({ up: "z", meters: 1 });
  expect(editor.edit).toHaveBeenCalledTimes(1);
  expect(opener.pendingMesh.value).toBeNull();
});

test("while it is done nothing closes the window, and nothing is done twice", async () => {
  await opener.open([fileOf("a.glb")]);
  let finish = (_: unknown) => {};
  api.importScene.mockReturnValue(new Promise((resolve) => (finish = resolve)));
  const done = opener.choose("add");
  await opener.dismiss();
  await opener.choose("replace");
  expect(opener.pendingImport.value?.phase).toBe("working");
  await vi.waitFor(() => expect(api.importScene).toHaveBeenCalledTimes(1));
  finish({ ids: [], notes: [] });
  await done;
  expect(opener.pendingImport.value).toBeNull();
});

test("a refusal is told, and the next file is asked about", async () => {
  await opener.open([fileOf("a.glb"), fileOf("b.glb")]);
  api.importScene.mockRejectedValue(new Error("the file promises more than it has"));
  await opener.choose("add");
  expect(page.showError).toHaveBeenCalledWith(
    "a.glb could not be opened: the file promises more than it has",
  );
  expect(opener.pendingImport.value).toMatchObject({ file: { name: "b.glb" }, phase: "asking" });
});

test.each([
  ["a.glb", "hello", "a.glb could not be opened: it is not a GLB file."],
  ["b.gltf", "hello", "b.gltf could not be opened: it is not valid JSON"],
  ["c.obj", "", "c.obj could not be opened: the file is empty."],
  ["d.ply", "not a mesh", "d.ply could not be added: it is not a PLY file."],
])("%s that is something else is told in words, and not sent", async (name, content, words) => {
  await opener.open([fileOf(name, content)]);
  await opener.choose("add");
  expect(page.showError).toHaveBeenCalledWith(expect.stringContaining(words));
  expect(api.importScene).not.toHaveBeenCalled();
  expect(api.previewImport).not.toHaveBeenCalled();
  expect(api.upload).not.toHaveBeenCalled();
});

test("what comes back when another session is open selects nothing there", async () => {
  await opener.open([fileOf("a.glb")]);
  api.importScene.mockImplementation(async () => {
    session = "other";
    opener.reset();
    return { ids: ["chair"], notes: ["one"] };
  });
  await opener.choose("add");
  expect(editor.selectOnceLoaded).not.toHaveBeenCalled();
  expect(opener.pendingImport.value).toBeNull();
});

test("who may only look brings in nothing but sessions", async () => {
  access = "view";
  await opener.open([
    fileOf("a.glb"),
    fileOf("b.json"),
    fileOf("c.ply"),
    new File([""], "d.png", { type: "image/png" }),
  ]);
  expect(opener.pendingImport.value).toBeNull();
  for (const each of [api.importScene, api.replaceScene, api.upload, page.attach]) {
    expect(each).not.toHaveBeenCalled();
  }
  api.import.mockResolvedValue("new");
  await opener.open([fileOf("e.scene-llm")]);
  expect(page.openSession).toHaveBeenCalledWith("new");
});
