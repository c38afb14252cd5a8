import type { Effort, ModelInfo, ModelPrices } from "../protocol";
import { tokens } from "./usage";

/** How a model is to answer; the provider's default for what is left out. */
export interface ModelSettings {
  effort?: Effort;
  temperature?: number;
}

export const EFFORT_LABELS: Record<Effort, string> = {
  off: "Off",
  low: "Low",
  medium: "Medium",
  high: "High",
  max: "Maximum",
};

/** The settings among other things. */
export function pickSettings({ effort, temperature }: ModelSettings): ModelSettings {
  return { ...(effort !== undefined && { effort }), ...(temperature !== undefined && { temperature }) };
}

/** As much of the settings as `model` takes. */
export function supportedSettings(
  model: ModelInfo | undefined,
  { effort, temperature }: ModelSettings,
): ModelSettings {
  const takesEffort = effort !== undefined && (model?.efforts ?? []).includes(effort);
  const takesTemperature = temperature !== undefined && model?.takes_temperature === true;
  return { ...(takesEffort && { effort }), ...(takesTemperature && { temperature }) };
}

/** The chosen model, where it is known to see no images. */
export function blindModel(models: readonly ModelInfo[], model: string): ModelInfo | null {
  const chosen = models.find(({ id }) => id === model);
  return chosen?.sees_images === false ? chosen : null;
}

/** The capabilities of a model, one line each. */
export function capabilitiesOf(model: ModelInfo): string[] {
  const window = model.context_window;
  return [
    ...(model.provider === undefined ? [] : [`From ${model.provider}`]),
    ...(window === undefined ? [] : [`Reads up to ${tokens(window)} tokens`]),
    model.sees_images ? "Accepts images" : "No image input",
    ...(model.native_tools === false ? ["Tool calls as text"] : []),
    ...(model.thinks === true ? ["Reasoning"] : []),
    ...(model.prices === undefined ? [] : [priceText(model.prices)]),
  ];
}

function priceText({ input, output }: ModelPrices): string {
  if (input === 0 && output === 0) return "Free";
  return `$${input} for a million tokens in, $${output} out`;
}

/** Models under the name of who provides them, in the list's order; those of nobody last. */
export function byProvider(models: readonly ModelInfo[]): { provider: string; models: ModelInfo[] }[] {
  const groups = new Map<string, ModelInfo[]>();
  for (const model of models) {
    const provider = model.provider ?? "";
    groups.set(provider, [...(groups.get(provider) ?? []), model]);
  }
  const named = [...groups].map(([provider, of]) => ({ provider, models: of }));
  return [
    ...named.filter(({ provider }) => provider !== ""),
    ...named.filter(({ provider }) => provider === ""),
  ];
}
