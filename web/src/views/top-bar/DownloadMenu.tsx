import { MODEL_FORMATS, SCENE_FORMATS } from "../../files/files";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

export function DownloadMenu() {
  const studio = useStudio();
  const rendering = studio.downloads.rendering.value;
  return (
    <Menu
      testId="download"
      label={rendering ? "Rendering…" : "Download"}
      icon={rendering ? <span class="spinner" /> : <Icon name="download" />}
      disabled={rendering || studio.state.value.session === null}
      items={[
        {
          label: "Picture",
          detail: "PNG, 800 × 600, 64 samples",
          onChoose: () => void studio.downloads.picture("png"),
        },
        {
          label: "Large image",
          detail: "PNG, 1600 × 1200, 256 samples; takes a while",
          onChoose: () => void studio.downloads.picture("png", { width: 1600, height: 1200, samples: 256 }),
        },
        {
          label: "HDR image",
          detail: "EXR, linear and unclamped, 800 × 600",
          onChoose: () => void studio.downloads.picture("exr"),
        },
        {
          label: "Scene",
          detail: "JSON, every object and light",
          onChoose: () => void studio.downloads.file("scene", "scene.json"),
        },
        ...SCENE_FORMATS.map(({ format, name, detail }) => ({
          label: `Scene as ${name}`,
          detail,
          onChoose: () => void studio.downloads.scene(format),
        })),
        ...MODEL_FORMATS.map(({ format, name, detail }) => ({
          label: `Scene as ${name}`,
          detail,
          onChoose: () => void studio.downloads.model(format),
        })),
      ]}
    />
  );
}
