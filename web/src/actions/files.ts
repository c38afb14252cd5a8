import { chooseFiles, MODEL_FORMATS, SCENE_FORMATS, sessionFileName } from "../files";
import type { Action, Workbench } from "./action";

/** Sessions as things, and what is taken out of them. */
export function fileActions({ studio }: Workbench): Action[] {
  const { session, chat, name, access } = studio.state.value;
  const none = session === null ? "there is no session yet" : undefined;
  return [
    {
      id: "download_picture",
      section: "Files",
      label: "Download the picture",
      words: "png image save render export",
      unavailable: none,
      run: () => void studio.downloadPicture("png"),
    },
    {
      id: "download_exr",
      section: "Files",
      label: "Download the picture as EXR",
      words: "linear hdr light image save render export",
      unavailable: none,
      run: () => void studio.downloadPicture("exr"),
    },
    {
      id: "download_scene",
      section: "Files",
      label: "Download the scene",
      words: "json save export",
      unavailable: none,
      run: () => void studio.download("scene", "scene.json"),
    },
    ...SCENE_FORMATS.map(
      ({ format, name }): Action => ({
        id: `download_${format}`,
        section: "Files",
        label: `Download the scene as ${name}`,
        words: `${format} save export mesh blender`,
        unavailable: none,
        run: () => void studio.downloadScene(format),
      }),
    ),
    ...MODEL_FORMATS.map(
      ({ format, name }): Action => ({
        id: `download_${format}`,
        section: "Files",
        label: `Download the scene as ${name}`,
        words: `${format} save export mesh model ar phone`,
        unavailable: none ?? (studio.view.stage.value === null ? "the view is not there yet" : undefined),
        run: () => void studio.downloadModel(format),
      }),
    ),
    ...(access === "edit"
      ? [
          {
            id: "open_file",
            section: "Files" as const,
            label: "Open a file: scene, mesh, picture or session",
            words: "import json glb gltf obj pbrt ply upload load",
            unavailable: none,
            run: () => chooseFiles((files) => void studio.intake.open(files)),
          },
        ]
      : []),
    {
      id: "export_session",
      section: "Files",
      label: "Export this session",
      words: "save backup download",
      unavailable: none ?? (chat.length === 0 ? "nothing was said in it yet" : undefined),
      run: () => void studio.download("export", sessionFileName(name)),
    },
    {
      id: "new_session",
      section: "Sessions",
      label: "Begin a new session",
      words: "empty start",
      run: () => studio.openSession(null),
    },
    {
      id: "sessions",
      section: "Sessions",
      label: "Find a session",
      words: "open list search history",
      run: () => {
        studio.popover.value = "sessions";
      },
    },
    ...(access === "edit"
      ? [
          {
            id: "share",
            section: "Sessions" as const,
            label: "Share this session",
            words: "link invite",
            unavailable: none,
            run: () => {
              studio.popover.value = "share";
            },
          },
        ]
      : []),
  ];
}
