import type { BranchSwitch } from "../../../chat/branches";
import { useStudio } from "../../../studio/studio";
import { IconButton } from "../../common/IconButton";

interface BranchSwitcherProps {
  fork: BranchSwitch;
  unavailable: string | undefined;
}

/** `‹ 2 / 3 ›`: the ways in which a message was said. */
export function BranchSwitcher({ fork, unavailable }: BranchSwitcherProps) {
  const studio = useStudio();
  const { branches, position } = fork;
  const go = (step: number) => {
    const branch = branches[position + step];
    if (branch !== undefined) studio.conversation.selectBranch(branch);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div class="branch-switcher" role="group" aria-label="Versions of this message" data-testid="branches">
      <IconButton
        icon="chevronLeft"
        label="Previous version"
        testId="previous-branch"
        small
        unavailable={position === 0 ? "this is the first" : unavailable}
        onClick={() => go(-1)}
      />
      <span class="numeric" aria-live="polite">
        {position + 1} / {branches.length}
      </span>
      <IconButton
        icon="chevronRight"
        label="Next version"
        testId="next-branch"
        small
        unavailable={position === branches.length - 1 ? "this is the last" : unavailable}
        onClick={() => go(1)}
      />
    </div>
  );
}
