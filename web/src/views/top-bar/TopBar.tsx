import type { Panels } from "../../panels";
import { applyTheme, currentTheme } from "../../preferences";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { Popover } from "../common/Popover";
import { focusComposer } from "../composer/composer-field";
import { ModelPanel } from "../models/ModelPanel";
import { ModelPicker } from "../models/ModelPicker";
import { SessionName } from "../sessions/SessionName";
import { SessionsPanel } from "../sessions/SessionsPanel";
import { SharePanel } from "../sessions/SharePanel";
import { ViewSwitch } from "../viewport/ViewSwitch";
import { ConnectionStatus } from "./ConnectionStatus";
import { DownloadMenu } from "./DownloadMenu";
import { PeopleMenu } from "./PeopleMenu";

export function TopBar({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const { session, access } = studio.state.value;
  const editable = access === "edit";
  return (
    <header class="top-bar">
      <div class="top-bar-group">
        {editable ? (
          <button
            type="button"
            class="button button-icon brand-button"
            title="First page: a new scene, with examples"
            aria-label="First page: a new scene, with examples"
            data-testid="first-page"
            onClick={() => {
              studio.sessions.open(null);
              requestAnimationFrame(focusComposer);
            }}
          >
            <BrandMark />
          </button>
        ) : (
          <BrandMark />
        )}
        <h1 class="visually-hidden">scene-llm</h1>
        <Popover testId="sessions" label="Sessions" icon="list" side="start">
          {(close) => <SessionsPanel panels={panels} close={close} />}
        </Popover>
        <SessionName />
        <ConnectionStatus />
      </div>
      <div class="top-bar-group">
        {editable && <History />}
        <ViewSwitch name="view-switch" />
      </div>
      <div class="top-bar-group top-bar-end">
        {editable && <ModelPicker class="model-picker-of-bar" testId="model-picker" />}
        {editable && (
          <Popover testId="model-settings" label="Model settings and keys" icon="sliders" side="end">
            {(close) => <ModelPanel panels={panels} close={close} />}
          </Popover>
        )}
        <PeopleMenu />
        <DownloadMenu panels={panels} />
        {editable && (
          <Popover testId="share" label="Share" icon="share" side="end" disabled={session === null}>
            {() => <SharePanel />}
          </Popover>
        )}
        <IconButton
          icon="terminal"
          label="Commands (Ctrl+K); shortcuts (?)"
          testId="open-palette"
          onClick={() => {
            panels.overlay.value = "palette";
          }}
        />
        <ThemeToggle />
        <PanelToggles panels={panels} />
      </div>
    </header>
  );
}

function BrandMark() {
  return <img class="brand-mark" src="./favicon.svg" alt="" width="20" height="20" />;
}

function History() {
  const studio = useStudio();
  const { connection, canUndo, canRedo } = studio.state.value;
  const offline = connection.phase !== "open";
  return (
    <>
      <IconButton
        icon="undo"
        label="Undo (Ctrl+Z)"
        testId="undo"
        disabled={offline || !canUndo}
        onClick={() => studio.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo (Ctrl+Shift+Z)"
        testId="redo"
        disabled={offline || !canRedo}
        onClick={() => studio.redo()}
      />
    </>
  );
}

function PanelToggles({ panels }: { panels: Panels }) {
  const chat = panels.chat.value && !panels.library.value;
  const document = panels.document.value;
  return (
    <>
      {(panels.wide.value || !panels.chat.value) && (
        <IconButton
          icon="panelLeft"
          label={chat ? "Hide the chat (all panels: Ctrl+\\)" : "Show the chat"}
          testId="toggle-chat"
          onClick={() => panels.setChat(!chat)}
        />
      )}
      <IconButton
        icon="panelRight"
        label={document ? "Hide the scene panel (all panels: Ctrl+\\)" : "Show the scene panel"}
        testId="toggle-document"
        onClick={() => panels.setDocument(!document)}
      />
    </>
  );
}

function ThemeToggle() {
  const other = currentTheme() === "dark" ? "light" : "dark";
  return (
    <IconButton
      icon={other === "light" ? "sun" : "moon"}
      label={`Switch to the ${other} theme`}
      testId="theme"
      onClick={() => applyTheme(other, true)}
    />
  );
}
