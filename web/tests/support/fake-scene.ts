import { readScene, type SceneDocument, type SceneObject } from "../../src/document/scene";
import type { SceneChange } from "../../src/protocol";

export const CAMERA = {
  center: [0, 1, 5],
  look_at: [0, 1, 0],
  up: [0, 1, 0],
  vfov: 45,
  aperture: 0,
  focus_distance: null,
};

export const sphere = (id: string, radius: number, group?: string): SceneObject => ({
  id,
  type: "sphere",
  properties: { center: [0, 0, 0], radius, material: { type: "lambertian", albedo: [0.5, 0.5, 0.5] } },
  ...(group !== undefined && { group }),
});

export const SCENE: SceneDocument = readScene({
  version: 1,
  shapes: [sphere("a", 1), sphere("b", 2, "pair"), sphere("c", 3, "pair")],
  lights: [{ id: "key", type: "point_spot_light", properties: { center: [0, 4, 0], emission: [9, 9, 9] } }],
  environment: { type: "none" },
  camera: CAMERA,
});

/** Numbers in 0..1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A scene that changes at random, and tells it as the server's `scene::diff` does. */
export class FakeScene {
  scene: SceneDocument = SCENE;
  #names = 0;

  constructor(private readonly random: () => number) {}

  change(): SceneChange[] {
    const before = this.scene;
    this.scene = {
      shapes: this.#altered(before.shapes),
      lights: this.random() < 0.3 ? this.#altered(before.lights) : before.lights,
      groups: this.random() < 0.2 ? this.#groups() : before.groups,
      environment:
        this.random() < 0.2 ? { type: "uniform", emission: [this.random(), 0, 0] } : before.environment,
      camera: this.random() < 0.2 ? { ...before.camera, vfov: 1 + this.random() } : before.camera,
      animation: before.animation,
    };
    return diff(before, this.scene);
  }

  #altered(list: readonly SceneObject[]): SceneObject[] {
    const next = list
      .filter(() => this.random() > 0.15)
      .map((object) => (this.random() < 0.3 ? { ...object, type: `t${this.random()}` } : object));
    while (this.random() < 0.4) {
      this.#names += 1;
      next.splice(Math.floor(this.random() * (next.length + 1)), 0, sphere(`n${this.#names}`, this.random()));
    }
    return this.random() < 0.15 ? next.reverse() : next;
  }

  #groups(): { id: string; parent: null }[] {
    return ["g1", "g2", "g3"].filter(() => this.random() < 0.5).map((id) => ({ id, parent: null }));
  }
}

function diff(before: SceneDocument, after: SceneDocument): SceneChange[] {
  const whole = (["environment", "camera"] as const).flatMap((kind): SceneChange[] =>
    before[kind] === after[kind]
      ? []
      : [{ op: "update", kind, id: null, before: before[kind], after: after[kind] }],
  );
  return [
    ...diffList("shape", before.shapes, after.shapes),
    ...diffList("light", before.lights, after.lights),
    ...diffList("group", before.groups, after.groups),
    ...whole,
  ];
}

function diffList(
  kind: SceneChange["kind"],
  before: readonly { id: string }[],
  after: readonly { id: string }[],
) {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const kept = new Set(after.map((entry) => entry.id));
  const changes: SceneChange[] = before
    .filter(({ id }) => !kept.has(id))
    .map((entry) => ({ op: "remove", kind, id: entry.id, before: entry, after: null }));
  const order = (list: readonly { id: string }[]) =>
    list.filter(({ id }) => old.has(id) && kept.has(id)).map(({ id }) => id);
  const reordered = order(before).join() !== order(after).join();
  after.forEach((entry, index) => {
    const previous = old.get(entry.id);
    if (previous === entry && !reordered) return;
    const op = previous === undefined ? "create" : "update";
    const place = previous === undefined || reordered ? { index } : {};
    changes.push({ op, kind, id: entry.id, before: previous ?? null, after: entry, ...place });
  });
  return changes;
}
