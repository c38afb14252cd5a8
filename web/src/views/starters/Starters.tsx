import { STARTERS, type Starter } from "../../starters";
import { PROMPTS, TALKS } from "../../starters/prompts";
import { useStudio } from "../../studio/studio";
import { focusComposer } from "../composer/composer-field";
import { Capabilities } from "./Capabilities";

/** Ways to begin: something to say, a scene to change, examples of what can be said. */
export function Starters() {
  const studio = useStudio();
  const connected = studio.state.value.connection.phase === "open";
  const open = ({ name, scene }: Starter) => {
    void studio.fileOpener.openScene(name, async () => (await fetch(scene)).text());
    focusComposer();
  };
  return (
    <div class="starters" data-testid="starters">
      <h2>What do you want to see?</h2>
      <p class="muted">
        Describe a scene. The model builds it step by step, and the picture is traced while it works.
      </p>
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
      <h3>Or start from a scene</h3>
      <div class="starter-scenes">
        {STARTERS.map((starter) => (
          <button
            key={starter.name}
            type="button"
            class="starter-scene"
            disabled={!connected}
            onClick={() => open(starter)}
          >
            <img src={starter.picture} alt="" width={256} height={192} />
            <span>{starter.name}</span>
          </button>
        ))}
      </div>
      <details class="gallery" data-testid="gallery">
        <summary>More examples, with the words that make them</summary>
        {TALKS.map(({ name, object, prompts }) => (
          <div class="gallery-entry" key={name}>
            <button
              type="button"
              class="starter-scene"
              disabled={!connected}
              onClick={() => studio.conversation.sendInTurn(prompts)}
            >
              <img
                src={studio.api.library.objectPictureUrl(object, undefined)}
                alt=""
                width={256}
                height={192}
                loading="lazy"
              />
              <span>Build this</span>
            </button>
            <div>
              <strong>{name}</strong>
              <ol>
                {prompts.map((prompt) => (
                  <li key={prompt}>{prompt}</li>
                ))}
              </ol>
            </div>
          </div>
        ))}
      </details>
      <details class="gallery" data-testid="what-to-ask">
        <summary>What can I ask for?</summary>
        <Capabilities />
      </details>
    </div>
  );
}
