import { useEffect } from "preact/hooks";
import type { Workflow } from "../../connection/server-api";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { Icon } from "../common/icons";
import { Popover } from "../common/Popover";
import { focusComposer } from "../composer/composer-field";

/** Sets a goal: in own words, or by a workflow. */
export function GoalMenu({ disabled }: { disabled: boolean }) {
  return (
    <Popover testId="goal-menu" label="Set a goal" icon="target" side="start" disabled={disabled}>
      {(close) => <GoalPanel close={close} />}
    </Popover>
  );
}

function GoalPanel({ close }: { close: () => void }) {
  const { goals } = useStudio();
  useEffect(() => void goals.loadWorkflows(), [goals]);
  const choose = (workflow: Workflow) => {
    close();
    goals.chosen.value = workflow;
  };
  return (
    <div class="goal-panel">
      <p class="muted">A message asks for a step. A goal is worked on until its criteria hold.</p>
      <button
        type="button"
        class="button goal-choice"
        data-testid="goal-own"
        onClick={() => {
          close();
          goals.composing.value = true;
          focusComposer();
        }}
      >
        <strong>In your own words</strong>
      </button>
      {goals.workflows.value === null && <p class="muted">Loading workflows…</p>}
      {goals.workflows.value?.map((workflow) => (
        <button
          key={workflow.name}
          type="button"
          class="button goal-choice"
          data-testid="workflow"
          onClick={() => choose(workflow)}
        >
          <strong>{titleOf(workflow.name)}</strong>
          <span class="muted">{workflow.description}</span>
        </button>
      ))}
    </div>
  );
}

/** `product-shot` as people write it. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How many variants are made. */
export function VariantsField() {
  const { goals } = useStudio();
  return (
    <select
      class="field goal-variants-field"
      aria-label="Variants"
      data-testid="goal-variants-field"
      value={String(goals.variants.value)}
      onChange={(event) => {
        goals.variants.value = Number(event.currentTarget.value);
      }}
    >
      {[1, 2, 3, 4, 5].map((count) => (
        <option key={count} value={String(count)}>
          {count === 1 ? "1 variant" : `${count} variants`}
        </option>
      ))}
    </select>
  );
}

/** Over the text, while it becomes a goal. */
export function GoalHint() {
  const { goals } = useStudio();
  if (!goals.composing.value) return null;
  return (
    <p class="goal-hint" data-testid="goal-hint">
      <Icon name="target" />
      <span>Your next message sets a goal</span>
      <VariantsField />
      <IconButton
        icon="x"
        label="Write a message instead"
        small
        onClick={() => {
          goals.composing.value = false;
          focusComposer();
        }}
      />
    </p>
  );
}
