import { useSignal } from "@preact/signals";
import { criteriaIn, limitIn, withTurns } from "../../chat/goal";
import type { Goal } from "../../protocol";
import { useStudio } from "../../studio/studio";

/** The goal in fields: what is wanted, what has to hold, how many turns it may take, tasks to leave out. */
export function GoalEditor({ goal, onDone }: { goal: Goal; onDone: () => void }) {
  const { goals } = useStudio();
  const objective = useSignal(goal.objective);
  const criteria = useSignal(goal.criteria.map(({ text }) => text).join("\n"));
  const turns = useSignal(goal.budget.turns?.toString() ?? "");
  const skipped = useSignal<ReadonlySet<string>>(new Set());
  const limit = limitIn(turns.value);
  const open = goal.tasks.filter(({ status }) => status === "pending" || status === "in_progress");
  const save = () => {
    if (limit === null || objective.value.trim() === "") return;
    goals.edit({
      objective: objective.value.trim(),
      criteria: criteriaIn(criteria.value),
      budget: withTurns(goal.budget, limit),
      skip: [...skipped.value],
    });
    onDone();
  };
  const toggle = (id: string) => {
    const next = new Set(skipped.value);
    if (!next.delete(id)) next.add(id);
    skipped.value = next;
  };
  return (
    <form
      class="goal-editor"
      data-testid="goal-editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <label>
        Goal
        <textarea
          class="field"
          rows={2}
          value={objective.value}
          onInput={(event) => {
            objective.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        Criteria, one per line
        <textarea
          class="field"
          rows={Math.min(8, 2 + goal.criteria.length)}
          value={criteria.value}
          placeholder="at least 4 chair"
          onInput={(event) => {
            criteria.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        Maximum turns
        <input
          class="field numeric"
          inputMode="numeric"
          placeholder="no limit"
          aria-invalid={limit === null}
          value={turns.value}
          onInput={(event) => {
            turns.value = event.currentTarget.value;
          }}
        />
      </label>
      {limit === null && (
        <p class="goal-task-error" role="alert">
          Enter a whole number from 1, or leave it empty for no limit.
        </p>
      )}
      {open.length > 0 && (
        <fieldset class="goal-skip">
          <legend>Tasks to do</legend>
          {open.map(({ id, description }) => (
            <label key={id}>
              <input type="checkbox" checked={!skipped.value.has(id)} onChange={() => toggle(id)} />
              {description}
            </label>
          ))}
        </fieldset>
      )}
      <div class="goal-editor-buttons">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button
          type="submit"
          class="button button-primary"
          data-testid="goal-save"
          disabled={limit === null || objective.value.trim() === ""}
        >
          Save
        </button>
      </div>
    </form>
  );
}
