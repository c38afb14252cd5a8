import { useEffect, useState } from "preact/hooks";
import { capabilitiesOf, EFFORT_LABELS } from "../../chat/model-settings";
import type { Panels } from "../../panels";
import type { Effort } from "../../protocol";
import { useStudio } from "../../studio/studio";

/** What the chosen model can do, how it is to answer, and the way to more models. */
export function ModelPanel({ panels, close }: { panels: Panels; close: () => void }) {
  const studio = useStudio();
  const { models, model, modelSettings } = studio.state.value;
  const chosen = models.find(({ id }) => id === model);
  // Models that were started on this machine since.
  useEffect(() => void studio.conversation.refreshModels(), []);
  if (chosen === undefined) return <p class="muted">Not connected.</p>;
  const efforts = chosen.efforts ?? [];
  return (
    <div class="model-panel">
      <h2>{chosen.label}</h2>
      <ul class="model-abilities muted" data-testid="model-abilities">
        {capabilitiesOf(chosen).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {efforts.length > 0 && (
        <label class="model-setting">
          <span>Thinking effort</span>
          <select
            class="button button-outlined"
            data-testid="model-effort"
            value={modelSettings.effort ?? ""}
            onChange={(event) => {
              const effort = event.currentTarget.value as Effort | "";
              const { temperature } = modelSettings;
              studio.conversation.selectModel(model, {
                ...(temperature !== undefined && { temperature }),
                ...(effort !== "" && { effort }),
              });
            }}
          >
            <option value="">Default</option>
            {efforts.map((effort) => (
              <option key={effort} value={effort}>
                {EFFORT_LABELS[effort]}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen.takes_temperature === true && <Temperature />}
      <button
        type="button"
        class="button button-outlined"
        data-testid="add-key"
        onClick={() => {
          close();
          panels.overlay.value = "key";
        }}
      >
        Add a key
      </button>
    </div>
  );
}

/** The sampling temperature, sent when the field is left. */
function Temperature() {
  const studio = useStudio();
  const { model, modelSettings } = studio.state.value;
  const { effort, temperature } = modelSettings;
  const [text, setText] = useState(temperature?.toString() ?? "");
  useEffect(() => setText(temperature?.toString() ?? ""), [temperature]);
  const commit = () => {
    const value = Number(text.trim());
    const chosen = text.trim() === "" || Number.isNaN(value) ? undefined : Math.min(2, Math.max(0, value));
    setText(chosen?.toString() ?? "");
    if (chosen === temperature) return;
    studio.conversation.selectModel(model, {
      ...(effort !== undefined && { effort }),
      ...(chosen !== undefined && { temperature: chosen }),
    });
  };
  return (
    <label class="model-setting">
      <span>Temperature (0 to 2)</span>
      <input
        class="field"
        inputMode="decimal"
        data-testid="model-temperature"
        placeholder="Default"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
    </label>
  );
}
