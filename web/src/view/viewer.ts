import { extentOf } from "../document/bounds";
import type { Editor } from "../document/editor";
import type { Properties } from "../document/scene";
import { selectedMembers } from "../document/subject";
import { length } from "../document/vector";
import { framing, type Side, seenFrom } from "./commands";
import type { ViewState } from "./state";

/** What a person can do with what they see. */
export class Viewer {
  constructor(
    private readonly view: ViewState,
    private readonly editor: Editor,
  ) {}

  /** The camera one looks through: one's own or the scene's. */
  currentCamera(): Properties {
    return this.view.look.value ?? this.editor.scene.value.camera;
  }

  lookFrom(side: Side): void {
    this.view.lookThrough(seenFrom(this.currentCamera(), side));
  }

  /** Looks at what is selected, or at everything, so that it fills the picture. */
  frameSelected(): void {
    const { stage } = this.view;
    const { selection, scene } = this.editor;
    const members = selectedMembers(scene.value, selection.value);
    const ids = members.map(({ object }) => object.id);
    const [first] = members;
    const extent = first === undefined ? null : extentOf(first.object);
    const small =
      extent === null ? null : { center: extent.center, radius: Math.max(...extent.half.map(length)) };
    const ball = stage.value?.bounds(ids.length === 0 ? null : ids) ?? small;
    if (ball !== null) this.view.lookThrough(framing(this.currentCamera(), ball, this.view.aspect.value));
  }

  /** Moves the scene's camera to where one looks from; it stays sharp at its target. */
  useLookAsCamera(): void {
    const look = this.view.look.value;
    if (look === null) return;
    const { center, look_at, up, vfov, height } = look;
    const args = { center, look_at, up, vfov, ...(typeof height === "number" ? { height } : {}) };
    if (this.editor.edit([{ name: "set_camera", args }])) {
      this.view.lookThrough(null);
    }
  }

  /** Hides everything but what is selected, on this page alone. */
  isolateSelected(): void {
    const scene = this.editor.scene.value;
    const selected = new Set(
      selectedMembers(scene, this.editor.selection.value).map(({ object }) => object.id),
    );
    if (selected.size === 0) return;
    const all = [...scene.shapes, ...scene.lights].map(({ id }) => id);
    this.view.hidden.value = new Set(all.filter((id) => !selected.has(id)));
  }
}
