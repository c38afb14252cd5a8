import { STARTERS, type Starter } from "../../starters";
import { useStudio } from "../../studio/studio";
import { focusComposer } from "../composer/composer-field";

const PROMPTS = [
  "Create a red sphere on a gray floor with a soft light above it",
  "Build a snowman with a carrot nose under a blue sky",
  "Put three balls side by side: glass, gold and matte green",
  "Make a night scene with two colored spot lights on a white box",
];

/** Ways to begin: something to say, or a scene to change. */
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
    </div>
  );
}
