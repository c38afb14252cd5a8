import { variantText } from "../../chat/goal";
import type { GoalVariant, GoalVariants as Variants } from "../../protocol";
import { useStudio } from "../../studio/studio";

/** The variants of a goal side by side, the best first. One is shown; any other can be chosen. */
export function GoalVariants({ variants: { made, chosen }, over }: { variants: Variants; over: boolean }) {
  if (made.length === 0) return null;
  return (
    <ul class="goal-variants" aria-label="Variants" data-testid="goal-variants">
      {made.map((variant, index) => (
        <VariantFigure
          key={variant.number}
          variant={variant}
          best={over && index === 0}
          chosen={variant.number === chosen}
          over={over}
        />
      ))}
    </ul>
  );
}

interface VariantFigureProps {
  variant: GoalVariant;
  best: boolean;
  chosen: boolean;
  over: boolean;
}

function VariantFigure({ variant, best, chosen, over }: VariantFigureProps) {
  const { goals, state } = useStudio();
  const picture = goals.pictureOf(variant);
  return (
    <li class="goal-variant" data-testid="goal-variant" data-chosen={chosen}>
      {picture !== null && <img src={picture} alt={`Variant ${variant.number}`} loading="lazy" />}
      <p>
        <strong>
          Variant {variant.number}
          {best && " – best"}
        </strong>
        <span class="muted">{variantText(variant)}</span>
      </p>
      {over && state.value.access === "edit" && (
        <button
          type="button"
          class="button"
          data-testid="goal-choose"
          aria-label={chosen ? `Variant ${variant.number} is shown` : `Choose variant ${variant.number}`}
          disabled={chosen}
          onClick={() => goals.chooseVariant(variant.number)}
        >
          {chosen ? "Shown" : "Choose"}
        </button>
      )}
    </li>
  );
}
