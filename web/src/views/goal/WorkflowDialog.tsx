import { useStudio } from "../../studio/studio";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { Loaded } from "../common/Loaded";
import { titleOf } from "./GoalMenu";

const load = () => import("./WorkflowForm").then(({ WorkflowForm }) => WorkflowForm);

/** The parameters of a workflow, before it starts. */
export function WorkflowDialog() {
  const { goals } = useStudio();
  const workflow = goals.chosen.value;
  if (workflow === null) return null;
  const close = () => {
    goals.chosen.value = null;
  };
  return (
    <Dialog
      label={titleOf(workflow.name)}
      class="sheet workflow-dialog"
      testId="workflow-dialog"
      onClose={close}
    >
      <header class="sheet-header">
        <h2>{titleOf(workflow.name)}</h2>
        <IconButton icon="x" label="Close" onClick={close} />
      </header>
      <Loaded load={load} props={{ workflow, onDone: close }} />
    </Dialog>
  );
}
