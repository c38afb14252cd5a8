import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Loaded } from "../common/Loaded";
import { CommandPalette } from "./CommandPalette";
import { ShortcutSheet } from "./ShortcutSheet";

const loadKeyHelp = () => import("../models/KeyHelp").then(({ KeyHelp }) => KeyHelp);
const loadRenderDialog = () => import("../render/RenderDialog").then(({ RenderDialog }) => RenderDialog);
const loadAnimationDialog = () =>
  import("../render/AnimationDialog").then(({ AnimationDialog }) => AnimationDialog);

/** The window over the page, where one is open. */
export function Overlay({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const close = () => {
    panels.overlay.value = null;
  };
  switch (panels.overlay.value) {
    case "palette":
      return <CommandPalette workbench={{ studio, panels }} onClose={close} />;
    case "shortcuts":
      return <ShortcutSheet workbench={{ studio, panels }} onClose={close} />;
    case "key":
      return <Loaded load={loadKeyHelp} props={{ onClose: close }} />;
    case "render":
      return <Loaded load={loadRenderDialog} props={{ onClose: close }} />;
    case "animation":
      return <Loaded load={loadAnimationDialog} props={{ onClose: close }} />;
    default:
      return null;
  }
}
