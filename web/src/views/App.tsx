import { useEffect, useMemo } from "preact/hooks";
import { Panels } from "../panels";
import { useStudio } from "../studio/studio";
import { Announcer } from "./chat/Announcer";
import { ChatPanel } from "./chat/ChatPanel";
import { DocumentPanel } from "./DocumentPanel";
import { DropTarget } from "./DropTarget";
import { ImportDialog } from "./ImportDialog";
import { LibraryPanel } from "./library/LibraryPanel";
import { Overlay } from "./palette/Overlay";
import { runShortcut } from "./palette/shortcuts";
import { ConnectionBanner } from "./top-bar/ConnectionBanner";
import { TopBar } from "./top-bar/TopBar";
import { RenderStrip } from "./viewport/RenderStrip";
import { Viewport } from "./viewport/Viewport";

export function App() {
  const studio = useStudio();
  const panels = useMemo(() => new Panels(), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => runShortcut({ studio, panels }, event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [studio, panels]);

  const hasLeftColumn = panels.chat.value || panels.library.value;
  return (
    <div class="studio">
      <TopBar panels={panels} />
      <ConnectionBanner />
      <main class={hasLeftColumn ? "studio-main" : "studio-main studio-main-without-chat"}>
        <ChatPanel panels={panels} />
        <LibraryPanel panels={panels} />
        <div class="picture-column">
          <Viewport panels={panels} />
          <RenderStrip />
        </div>
        {panels.document.value && <DocumentPanel panels={panels} />}
      </main>
      <DropTarget />
      <Overlay panels={panels} />
      <ImportDialog />
      <Announcer />
    </div>
  );
}
