import type { ReadonlySignal } from "@preact/signals";
import { movedFocus } from "../document/camera";
import type { Editor } from "../document/editor";
import { isStageGround, type Properties, type SceneDocument, STAGE } from "../document/scene";
import { type Member, selectedMembers } from "../document/subject";
import { length, type Triple } from "../document/vector";
import { extentOf } from "../kinds/extents";
import type { EditCall } from "../protocol";
import { cameraFromSide, framingCamera, type Side } from "./camera-moves";
import type { ViewState } from "./state";

/** Commands on the viewport. */
export class ViewportController {
  constructor(
    private readonly view: ViewState,
    private readonly editor: Editor,
    /** The scene as it is shown, also at a time of its animation. */
    private readonly shown: ReadonlySignal<SceneDocument>,
  ) {}

  /** The viewport's camera: its own or the scene's. */
  currentCamera(): Properties {
    return this.view.privateCamera.value ?? this.shown.value.camera;
  }

  /** Tells where a new thing of a size stands on a table that is selected or looked at; null where there is none. */
  async tablePlacer(): Promise<(size: Triple) => Triple | null> {
    // Without it, things stand where the document tells.
    const loaded = await import("../library/placement").catch(() => null);
    const drawn = this.view.rasterView.value;
    if (drawn === null || loaded === null) return () => null;
    const { cameraView, scene, selection } = this.editor;
    const ids = selectedMembers(scene.value, selection.value)
      .filter(({ kind, object }) => kind === "shape" && !isStageGround(object))
      .map(({ object }) => object.id);
    const selected = ids.length === 0 ? null : drawn.boxOf(ids);
    return (size) => loaded.placeOnTable(drawn.surfaces, cameraView, { size, turn: 0 }, selected);
  }

  viewFrom(side: Side): void {
    this.view.setPrivateCamera(cameraFromSide(this.currentCamera(), side));
  }

  /** Looks at what is selected, or at everything, so that it fills the picture. */
  frameSelected(): void {
    this.#frame(selectedMembers(this.editor.scene.value, this.editor.selection.value));
  }

  /** Looks at some objects and groups, as far as they are still there. */
  lookAt(keys: readonly string[]): void {
    const members = selectedMembers(this.editor.scene.value, keys);
    if (members.length > 0) this.#frame(members);
  }

  /** Frames some objects, or everything. */
  #frame(members: readonly Member[]): void {
    const { rasterView } = this.view;
    const framed = withoutStage(this.editor.scene.value, members);
    const ids = framed.map(({ object }) => object.id);
    const [first] = framed;
    const extent = first === undefined ? null : extentOf(first.object);
    const small =
      extent === null ? null : { center: extent.center, radius: Math.max(...extent.half.map(length)) };
    const ball = rasterView.value?.bounds(ids.length === 0 ? null : ids) ?? small;
    if (ball !== null)
      this.view.setPrivateCamera(framingCamera(this.currentCamera(), ball, this.view.aspect.value));
  }

  /** The calls that move the scene's camera to the viewport's; none where it has no own. */
  sceneCameraCalls(): EditCall[] {
    const camera = this.view.privateCamera.value;
    if (camera === null) return [];
    const { center, look_at, up, vfov, height } = camera;
    const focus = movedFocus(this.editor.scene.value.camera, camera);
    const args = {
      center,
      look_at,
      up,
      vfov,
      ...(typeof height === "number" && { height }),
      ...(focus !== undefined && { focus_distance: focus }),
    };
    return [{ name: "set_camera", args }];
  }

  /** Moves the scene's camera to the viewport's; the focus stays on what it was on. */
  useAsSceneCamera(): void {
    if (this.editor.edit(this.sceneCameraCalls())) this.view.setPrivateCamera(null);
  }

  /** Hides all shapes but those that are selected, on this page alone; the light stays. */
  isolateSelected(): void {
    const scene = this.editor.scene.value;
    const selected = new Set(
      selectedMembers(scene, this.editor.selection.value).map(({ object }) => object.id),
    );
    if (selected.size === 0) return;
    this.view.hidden.value = new Set(scene.shapes.map(({ id }) => id).filter((id) => !selected.has(id)));
  }
}

/**
 * What one looks at to see some objects, or everything: the ground of a stage is as wide as the world, and its middle is
 * nothing to look at.
 */
export function withoutStage(scene: SceneDocument, members: readonly Member[]): readonly Member[] {
  const shapes = scene.shapes.map((object): Member => ({ kind: "shape", object }));
  if (members.length > 0 && !members.some(({ object }) => isStageGround(object))) return members;
  const all = members.length === 0 ? shapes : members;
  const others = all.filter(({ object }) => object.group !== STAGE);
  return others.length > 0 ? others : shapes.filter(({ object }) => !isStageGround(object));
}
