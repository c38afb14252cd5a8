import { useState } from "preact/hooks";
import { applyTheme, preferredTheme } from "../preferences";
import { useStudio } from "../studio";
import { ConnectionStatus } from "./ConnectionStatus";
import { DownloadMenu } from "./DownloadMenu";
import { Icon, type IconName } from "./icons";
import { ModelPicker } from "./ModelPicker";

export function TopBar() {
  const studio = useStudio();
  const { connection, canUndo, canRedo } = studio.state.value;
  const offline = connection.phase !== "open";
  return (
    <header class="top-bar">
      <div class="top-bar-group">
        <img class="brand-mark" src="./favicon.svg" alt="" width="20" height="20" />
        <h1 class="brand-name">scene-llm</h1>
        <ConnectionStatus />
      </div>
      <div class="top-bar-group">
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
      </div>
      <div class="top-bar-group top-bar-end">
        <ModelPicker />
        <DownloadMenu />
        <button
          type="button"
          class="button"
          data-testid="new-session"
          title="Start a new, empty session"
          onClick={() => studio.openSession(null)}
        >
          <Icon name="plus" />
          <span class="wide-only">New session</span>
        </button>
        <ThemeToggle />
      </div>
    </header>
  );
}

function ThemeToggle() {
  const [theme, setTheme] = useState(preferredTheme);
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    applyTheme(other, true);
    setTheme(other);
  };
  return (
    <IconButton
      icon={other === "light" ? "sun" : "moon"}
      label={`Switch to the ${other} theme`}
      testId="theme"
      disabled={false}
      onClick={change}
    />
  );
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  testId: string;
  disabled: boolean;
  onClick: () => void;
}

function IconButton({ icon, label, testId, disabled, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="button button-icon"
      title={label}
      aria-label={label}
      data-testid={testId}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
