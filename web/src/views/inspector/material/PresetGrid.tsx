import { swatchOf } from "../../../document/swatch";
import { BALLS, PRESETS, type Preset, presetMaterial } from "../../../presets";

/** The presets whose kind or name has all the words. */
export function findPresets(words: string): readonly Preset[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return PRESETS.filter(({ name, kind }) => {
    const text = `${kind} ${name.replaceAll("_", " ")}`;
    return wanted.every((word) => text.includes(word));
  });
}

interface PresetGridProps {
  words: string;
  present: string | null;
  onChoose: (name: string) => void;
}

/** The ready-made materials by what they are made of, each as a ball that the tracer rendered. */
export function PresetGrid({ words, present, onChoose }: PresetGridProps) {
  const found = findPresets(words);
  // What Enter chooses.
  const first = words.trim() === "" ? undefined : found[0];
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return (
    <div class="preset-list">
      {kinds.map((kind) => (
        <section key={kind} aria-label={kind}>
          <h3>{kind}</h3>
          <div class="preset-row">
            {found
              .filter((preset) => preset.kind === kind)
              .map((preset) => (
                <button
                  key={preset.name}
                  type="button"
                  class={preset === first ? "preset preset-first" : "preset"}
                  aria-pressed={preset.name === present}
                  onClick={() => onChoose(preset.name)}
                >
                  <Ball preset={preset} />
                  <span>{preset.name.replaceAll("_", " ")}</span>
                </button>
              ))}
          </div>
        </section>
      ))}
      {found.length === 0 && <p class="muted">No results. Ask the model to make one.</p>}
    </div>
  );
}

/** The part of the picture that shows this one; of one that is newer than the picture its color. */
function Ball({ preset: { name, tile } }: { preset: Preset }) {
  if (tile === null) {
    return (
      <svg class="preset-ball" viewBox="0 0 10 10" aria-hidden="true">
        <circle
          cx="5"
          cy="5"
          r="4"
          fill={swatchOf({ properties: { material: name } }, presetMaterial) ?? "gray"}
        />
      </svg>
    );
  }
  return (
    <svg class="preset-ball" viewBox={`${tile.column} ${tile.row} 1 1`} aria-hidden="true">
      <image href={BALLS.address} width={BALLS.columns} height={BALLS.rows} preserveAspectRatio="none" />
    </svg>
  );
}
