import { useState } from "preact/hooks";
import { useStudio } from "../studio";
import { Icon } from "./icons";
import { Menu } from "./Menu";

export function DownloadMenu() {
  const studio = useStudio();
  const [rendering, setRendering] = useState(false);
  const downloadPicture = async () => {
    setRendering(true);
    await studio.download("render?width=800&height=600&samples=64", "scene.png");
    setRendering(false);
  };
  return (
    <Menu
      testId="download"
      label={rendering ? "Rendering…" : "Download"}
      icon={rendering ? <span class="spinner" /> : <Icon name="download" />}
      disabled={rendering || studio.state.value.session === null}
      items={[
        { label: "Picture", detail: "PNG, 800 × 600, 64 samples", onChoose: () => void downloadPicture() },
        {
          label: "Scene",
          detail: "JSON, every object and light",
          onChoose: () => void studio.download("scene", "scene.json"),
        },
      ]}
    />
  );
}
