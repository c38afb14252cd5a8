import { useComputed } from "@preact/signals";
import { contextShare, costText, percent, tokens } from "../../chat/usage";
import { useStudio } from "../../studio/studio";

/** From here on the conversation will soon be summarised. */
const NEARLY_FULL = 0.8;

/** What the session has used of models: tokens, cost, and how full the model's window is. */
export function UsageMeter() {
  const studio = useStudio();
  const usage = useComputed(() => studio.state.value.usage).value;
  const model = useComputed(() => {
    const { models, model } = studio.state.value;
    return models.find(({ id }) => id === model);
  }).value;
  // The offline model takes nothing from anybody.
  const isPaidFor = useComputed(() => studio.state.value.models.some(({ id }) => id !== "offline")).value;
  const { input_tokens, output_tokens, cached_tokens = 0, cost } = usage;
  if (!isPaidFor || input_tokens + output_tokens === 0) return null;
  const share = contextShare(usage, model);
  const nearlyFull = share !== null && share >= NEARLY_FULL;
  const lines = [
    `This session: ${input_tokens.toLocaleString("en")} tokens in, ${output_tokens.toLocaleString("en")} out`,
    ...(cached_tokens > 0
      ? [`${cached_tokens.toLocaleString("en")} input tokens came from the provider's cache`]
      : []),
    ...(cost === undefined ? [] : [`Estimated cost: ${costText(cost)}`]),
    ...(share === null ? [] : [`The conversation takes ${percent(share)} of the model's window`]),
    ...(nearlyFull ? ["Older messages will be summarized soon"] : []),
  ];
  return (
    <div
      class={nearlyFull ? "usage usage-full" : "usage"}
      title={lines.join("\n")}
      data-testid="usage"
      role="img"
      aria-label={lines.join(". ")}
    >
      {share !== null && <ContextRing share={share} />}
      <span class="numeric">{tokens(input_tokens + output_tokens)}</span>
      {cost !== undefined && <span class="numeric">· {costText(cost)}</span>}
    </div>
  );
}

/** How full the window is, as a ring that closes. */
function ContextRing({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" class="usage-ring">
      <circle cx="8" cy="8" r="6" class="usage-track" />
      <circle
        cx="8"
        cy="8"
        r="6"
        class="usage-share"
        pathLength="100"
        stroke-dasharray={`${100 * share} 100`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}
