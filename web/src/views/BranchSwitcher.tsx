import type { BranchSwitch } from "../branches";
import { useStudio } from "../studio";
import { IconButton } from "./IconButton";

interface BranchSwitcherProps {
  parting: BranchSwitch;
  unavailable: string | undefined;
}

/** `‹ 2 / 3 ›`: the ways in which a message was said. */
export function BranchSwitcher({ parting, unavailable }: BranchSwitcherProps) {
  const studio = useStudio();
  const { branches, position } = parting;
  const go = (step: number) => {
    const branch = branches[position + step];
    if (branch !== undefined) studio.selectBranch(branch);
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
        icon="chevron"
        label="Next version"
        testId="next-branch"
        small
        unavailable={position === branches.length - 1 ? "this is the last" : unavailable}
        onClick={() => go(1)}
      />
    </div>
  );
}
