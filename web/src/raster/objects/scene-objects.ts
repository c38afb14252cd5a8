import { Box3, Group, type InstancedMesh, type Intersection, Sphere } from "three";
import type { SceneDocument, SceneObject } from "../../document/scene";
import { isCostly } from "../../document/texture";
import { chartOf } from "../../kinds/uv-charts";
import type { EnvironmentPicture } from "../environment/surroundings";
import { GeometryCache } from "../geometry/geometry-cache";
import {
  type DetailLevel,
  isClosed,
  MEDIUM_SCENE_PARTS,
  primitiveKey,
  type Tessellation,
  tessellationFor,
} from "../geometry/primitives";
import type { ServerMeshes } from "../geometry/server-meshes";
import type { ImageTextures, ImageUse } from "../materials/image-textures";
import type { LowDetailLight } from "../materials/low-detail";
import { MaterialCache, patternedKey } from "../materials/material-cache";
import { materialKey } from "../materials/materials";
import type { ChartedPattern } from "../materials/patterned";
import { PRESETS } from "../materials/presets";
import { castsShadow } from "../materials/surface";
import { type Appearance, Batch, type BatchKind, type InstanceSlot } from "./batch";
import { MergedBatches } from "./merged-batches";
import type { ExportedPart } from "./model-export";
import { type Part, partsOfLight, partsOfShape } from "./parts";

/** At most so many objects show their patterns, a draw call each; others have about their mean colour. */
const MAX_PATTERNED = 64;

interface DrawnObject {
  /** As it was drawn; null when it has to be drawn again. */
  object: SceneObject | null;
  parts: readonly Part[];
  slots: readonly InstanceSlot[];
}

/** The document's shapes and lights as instanced meshes; updates only what changed. */
export class SceneObjects {
  readonly group = new Group();
  readonly #drawn = new Map<string, DrawnObject>();
  readonly #batches = new Map<string, Batch>();
  readonly #geometries: GeometryCache;
  readonly #materials: MaterialCache;
  readonly #merged = new MergedBatches();
  /** How many objects the document has, hidden ones among them. */
  #count = 0;
  #detailLevel: DetailLevel = "full";
  /** The tessellation that is drawn at present. */
  #appliedTessellation: Tessellation = "fine";
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    private readonly meshes: ServerMeshes,
    light: LowDetailLight,
    private readonly images: ImageTextures,
    /** Whether WebGL is rendered in software. */
    slow: boolean,
  ) {
    this.#geometries = new GeometryCache(meshes);
    this.#materials = new MaterialCache(light, images, slow);
  }

  /** What reflective materials show of the surroundings. */
  setReflections(picture: EnvironmentPicture): void {
    this.#materials.setReflections(picture);
  }

  /** Draws at a level of detail. */
  setDetailLevel(detailLevel: DetailLevel): void {
    if (detailLevel === this.#detailLevel) return;
    this.#detailLevel = detailLevel;
    this.#materials.setLowDetail(this.#isLowDetail);
    this.#updateAppearances();
    if (this.#isLowDetail) this.#merge();
    else this.#unmerge();
  }

  /** Draws the document, without what is hidden; true when anything changed. */
  show({ shapes, lights }: Pick<SceneDocument, "shapes" | "lights">, hidden: ReadonlySet<string>): boolean {
    this.#count = shapes.length + lights.length;
    this.#hidden = hidden;
    const present = new Set<string>();
    let changed = false;
    for (const shape of shapes) changed = this.#update(shape, "shape", present) || changed;
    for (const light of lights) changed = this.#update(light, "light", present) || changed;
    for (const [id, { slots }] of this.#drawn) {
      if (present.has(id)) continue;
      this.#removeParts(slots);
      this.#drawn.delete(id);
      changed = true;
    }
    if (this.#tessellation !== this.#appliedTessellation) this.#updateAppearances();
    if (changed) this.#removeEmptyBatches();
    if (changed && this.#isLowDetail) this.#merge();
    return changed;
  }

  /** Whether drawing all of it takes a processor long. */
  get isLarge(): boolean {
    return this.#count > MEDIUM_SCENE_PARTS;
  }

  /** The id of the object that a ray hit. */
  idAt({ object, instanceId }: Intersection): string | null {
    const batch = object.userData.batch as Batch | undefined;
    return instanceId === undefined ? null : (batch?.idOf(instanceId) ?? null);
  }

  /** Of all that is drawn. */
  get ids(): string[] {
    return [...this.#drawn.keys()];
  }

  /** The bounding sphere; null for nothing. */
  bounds(): Sphere | null {
    const whole = new Sphere().makeEmpty();
    for (const { mesh } of this.#batches.values()) {
      if (mesh.boundingSphere === null) mesh.computeBoundingSphere();
      if (mesh.boundingSphere !== null) whole.union(mesh.boundingSphere);
    }
    return whole.isEmpty() ? null : whole;
  }

  /** The boxes around what stands there: what glows and glass cast no shadow. */
  boxes(): Box3[] {
    return [...this.#drawn.values()]
      .flatMap(({ parts }) => parts)
      .filter(({ surface }) => castsShadow(surface))
      .map((part) => this.#boxOfPart(part));
  }

  /** All drawn parts with their geometries, for export. */
  exportedParts(): ExportedPart[] {
    const detail = tessellationFor(this.#count, "full");
    return [...this.#drawn].flatMap(([id, { parts }]) =>
      parts
        .filter(({ surface }) => surface.kind !== "black")
        .map(({ primitive, matrix, surface }) => ({
          id,
          matrix,
          surface,
          geometry: this.#geometries.geometry(primitive, detail),
        })),
    );
  }

  /** The box around what is drawn of some objects; empty for nothing. */
  boxOf(ids: readonly string[]): Box3 {
    const whole = new Box3();
    for (const part of ids.flatMap((id) => this.#drawn.get(id)?.parts ?? []))
      whole.union(this.#boxOfPart(part));
    return whole;
  }

  /** Has an object drawn again: its mesh has loaded. */
  invalidate(id: string): void {
    const drawn = this.#drawn.get(id);
    if (drawn !== undefined) drawn.object = null;
  }

  clear(): void {
    this.#unmerge();
    for (const batch of this.#batches.values()) batch.dispose();
    this.#geometries.dispose();
    for (const map of [this.#drawn, this.#batches]) map.clear();
  }

  dispose(): void {
    this.clear();
    this.#materials.dispose();
  }

  #update(object: SceneObject, kind: "shape" | "light", present: Set<string>): boolean {
    if (this.#hidden.has(object.id)) return false;
    present.add(object.id);
    const before = this.#drawn.get(object.id);
    if (before?.object === object) return false;
    if (before !== undefined) this.#removeParts(before.slots);
    const parts =
      kind === "shape"
        ? partsOfShape(object, PRESETS, (shape) => this.meshes.placedMesh(shape))
        : partsOfLight(object);
    const slots = parts.map((part) => this.#addPart(object.id, part, this.#patternOn(object, part)));
    this.#drawn.set(object.id, { object, parts, slots });
    return true;
  }

  /** The pattern that a part shows; null where it has none, and where there are too many. */
  #patternOn(object: SceneObject, part: Part): ChartedPattern | null {
    const { pattern } = part.surface;
    if (pattern === null) return null;
    // Of an object that is edited the batch is empty by now: it keeps its place.
    const shown = [...this.#batches.values()].filter(({ kind, size }) => kind.patterned !== null && size > 0);
    if (shown.length >= MAX_PATTERNED) return null;
    const isNumbered = part.primitive.kind === "triangles" && this.meshes.hasUv(part.primitive.key);
    const chart = chartOf(object, () => this.#boxOfPart(part), isNumbered);
    return chart === null ? null : { pattern, chart };
  }

  #addPart(id: string, part: Part, charted: ChartedPattern | null): InstanceSlot {
    const { primitive, surface, side } = part;
    const appearance = charted === null ? materialKey(part) : patternedKey(id, surface, charted);
    const key = `${primitiveKey(primitive)} | ${appearance}`;
    const kind: BatchKind = {
      primitive,
      surface,
      side,
      patterned: charted === null ? null : { id, charted },
    };
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      const replaced = (before: InstancedMesh, after: InstancedMesh) => {
        this.group.remove(before);
        this.group.add(after);
      };
      batch = new Batch(kind, this.#appearanceOf(kind), replaced);
      this.group.add(batch.mesh);
      this.#batches.set(key, batch);
    } else if (charted !== null) batch.update(kind, this.#appearanceOf(kind));
    return batch.add(id, part);
  }

  #removeParts(slots: readonly InstanceSlot[]): void {
    for (const slot of slots) slot.batch.remove(slot);
  }

  #appearanceOf({ primitive, surface, side, patterned }: BatchKind): Appearance {
    const seen = this.#isLowDetail ? visibleSide({ primitive, side }) : side;
    const material =
      patterned === null || (this.#isLowDetail && isCostly(patterned.charted.pattern))
        ? this.#materials.material(surface, seen)
        : this.#materials.patternedMaterial(patterned.id, surface, seen, patterned.charted);
    return { geometry: this.#geometries.geometry(primitive, this.#tessellation), material };
  }

  #boxOfPart({ primitive, matrix }: Part): Box3 {
    const geometry = this.#geometries.geometry(primitive, tessellationFor(this.#count, "full"));
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    return (geometry.boundingBox ?? new Box3()).clone().applyMatrix4(matrix);
  }

  /** Draws small batches as merged meshes. */
  #merge(): void {
    this.#merged.show(this.#batches.values(), (kind) =>
      this.#materials.mergedMaterial(kind.surface, visibleSide(kind)),
    );
    this.group.add(this.#merged.group);
  }

  #unmerge(): void {
    this.#merged.hide();
    this.#merged.group.removeFromParent();
  }

  get #isLowDetail(): boolean {
    return this.#detailLevel !== "full";
  }

  /** The tessellation that is to be drawn. */
  get #tessellation(): Tessellation {
    return tessellationFor(this.#count, this.#detailLevel);
  }

  #updateAppearances(): void {
    this.#appliedTessellation = this.#tessellation;
    for (const batch of this.#batches.values()) batch.setAppearance(this.#appearanceOf(batch.kind));
  }

  /** Frees geometries and pictures that nothing uses; materials are few and slow to compile, so they are kept. */
  #removeEmptyBatches(): void {
    const used = new Set<string>();
    const patterned = new Set<string>();
    const images: ImageUse[] = [];
    for (const [key, batch] of this.#batches) {
      if (batch.size > 0) {
        const { primitive, surface, patterned: own } = batch.kind;
        used.add(primitiveKey(primitive));
        if (own === null) continue;
        patterned.add(patternedKey(own.id, surface, own.charted));
        if (own.charted.pattern.image !== null) images.push(own.charted.pattern.image);
      } else {
        batch.dispose();
        this.#batches.delete(key);
      }
    }
    this.#geometries.retain(used);
    this.#materials.retainPatterned(patterned);
    if (this.images.retain(images)) this.#updateAppearances();
  }
}

/** Back faces of closed primitives are not drawn. */
function visibleSide({ primitive, side }: Pick<Part, "primitive" | "side">): Part["side"] {
  return side === "both" && isClosed(primitive) ? "front" : side;
}
