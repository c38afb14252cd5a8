import { useMemo } from "preact/hooks";
import { delegates, toolStatus } from "../../chat/chat";
import type { ToolEntry } from "../../chat/entries";
import { toolColour, toolSubject, toolTitle } from "../../chat/tool-summary";
import { keyOf } from "../../document/state";
import { compactJson, shortDuration } from "../../format";
import { useStudio } from "../../studio/studio";
import { Icon, type IconName } from "../common/icons";
import { ChangeDot, ChangeLine } from "./ChangeLine";

/** A longer text would make the page slow without telling more. */
const MAX_JSON_LENGTH = 20_000;

/** One tool call: a line that unfolds to its arguments and its result. */
export function ToolCard({ entry }: { entry: ToolEntry }) {
  const status = toolStatus(entry);
  const colour = toolColour(entry);
  const { response, changes = [] } = entry;
  // A call mostly changes just the object it names: then the line itself tells it.
  const onlyChange = changes.length === 1 ? changes[0] : undefined;
  const { hovered } = useStudio().editor;
  const point = (key: string | null) => () => {
    hovered.value = key;
  };
  const pointing = onlyChange !== undefined && {
    onPointerEnter: point(keyOf(onlyChange)),
    onPointerLeave: point(null),
  };
  return (
    <div
      class={`tool tool-${status}${entry.parent_call_id === undefined ? "" : " tool-of-agent"}`}
      data-testid="tool-card"
      data-status={status}
      data-tool={entry.name}
      {...pointing}
    >
      <details>
        <summary class="tool-line">
          <span class="tool-icon">
            <Icon name={toolIcon(entry.name)} />
          </span>
          <span class="tool-name">{toolTitle(entry.name)}</span>
          {onlyChange !== undefined && <ChangeDot change={onlyChange} />}
          <span class="tool-subject">{toolSubject(entry)}</span>
          {colour !== null && (
            <svg class="tool-colour" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
              <rect x="0.5" y="0.5" width="9" height="9" rx="2" fill={colour} />
            </svg>
          )}
          <span class="tool-duration numeric">
            {entry.duration_ms !== undefined && shortDuration(entry.duration_ms)}
          </span>
          <span class="tool-status">
            {status === "running" && <span class="spinner" />}
            {status === "ok" && <Icon name="check" />}
            {status === "failed" && <Icon name="x" />}
            <span class="visually-hidden">{status}</span>
          </span>
        </summary>
        <Section title={`Arguments of ${entry.name}`} value={entry.args} />
        {response?.success && <Section title="Result" value={response.result ?? null} />}
        {response?.facts !== undefined && <Section title="Facts" value={response.facts} />}
      </details>
      {status === "running" && entry.note !== undefined && (
        <p class="tool-note" data-testid="tool-note">
          {entry.note}
        </p>
      )}
      {response?.success === false && <p class="tool-error">{response.error}</p>}
      {changes.length > 1 && <ChangeLine changes={changes} />}
    </div>
  );
}

function Section({ title, value }: { title: string; value: unknown }) {
  const text = useMemo(() => {
    const json = compactJson(value);
    return json.length > MAX_JSON_LENGTH ? `${json.slice(0, MAX_JSON_LENGTH)}\n…` : json;
  }, [value]);
  return (
    <div class="tool-section">
      <h3>{title}</h3>
      <pre>{text}</pre>
    </div>
  );
}

const NAMED_ICONS: Record<string, IconName> = {
  set_environment_lighting: "globe",
  set_camera: "camera",
  set_animation: "play",
  get_scene_state: "list",
  render_preview: "image",
};

function toolIcon(name: string): IconName {
  const named = NAMED_ICONS[name];
  if (named !== undefined) return named;
  if (delegates({ name })) return "users";
  if (name.startsWith("remove_")) return "trash";
  if (name.startsWith("update_")) return "pencil";
  if (name.endsWith("_light")) return "lightbulb";
  return name.startsWith("create_") ? "box" : "wrench";
}
