import { MODEL_FORMATS, SCENE_FORMATS } from "../files";
import { useStudio } from "../studio";
import { Icon } from "./icons";
import { Menu } from "./Menu";

export function DownloadMenu() {
  const studio = useStudio();
  const rendering = studio.rendering.value;
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
          onChoose: () => void studio.downloadPicture("png"),
        },
        {
          label: "Large picture",
          detail: "PNG, 1600 × 1200, 256 samples; takes a while",
          onChoose: () => void studio.downloadPicture("png", { width: 1600, height: 1200, samples: 256 }),
        },
        {
          label: "Picture with its light",
          detail: "EXR, linear and unclamped, 800 × 600",
          onChoose: () => void studio.downloadPicture("exr"),
        },
        {
          label: "Scene",
          detail: "JSON, every object and light",
          onChoose: () => void studio.download("scene", "scene.json"),
        },
        ...SCENE_FORMATS.map(({ format, name, detail }) => ({
          label: `Scene as ${name}`,
          detail,
          onChoose: () => void studio.downloadScene(format),
        })),
        ...MODEL_FORMATS.map(({ format, name, detail }) => ({
          label: `Scene as ${name}`,
          detail,
          onChoose: () => void studio.downloadModel(format),
        })),
      ]}
    />
  );
}
