import { useStudio } from "../studio";

export function ModelPicker() {
  const studio = useStudio();
  const { models, model, connection } = studio.state.value;
  const selected = models.find((choice) => choice.id === model);
  return (
    <label class="model-picker" title={selected?.note ?? "The language model that answers"}>
      <span class="visually-hidden">Model</span>
      <select
        class="button"
        data-testid="model-picker"
        value={model}
        disabled={connection.phase !== "open" || models.length === 0}
        onChange={(event) => studio.selectModel(event.currentTarget.value)}
      >
        {models.length === 0 && <option value={model}>{model || "Model"}</option>}
        {models.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}
