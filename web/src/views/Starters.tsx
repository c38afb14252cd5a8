import { useStudio } from "../studio";

const PROMPTS = [
  "Create a red sphere on a grey floor with a soft light above it",
  "Build a snowman with a carrot nose under a blue sky",
  "Put three balls side by side: glass, gold and matte green",
  "Make a night scene with two coloured spot lights on a white box",
];

export function Starters() {
  const studio = useStudio();
  const connected = studio.state.value.connection.phase === "open";
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
          onClick={() => studio.sendMessage(prompt)}
        >
          {prompt}
        </button>
      ))}
    </div>
  );
}
