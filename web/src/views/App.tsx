import { useEffect } from "preact/hooks";
import { type Studio, useStudio } from "../studio";
import { Announcer } from "./Announcer";
import { ChatPanel } from "./ChatPanel";
import { ConnectionBanner } from "./ConnectionBanner";
import { DropTarget } from "./DropTarget";
import { RenderStrip } from "./RenderStrip";
import { TopBar } from "./TopBar";
import { ViewPanel } from "./ViewPanel";

export function App() {
  const studio = useStudio();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => runShortcut(studio, event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [studio]);

  return (
    <div class="studio">
      <TopBar />
      <ConnectionBanner />
      <main class="studio-main">
        <ChatPanel />
        <div class="picture-column">
          <ViewPanel />
          <RenderStrip />
        </div>
      </main>
      <DropTarget />
      <Announcer />
    </div>
  );
}

/** Escape stops the model anywhere; undo and redo leave text fields their own. */
function runShortcut(studio: Studio, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.key === "Escape") {
    const { running, access } = studio.state.value;
    if (running && access === "edit") studio.stop();
    return;
  }
  const inText = isTextField(event.target) && event.target.value !== "";
  if (studio.state.value.access === "view" || inText || !(event.ctrlKey || event.metaKey) || event.altKey)
    return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) studio.undo();
  else if (key === "y" || key === "z") studio.redo();
  else return;
  event.preventDefault();
}

function isTextField(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "radio")
  );
}
