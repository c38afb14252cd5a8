import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { PROMPTS, STARTERS, type Starter } from "../../starters";
import { useStudio } from "../../studio/studio";
import { focusComposer } from "../composer/composer-field";
import { Capabilities } from "./Capabilities";

/** Ways to begin: something to say, a scene to change, examples of what can be said. */
export function Starters() {
  return (
    <div class="starters" data-testid="starters">
      <h2>What do you want to see?</h2>
      <p class="muted">
        Describe a scene. The model builds it step by step, and the picture is traced while it works.
      </p>
      <Examples />
      <details class="gallery" data-testid="what-to-ask">
        <summary>What can I ask for?</summary>
        <Capabilities />
      </details>
    </div>
  );
}

/** Something to say, and scenes to change. */
export function Examples() {
  const studio = useStudio();
  const connected = studio.state.value.connection.phase === "open";
  const gallery = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    // Buttons of a page that is not connected take no focus.
    if (!studio.examplesAsked.value || studio.state.value.connection.phase !== "open") return;
    studio.examplesAsked.value = false;
    requestAnimationFrame(() => {
      gallery.current?.closest("details")?.setAttribute("open", "");
      gallery.current?.scrollIntoView({ block: "start" });
      gallery.current?.querySelector<HTMLElement>(".gallery-buttons button")?.focus({ preventScroll: true });
    });
  });
  return (
    <>
      {PROMPTS.map((prompt) => (
        <button
          key={prompt}
          type="button"
          class="starter"
          disabled={!connected}
          onClick={() => studio.conversation.send(prompt)}
        >
          {prompt}
        </button>
      ))}
      <h3>Or start from an example, made by these words</h3>
      <div ref={gallery} data-testid="gallery">
        {STARTERS.map((starter) => (
          <GalleryEntry key={starter.name} starter={starter} disabled={!connected} />
        ))}
      </div>
    </>
  );
}

/** A finished scene: to open, or to have built again before one's eyes. */
function GalleryEntry({ starter, disabled }: { starter: Starter; disabled: boolean }) {
  const studio = useStudio();
  const { name, picture, prompts, scene } = starter;
  const open = () => {
    void studio.fileOpener.openScene(name, async () => (await fetch(scene)).text());
    focusComposer();
  };
  return (
    <section class="gallery-entry" aria-label={name}>
      {/* For pointers: by keyboard and by name there is "Open". */}
      <button
        type="button"
        class="gallery-picture"
        tabIndex={-1}
        aria-hidden="true"
        disabled={disabled}
        onClick={open}
      >
        <img src={picture} alt="" width={320} height={240} loading="lazy" />
      </button>
      <div>
        <strong>{name}</strong>
        <ol>
          {prompts.map((prompt) => (
            <li key={prompt}>{prompt}</li>
          ))}
        </ol>
        <div class="gallery-buttons">
          <button
            type="button"
            class="button button-small button-outlined"
            disabled={disabled}
            onClick={open}
          >
            Open
          </button>
          <button
            type="button"
            class="button button-small button-outlined"
            disabled={disabled}
            onClick={() => studio.conversation.sendInTurn(prompts)}
          >
            Build it again
          </button>
        </div>
      </div>
    </section>
  );
}
