import { chooseFiles, MODEL_FORMATS, SCENE_FORMATS } from "../files/files";
import type { PreviewHeader } from "../protocol";
import type { Action, Workbench } from "./action";

/** Files that are opened and downloaded. */
export function fileActions({ studio, panels }: Workbench): Action[] {
  const { session, chat, access, shown } = studio.state.value;
  const isRaster = studio.view.shownMode.value === "raster";
  const animated = studio.playback.animation.value !== null;
  const none = session === null ? "there is no session yet" : undefined;
  return [
    {
      id: "save",
      section: "Files",
      label: "Save",
      keywords: "store keep",
      keys: [{ key: "s", mod: true }],
      whileTyping: true,
      run: () => studio.saved(),
    },
    {
      id: "render_image",
      section: "Files",
      label: "Render image…",
      keywords:
        "image export download size png jpeg webp exr hdr samples transparent background cut out alpha",
      unavailable: none,
      run: () => {
        panels.overlay.value = "render";
      },
    },
    {
      id: "render_animation",
      section: "Files",
      label: "Render animation…",
      keywords: "movie video export download webp gif frames zip",
      unavailable: none ?? (animated ? undefined : "nothing is animated"),
      run: () => {
        panels.overlay.value = "animation";
      },
    },
    {
      id: "download_picture",
      section: "Files",
      label: "Download the image as shown",
      keywords: "image picture render raster save jpeg png as shown export screenshot",
      unavailable: none ?? (isRaster ? undefined : whyNotSaved(shown, studio.traced.outdated.value)),
      run: () => void studio.pictures.saveShown(),
    },
    {
      id: "download_web_page",
      section: "Files",
      label: "Download as a web page",
      keywords: "html share send offline viewer export save",
      unavailable: none,
      run: () => void studio.downloads.webPage(),
    },
    {
      id: "download_scene",
      section: "Files",
      label: "Download the scene",
      keywords: "json save export",
      unavailable: none,
      run: () => void studio.downloads.sceneFile(),
    },
    ...SCENE_FORMATS.map(
      ({ format, name }): Action => ({
        id: `download_${format}`,
        section: "Files",
        label: `Download the scene as ${name}`,
        keywords: `${format} save export mesh blender`,
        unavailable: none,
        run: () => void studio.downloads.scene(format),
      }),
    ),
    ...MODEL_FORMATS.map(
      ({ format, name }): Action => ({
        id: `download_${format}`,
        section: "Files",
        label: `Download the scene as ${name}`,
        keywords: `${format} save export mesh model ar phone`,
        unavailable:
          none ?? (studio.view.rasterView.value === null ? "the raster view has not loaded yet" : undefined),
        run: () => void studio.downloads.model(format),
      }),
    ),
    ...(access === "edit"
      ? [
          {
            id: "open_file",
            section: "Files" as const,
            label: "Import a file: scene, mesh, image, environment or session",
            keywords: "open json glb gltf obj mtl pbrt ply stl zip hdr exr upload load",
            unavailable: none,
            run: () => chooseFiles((files) => void studio.fileOpener.open(files)),
          },
        ]
      : []),
    {
      id: "export_session",
      section: "Files",
      label: "Export this session",
      keywords: "save backup download",
      unavailable: none ?? (chat.length === 0 ? "it has no messages yet" : undefined),
      run: () => void studio.downloads.session(),
    },
  ];
}

/** Why the traced picture cannot be saved as it is shown. */
function whyNotSaved(shown: PreviewHeader | null, outdated: boolean): string | undefined {
  if (shown === null) return "nothing has been rendered yet";
  return outdated ? "the picture is of before: wait for the new one, or resume rendering" : undefined;
}
