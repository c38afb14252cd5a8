import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  budgetShare,
  budgetText,
  canResume,
  criterionText,
  GOAL_STATUS,
  isOver,
  taskDepths,
} from "../../chat/goal";
import type { Goal, GoalCriterion, GoalTask } from "../../protocol";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { Icon, type IconName } from "../common/icons";
import { Loaded } from "../common/Loaded";

const loadEditor = () => import("./GoalEditor").then(({ GoalEditor }) => GoalEditor);

const loadVariants = () => import("./GoalVariants").then(({ GoalVariants }) => GoalVariants);

/** The goal of the session, over the composer: what has to hold, the tasks, and how much of the budget is used. */
export function GoalCard() {
  const studio = useStudio();
  const { goal, access } = studio.state.value;
  const hidden = useSignal<string | null>(null);
  const open = useSignal(true);
  const editing = useSignal(false);
  const id = goal?.id;
  const over = goal !== null && isOver(goal);
  // An end is one line, and so is a goal that was over when the session was opened.
  useEffect(() => {
    open.value = !over;
    if (over) editing.value = false;
  }, [id, over]);
  if (goal === null || (hidden.value === goal.id && over)) return null;
  const { label, kind } = GOAL_STATUS[goal.status];
  const met = goal.criteria.filter((criterion) => criterion.met === true).length;
  return (
    <section class="goal" aria-label="Goal" data-testid="goal" data-status={goal.status}>
      <header class="goal-header">
        <button
          type="button"
          class="goal-title"
          aria-expanded={open.value}
          data-testid="goal-toggle"
          onClick={() => {
            open.value = !open.value;
          }}
        >
          <Icon name="target" />
          <span class="goal-objective">{goal.objective}</span>
        </button>
        <span class={`goal-status goal-${kind}`} role="status" data-testid="goal-status">
          {kind === "working" && <span class="spinner" />}
          {label}
          {goal.variants !== undefined && !over && ` ${goal.variants.current} of ${goal.variants.count}`}
        </span>
        {access === "edit" && (
          <GoalButtons
            goal={goal}
            onEdit={() => {
              open.value = true;
              editing.value = !editing.value;
            }}
            onHide={() => {
              hidden.value = goal.id;
            }}
          />
        )}
      </header>
      {goal.criteria.length > 0 && !open.value && (
        <p class="goal-summary muted">
          {met} of {goal.criteria.length} criteria met
        </p>
      )}
      {open.value && editing.value && (
        <Loaded
          key={goal.id}
          load={loadEditor}
          props={{
            goal,
            onDone: () => {
              editing.value = false;
            },
          }}
        />
      )}
      {open.value && !editing.value && (
        <div class="goal-body">
          <Criteria criteria={goal.criteria} />
          <Tasks tasks={goal.tasks} />
          <Budget goal={goal} />
        </div>
      )}
      {goal.variants !== undefined && open.value && (
        <Loaded key={`variants ${goal.id}`} load={loadVariants} props={{ variants: goal.variants, over }} />
      )}
      {goal.question !== undefined && (
        <p class="goal-question" data-testid="goal-question">
          {goal.question.text}
        </p>
      )}
      {goal.reason !== undefined && goal.status !== "completed" && <p class="goal-reason">{goal.reason}</p>}
    </section>
  );
}

function GoalButtons({ goal, onEdit, onHide }: { goal: Goal; onEdit: () => void; onHide: () => void }) {
  const { goals } = useStudio();
  const over = isOver(goal);
  return (
    <span class="goal-buttons">
      {canResume(goal) && (
        <IconButton
          icon="play"
          label="Resume the goal"
          testId="goal-resume"
          small
          onClick={() => goals.resume()}
        />
      )}
      {!over && goal.status !== "paused" && (
        <IconButton
          icon="pause"
          label="Pause the goal"
          testId="goal-pause"
          small
          onClick={() => goals.pause()}
        />
      )}
      {!over && <IconButton icon="pencil" label="Edit the goal" testId="goal-edit" small onClick={onEdit} />}
      {over ? (
        <IconButton icon="x" label="Hide the goal" testId="goal-hide" small onClick={onHide} />
      ) : (
        <IconButton
          icon="stop"
          label="Stop the goal; what was done stays"
          testId="goal-cancel"
          small
          onClick={() => goals.cancel()}
        />
      )}
    </span>
  );
}

function Criteria({ criteria }: { criteria: readonly GoalCriterion[] }) {
  if (criteria.length === 0) return null;
  return (
    <ul class="goal-criteria" aria-label="Criteria">
      {criteria.map((criterion, index) => (
        <Criterion key={index} criterion={criterion} />
      ))}
    </ul>
  );
}

function Criterion({ criterion: { text, met, found } }: { criterion: GoalCriterion }) {
  const [icon, words]: [IconName, string] =
    met === undefined
      ? ["circleDashed", found === undefined ? "not checked yet" : "nobody could tell"]
      : met
        ? ["check", "met"]
        : ["x", "not met"];
  return (
    <li data-testid="goal-criterion" data-met={met ?? "unknown"}>
      <Icon name={icon} />
      <span>
        <span title={text}>{criterionText(text)}</span> <span class="visually-hidden">({words})</span>
        {met !== true && found !== undefined && <span class="muted"> – {found}</span>}
      </span>
    </li>
  );
}

const TASK_ICONS: Readonly<Record<GoalTask["status"], { icon: IconName | null; words: string }>> = {
  pending: { icon: "circleDashed", words: "to do" },
  in_progress: { icon: null, words: "under way" },
  completed: { icon: "check", words: "done" },
  failed: { icon: "x", words: "given up" },
  blocked: { icon: "lock", words: "blocked by a task that was given up" },
  skipped: { icon: "arrowDown", words: "left out" },
};

function Tasks({ tasks }: { tasks: readonly GoalTask[] }) {
  if (tasks.length === 0) return null;
  const depths = taskDepths(tasks);
  return (
    <ol class="goal-tasks" aria-label="Tasks">
      {tasks.map((task, index) => {
        const { icon, words } = TASK_ICONS[task.status];
        return (
          <li
            key={task.id}
            data-testid="goal-task"
            data-status={task.status}
            style={{ paddingLeft: `${10 * Math.min(2, depths[index] ?? 0)}px` }}
          >
            {icon === null ? <span class="spinner" /> : <Icon name={icon} />}
            <span>
              {task.description} <span class="visually-hidden">({words})</span>
              {task.attempts > 1 && <span class="muted"> – attempt {task.attempts}</span>}
              {task.error !== undefined && task.status !== "completed" && (
                <span class="goal-task-error"> {task.error}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Budget({ goal }: { goal: Goal }) {
  const share = budgetShare(goal);
  return (
    <p class="goal-budget numeric">
      {share !== null && (
        <progress class="goal-progress" max={1} value={share} aria-label="Budget used">
          {Math.round(100 * share)} %
        </progress>
      )}
      {budgetText(goal)}
    </p>
  );
}
