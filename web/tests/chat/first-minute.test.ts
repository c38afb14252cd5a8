import { describe, expect, it } from "vitest";
import { followUps } from "../../src/chat/follow-ups";
import { keysToLookAt, nameOf, thingsOf } from "../../src/chat/things";
import { toolTitle } from "../../src/chat/tool-summary";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";
import type { SceneChange } from "../../src/protocol";

function shape(id: string, group?: string): SceneObject {
  return { id, type: "sphere", properties: {}, ...(group !== undefined && { group }) };
}

function created(object: SceneObject, kind: SceneChange["kind"] = "shape"): SceneChange {
  return { op: "create", kind, id: object.id, after: object } as unknown as SceneChange;
}

function setting(kind: "camera" | "environment"): SceneChange {
  return { op: "update", kind, id: null, before: {}, after: {} } as unknown as SceneChange;
}

const DAY = { type: "gradient", top_color: [0.5, 0.7, 1], bottom_color: [1, 1, 1] };

function scene(shapes: readonly SceneObject[], groups: SceneDocument["groups"] = []): SceneDocument {
  return { ...EMPTY_SCENE, shapes, groups, environment: DAY };
}

const textsOf = (document: SceneDocument, answer = "Done.") =>
  followUps(document, answer).map(({ text }) => text);

describe("things that changed", () => {
  it("are named as people would", () => {
    expect(nameOf("red_sphere_2")).toBe("red sphere 2");
    expect(nameOf("_")).toBe("_");
    expect(toolTitle("create_shape")).toBe("Add");
    expect(toolTitle("weather__forecast")).toBe("weather__forecast");
  });

  it("that came are told once, and what of a stage went is named", () => {
    const removed = (object: SceneObject, kind: SceneChange["kind"] = "shape") =>
      ({ op: "remove", kind, id: object.id, before: object }) as unknown as SceneChange;
    const updated = (object: SceneObject) => ({ ...created(object), op: "update" }) as unknown as SceneChange;
    const told = (changes: SceneChange[]) =>
      thingsOf(changes).map(({ name, note = "" }) => `${name} ${note}`);
    const key = removed(shape("stage_key_light", "stage"), "light");
    const fill = removed(shape("stage_fill_light", "stage"), "light");
    const ground = removed(shape("stage_ground", "stage"));
    expect(told([key, fill])).toEqual(["studio lights removed"]);
    expect(told([ground])).toEqual(["stage ground removed"]);
    expect(told([key, ground])).toEqual(["stage removed"]);
    const parts = [shape("a", "group"), shape("b", "group")];
    expect(told([...parts.map((part) => created(part)), ...parts.map(updated)])).toEqual(["group "]);
  });

  it("that got another name are told as such, not as gone and new", () => {
    const { op: _, ...stem } = created(shape("stem", "planet"));
    const gone = { ...stem, op: "remove", before: stem.after, after: null } as unknown as SceneChange;
    const named = thingsOf([gone, created(shape("trident", "planet"))]);
    expect(named).toEqual([{ key: "trident", name: "stem → trident", kind: "shape", op: "update" }]);
    const other = { ...shape("box"), type: "box" };
    expect(thingsOf([gone, created(other)]).map(({ op }) => op)).toEqual(["remove", "create"]);
    // What went once is the old name of one thing only.
    const twice = thingsOf([gone, created(shape("a", "planet")), created(shape("b", "planet"))]);
    expect(twice.map(({ name }) => name)).toEqual(["stem → a", "b"]);
  });

  it("are the whole where all parts came", () => {
    const parts = ["sofa_seat", "sofa_back"].map((id) => created(shape(id, "sofa")));
    const names = thingsOf([...parts, created(shape("ball"))]).map(({ name, op }) => `${op} ${name}`);
    expect(names).toEqual(["create sofa", "create ball"]);
  });

  it("are the outermost whole", () => {
    const group = (id: string, parent: string | null) =>
      ({ op: "create", kind: "group", id, after: { id, parent } }) as unknown as SceneChange;
    const parts = [
      created(shape("leaf", "crown")),
      created(shape("twig", "crown")),
      created(shape("trunk", "tree")),
    ];
    expect(thingsOf([...parts, group("crown", "tree"), group("tree", null)]).map(({ name }) => name)).toEqual(
      ["tree"],
    );
  });

  it("are looked at: what came before what was changed, without stage, lights and camera", () => {
    const changed = {
      op: "update",
      kind: "shape",
      id: "table",
      before: {},
      after: {},
    } as unknown as SceneChange;
    const setup = [
      created(shape("stage_ground", "stage")),
      created(shape("lamp"), "light"),
      setting("camera"),
      changed,
    ];
    expect(keysToLookAt([...setup, created(shape("ball"))])).toEqual(["ball"]);
    expect(keysToLookAt(setup)).toEqual(["table"]);
    expect(keysToLookAt([setting("environment")])).toEqual([]);
  });

  it("count a stage with camera and backdrop as one", () => {
    const changes = [
      created(shape("ball")),
      created(shape("stage_ground", "stage")),
      created(shape("stage_key_light", "stage"), "light"),
      setting("environment"),
      setting("camera"),
    ];
    expect(thingsOf(changes).map(({ key }) => key)).toEqual(["ball", "stage"]);
    expect(thingsOf([setting("camera")]).map(({ name }) => name)).toEqual(["camera"]);
  });

  it("keep one changed part's own name", () => {
    const change = { op: "update", kind: "shape", id: "sofa_seat", after: shape("sofa_seat", "sofa") };
    expect(thingsOf([change as unknown as SceneChange]).map(({ name }) => name)).toEqual(["sofa seat"]);
  });
});

describe("what could be said next", () => {
  it("is about what was made last, not about its stage or floor", () => {
    const shapes = [shape("box"), shape("red_ball"), shape("floor"), shape("stage_ground", "stage")];
    expect(textsOf(scene(shapes))).toEqual([
      "Make the red ball blue",
      "Make it evening",
      "Put a tree next to the red ball",
    ]);
    expect(textsOf(scene([shape("blue_ball")]))[0]).toBe("Make the blue ball yellow");
  });

  it("says the number of a thing only where there are several", () => {
    expect(textsOf(scene([shape("star_2")]))[0]).toBe("Make the star blue");
    expect(textsOf(scene([shape("star"), shape("star_2")]))[0]).toBe("Make the star 2 blue");
  });

  it("names a group as a whole", () => {
    const groups = [
      { id: "tree", parent: null },
      { id: "crown", parent: "tree" },
    ];
    expect(textsOf(scene([shape("leaf", "crown")], groups))[0]).toBe("Make the tree a bit bigger");
  });

  it("does not ask for an evening twice", () => {
    const evening = { ...DAY, top_color: [0.22, 0.25, 0.2] };
    expect(textsOf({ ...scene([shape("ball")]), environment: evening })).not.toContain("Make it evening");
  });

  it("is about what the answer names first, in a room as in the open", () => {
    const shapes = [shape("back_wall"), shape("seat", "sofa"), shape("red_mug"), shape("bowl")];
    const room = scene(shapes, [{ id: "sofa", parent: null } as SceneDocument["groups"][number]]);
    expect(textsOf(room, "The sofa is now green.")).toEqual([
      "Make the sofa a bit bigger",
      "Make it evening",
      "Put a plant next to the sofa",
    ]);
    expect(textsOf(room, "I put a red mug on the sofa.")[0]).toBe("Make the red mug blue");
    expect(textsOf(room, "Done.")[0]).toBe("Make the bowl blue");
    const parts = [shape("castle_wall", "castle"), shape("castle_tower", "castle")];
    const castle = scene(parts, [{ id: "castle", parent: null } as SceneDocument["groups"][number]]);
    expect(textsOf(castle)).toContain("Put a tree next to the castle");
  });

  it("is nothing in an empty scene, but for what was left out", () => {
    expect(textsOf(scene([]))).toEqual([]);
    const [first] = followUps(scene([]), "I made a ball. I did not understand “under a blue sky”.");
    expect(first).toMatchObject({ label: "Rephrase “under a blue sky”", isRest: true });
    expect(first?.text).toBe("under a blue sky");
  });

  it("offers no function words to say in another way", () => {
    const rests = (answer: string) => followUps(scene([]), answer).map(({ text }) => text);
    expect(rests("I made a ball. I left out “with”.")).toEqual([]);
    expect(rests("I made a ball. I left out “from the”.")).toEqual([]);
    expect(rests("I made a ball. I left out “from the village”.")).toEqual(["from the village"]);
  });
});
