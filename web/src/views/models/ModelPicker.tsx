import { byProvider } from "../../chat/model-settings";
import type { ModelInfo } from "../../protocol";
import { useStudio } from "../../studio/studio";

/** `className` and `testId` tell the one in the bar from the one of narrow pages, where a bar has no room for names. */
export function ModelPicker({ class: className, testId }: { class: string; testId: string }) {
  const studio = useStudio();
  const { models, model, connection } = studio.state.value;
  const selected = models.find((choice) => choice.id === model);
  return (
    <label class={`model-picker ${className}`} title={selected?.note ?? "The language model that answers"}>
      <span class="visually-hidden">Model</span>
      <select
        class="button"
        data-testid={testId}
        value={model}
        disabled={connection.phase !== "open" || models.length === 0}
        onChange={(event) => studio.conversation.selectModel(event.currentTarget.value)}
      >
        {models.length === 0 && <option value={model}>{model || "Model"}</option>}
        {byProvider(models).map(({ provider, models: own }) =>
          provider === "" ? (
            own.map((choice) => <Choice key={choice.id} choice={choice} />)
          ) : (
            <optgroup key={provider} label={provider}>
              {own.map((choice) => (
                <Choice key={choice.id} choice={choice} />
              ))}
            </optgroup>
          ),
        )}
      </select>
    </label>
  );
}

function Choice({ choice }: { choice: ModelInfo }) {
  return (
    <option value={choice.id} title={choice.note}>
      {choice.label}
    </option>
  );
}
