import { MODEL_FORMATS, SCENE_FORMATS } from "../../files/files";
import type { Panels } from "../../panels";
import type { PreviewHeader } from "../../protocol";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

export function DownloadMenu({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const { animations, downloads, pictures, playback, traced, view } = studio;
  const { session, shown } = studio.state.value;
  const rendering = pictures.job.value !== null;
  const isAnimating = animations.job.value !== null;
  const isRaster = view.shownMode.value === "raster";
  // A render of another scene or view is not what is meant.
  const canSave = isRaster
    ? view.rasterStatus.value.phase === "ready"
    : shown !== null && !traced.outdated.value;
  const renderItem = {
    label: rendering ? "Rendering…" : "Render picture…",
    detail: rendering ? "See how long, or cancel" : "Full quality: choose size, format and camera",
    onChoose: () => {
      panels.overlay.value = "render";
    },
  };
  const shownItem = {
    label: "Save picture",
    detail: isRaster || shown === null ? "As shown, PNG, without grid and handles" : renderDetail(shown),
    onChoose: () => void pictures.saveShown(),
  };
  const animationItem = {
    label: isAnimating ? "Rendering the animation…" : "Animation…",
    detail: isAnimating ? "See how far, or cancel" : "WebP, GIF, or frames for video programs",
    onChoose: () => {
      panels.overlay.value = "animation";
    },
  };
  const pageStep = downloads.webPageStep.value;
  const pageItem =
    pageStep === null
      ? {
          label: "Web page",
          detail: "One HTML file to send: opens anywhere, offline, to look around",
          onChoose: () => void downloads.webPage(),
        }
      : {
          label: "Cancel the web page",
          detail: `${pageStep}…`,
          onChoose: () => downloads.cancelWebPage(),
        };
  const isBusy = rendering || isAnimating || pageStep !== null;
  return (
    <Menu
      testId="download"
      label={pageStep !== null ? "Making the page…" : isBusy ? "Rendering…" : "Download"}
      icon={isBusy ? <span class="spinner" /> : <Icon name="download" />}
      disabled={session === null}
      items={[
        ...(canSave ? [shownItem] : []),
        renderItem,
        ...(playback.animation.value === null ? [] : [animationItem]),
        pageItem,
        {
          label: "Scene",
          detail: "JSON, every object and light",
          onChoose: () => void downloads.sceneFile(),
        },
      ]}
      groups={[
        {
          heading: "For other 3D programs",
          items: [
            ...SCENE_FORMATS.map(({ format, name, detail }) => ({
              label: `Scene as ${name}`,
              detail,
              onChoose: () => void downloads.scene(format),
            })),
            ...MODEL_FORMATS.map(({ format, name, detail }) => ({
              label: `Scene as ${name}`,
              detail,
              onChoose: () => void downloads.model(format),
            })),
          ],
        },
      ]}
    />
  );
}

function renderDetail({ width, height, samples }: PreviewHeader): string {
  return `As shown, JPEG, ${width} × ${height}, ${samples} ${samples === 1 ? "sample" : "samples"}`;
}
