import { useEffect, useMemo } from "preact/hooks";
import { Panels } from "../panels";
import { useStudio } from "../studio";
import { Announcer } from "./Announcer";
import { ArrivalDialog } from "./ArrivalDialog";
import { ChatPanel } from "./ChatPanel";
import { ConnectionBanner } from "./ConnectionBanner";
import { DropTarget } from "./DropTarget";
import { DocumentPanel } from "./document/DocumentPanel";
import { Overlay } from "./palette/Overlay";
import { RenderStrip } from "./RenderStrip";
import { runShortcut } from "./shortcuts";
import { TopBar } from "./TopBar";
import { ViewPanel } from "./ViewPanel";

export function App() {
  const studio = useStudio();
  const panels = useMemo(() => new Panels(), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => runShortcut({ studio, panels }, event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [studio, panels]);

  return (
    <div class="studio">
      <TopBar panels={panels} />
      <ConnectionBanner />
      <main class={panels.chat.value ? "studio-main" : "studio-main studio-main-without-chat"}>
        <ChatPanel panels={panels} />
        <div class="picture-column">
          <ViewPanel />
          <RenderStrip />
        </div>
        {panels.document.value && <DocumentPanel />}
      </main>
      <DropTarget />
      <Overlay panels={panels} />
      <ArrivalDialog />
      <Announcer />
    </div>
  );
}
