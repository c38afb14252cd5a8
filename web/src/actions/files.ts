import { chooseFiles, MODEL_FORMATS, SCENE_FORMATS, sessionFileName } from "../files/files";
import type { Action, Workbench } from "./action";

/** Files that are opened and downloaded. */
export function fileActions({ studio }: Workbench): Action[] {
  const { session, chat, name, access } = studio.state.value;
  const none = session === null ? "there is no session yet" : undefined;
  return [
    {
      id: "download_picture",
      section: "Files",
      label: "Download an image",
      keywords: "png picture save render export",
      unavailable: none,
      run: () => void studio.downloads.picture("png"),
    },
    {
      id: "download_exr",
      section: "Files",
      label: "Download an HDR image (EXR)",
      keywords: "linear light picture save render export",
      unavailable: none,
      run: () => void studio.downloads.picture("exr"),
    },
    {
      id: "download_scene",
      section: "Files",
      label: "Download the scene",
      keywords: "json save export",
      unavailable: none,
      run: () => void studio.downloads.file("scene", "scene.json"),
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
            label: "Open a file: scene, mesh, picture or session",
            keywords: "import json glb gltf obj pbrt ply upload load",
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
      run: () => void studio.downloads.file("export", sessionFileName(name)),
    },
  ];
}
