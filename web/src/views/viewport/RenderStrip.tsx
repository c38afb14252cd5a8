import { renderFacts } from "../../format";
import type { Quality } from "../../protocol";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

const QUALITIES: { quality: Quality; label: string; title: string }[] = [
  { quality: "draft", label: "Draft", title: "Small and quick: 16 samples a pixel" },
  { quality: "preview", label: "Preview", title: "Good while you work: refined for 20 seconds" },
  { quality: "final", label: "Final", title: "Large, refined for 3 minutes" },
];

/** How far the picture is, and how good it shall become. */
export function RenderStrip() {
  const studio = useStudio();
  const { render, shown, quality, paused, connection } = studio.state.value;
  const connected = connection.phase === "open";
  const isRaster = studio.view.shownMode.value === "raster";
  const facts = isRaster
    ? ["Raster view"]
    : render === null
      ? ["No render yet"]
      : renderFacts(render, paused);
  const pauseLabel = paused ? "Resume rendering" : "Pause rendering";
  return (
    <section class="render-strip" data-testid="render-strip" aria-label="Rendering">
      <progress
        class="render-progress"
        aria-label="Samples traced"
        max={render?.targetSamples ?? 1}
        value={render?.samples ?? 0}
      />
      <button
        type="button"
        class="button button-icon button-small"
        data-testid="pause"
        title={pauseLabel}
        aria-label={pauseLabel}
        disabled={!connected}
        onClick={() => studio.traced.setPaused(!paused)}
      >
        <Icon name={paused ? "play" : "pause"} />
      </button>
      <span class="render-facts numeric" data-testid="render-facts">
        {facts.map((fact, index) => (
          <span key={index} class="render-fact">
            {fact}
          </span>
        ))}
      </span>
      {shown !== null && (
        <span class="render-size numeric muted">
          {shown.width} × {shown.height}
        </span>
      )}
      <fieldset class="segments" disabled={!connected}>
        <legend class="visually-hidden">Quality</legend>
        {QUALITIES.map((choice) => (
          <label key={choice.quality} class="segment" title={choice.title}>
            <input
              type="radio"
              name="quality"
              class="visually-hidden"
              data-testid={`quality-${choice.quality}`}
              checked={quality === choice.quality}
              onChange={() => studio.traced.setQuality(choice.quality)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </fieldset>
    </section>
  );
}
