import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Properties } from "../document/scene";

/** What the preset of a name is made of; undefined for one that is newer than this page. */
export type PresetMaterial = (name: string) => Properties | undefined;

const loaded: Signal<PresetMaterial> = signal(() => undefined);
let isRequested = false;

/** The ready-made materials: none until they have been fetched, which the first call begins. */
export function presetMaterials(): ReadonlySignal<PresetMaterial> {
  if (!isRequested) void load();
  return loaded;
}

async function load(): Promise<void> {
  isRequested = true;
  try {
    const { presetMaterial } = await import("./index");
    loaded.value = presetMaterial;
  } catch {
    // The next call tries again.
    isRequested = false;
  }
}
