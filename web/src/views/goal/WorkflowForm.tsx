import { useSignal } from "@preact/signals";
import type { Workflow, WorkflowParameter } from "../../connection/server-api";
import { useStudio } from "../../studio/studio";
import { titleOf, VariantsField } from "./GoalMenu";

/** The parameters of a workflow in fields. */
export function WorkflowForm({ workflow, onDone }: { workflow: Workflow; onDone: () => void }) {
  const { goals } = useStudio();
  const parameters = Object.entries(workflow.parameters);
  // Only what the user changes: variants take other values for the rest.
  const values = useSignal<Readonly<Record<string, string>>>({});
  return (
    <form
      class="workflow-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (goals.start({ workflow: workflow.name, parameters: { ...values.value } })) onDone();
      }}
    >
      <p>{workflow.description}</p>
      {parameters.map(([name, parameter]) => (
        <label key={name} htmlFor={`parameter-${name}`}>
          <span>
            {titleOf(name)} <span class="muted">{parameter.description}</span>
          </span>
          <ParameterField
            id={`parameter-${name}`}
            parameter={parameter}
            value={values.value[name] ?? parameter.default}
            onValue={(value) => {
              values.value = { ...values.value, [name]: value };
            }}
          />
        </label>
      ))}
      <VariantsField />
      <div class="goal-editor-buttons">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="button button-primary" data-testid="workflow-start">
          Start
        </button>
      </div>
    </form>
  );
}

interface ParameterFieldProps {
  id: string;
  parameter: WorkflowParameter;
  value: string;
  onValue: (value: string) => void;
}

function ParameterField({ id, parameter, value, onValue }: ParameterFieldProps) {
  const { type, values = [], min, max } = parameter;
  if (type === "choice") {
    return (
      <select id={id} class="field" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    );
  }
  const field = {
    id,
    class: "field",
    required: true,
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onValue(event.currentTarget.value),
  };
  if (type === "text") return <input {...field} />;
  return (
    <input
      {...field}
      type="number"
      step={type === "integer" ? 1 : "any"}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
    />
  );
}
