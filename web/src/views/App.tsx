import { computed, effect, untracked, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Panels } from "../panels";
import { type Studio, useStudio } from "../studio/studio";
import { Announcer } from "./chat/Announcer";
import { ChatPanel } from "./chat/ChatPanel";
import { Loaded } from "./common/Loaded";
import { ContextMenu } from "./context-menu/ContextMenu";
import { DocumentPanel } from "./DocumentPanel";
import { DropTarget } from "./DropTarget";
import { WorkflowDialog } from "./goal/WorkflowDialog";
import { LibraryPanel } from "./library/LibraryPanel";
import { ObjectDialog } from "./library/ObjectDialog";
import { Overlay } from "./palette/Overlay";
import { runShortcut } from "./palette/shortcuts";
import { SheetHandle } from "./SheetHandle";
import { Timeline } from "./timeline/Timeline";
import { ConnectionBanner } from "./top-bar/ConnectionBanner";
import { TopBar } from "./top-bar/TopBar";
import { UploadStatus } from "./UploadStatus";
import { useClipboard } from "./use-clipboard";
import { RenderStrip } from "./viewport/RenderStrip";
import { Viewport } from "./viewport/Viewport";

const loadImport = () => import("./ImportDialog").then(({ ImportDialog }) => ImportDialog);
const loadMesh = () => import("./MeshDialog").then(({ MeshDialog }) => MeshDialog);

export function App() {
  const studio = useStudio();
  const panels = useMemo(() => new Panels(), []);
  const workbench = useMemo(() => ({ studio, panels }), [studio, panels]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => runShortcut(workbench, event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [workbench]);

  useClipboard(studio);
  useSignalEffect(() => {
    if (studio.ownObjects.shown.value !== null) panels.setLibrary(true);
  });

  useEffect(() => openGuestsOnPicture(studio, panels), [studio, panels]);

  if (studio.isViewer) return <Viewer panels={panels} />;
  const hasLeftColumn = panels.chat.value || panels.library.value;
  return (
    <div class="studio">
      <TopBar panels={panels} />
      <ConnectionBanner />
      <main
        class={hasLeftColumn ? "studio-main" : "studio-main studio-main-without-chat"}
        data-sheet={panels.sheet.value}
      >
        <ChatPanel panels={panels} />
        <LibraryPanel panels={panels} />
        <div class="picture-column">
          <Viewport panels={panels} />
          <Timeline panels={panels} />
          <RenderStrip />
          <SheetHandle panels={panels} />
        </div>
        {panels.document.value && <DocumentPanel panels={panels} />}
        <ContextMenu workbench={workbench} />
      </main>
      <DropTarget />
      <UploadStatus />
      <Overlay panels={panels} />
      <FileDialogs />
      <ObjectDialog />
      <WorkflowDialog />
      <Announcer />
    </div>
  );
}

/** What is asked about files that were brought. */
function FileDialogs() {
  const { pendingImport, pendingMesh } = useStudio().fileOpener;
  return (
    <>
      {pendingImport.value !== null && <Loaded load={loadImport} props={{}} />}
      {pendingMesh.value !== null && <Loaded load={loadMesh} props={{}} />}
    </>
  );
}

/** Whoever was given a link to look at a session sees its picture first, as it is traced. */
function openGuestsOnPicture(studio: Studio, panels: Panels): () => void {
  const guestOf = computed(() => {
    const { session, access } = studio.state.value;
    return access === "view" ? (session?.id ?? null) : null;
  });
  return effect(() => {
    if (guestOf.value === null) return;
    untracked(() => {
      panels.openOnPicture();
      studio.view.mode.value = "traced";
    });
  });
}

/** The picture alone, for other pages. */
function Viewer({ panels }: { panels: Panels }) {
  return (
    <div class="studio studio-viewer" data-testid="viewer">
      <h1 class="visually-hidden">scene-llm</h1>
      <main class="studio-main studio-main-without-chat">
        {useStudio().viewsNothing.value ? (
          <p class="viewer-note" role="status" data-testid="viewer-note">
            There is no scene at this address: it is no longer shared, or the link is not complete.
          </p>
        ) : (
          <div class="picture-column">
            <Viewport panels={panels} />
            <Timeline panels={panels} />
          </div>
        )}
      </main>
    </div>
  );
}
