import { useStudio } from "../../studio/studio";

/** What can be asked for, each with an example that every model understands. */
const GROUPS: readonly { title: string; objects: readonly string[]; example: string }[] = [
  {
    title: "Furniture",
    objects: ["sofa", "armchair", "bed", "table"],
    example: "A table with a red mug on it",
  },
  { title: "Plants", objects: ["tree", "pine", "palm tree", "cactus"], example: "Add three trees in a row" },
  { title: "Animals", objects: ["cat", "dog", "horse", "elephant"], example: "A cat on a sofa" },
  { title: "Vehicles", objects: ["car", "bus", "train", "sailing boat"], example: "A red car" },
  {
    title: "Buildings",
    objects: ["house", "castle", "lighthouse", "windmill"],
    example: "A lighthouse at sunset",
  },
];

/** What is said of a scene that has something in it. */
const MORE = ["Make it blue", "Make it evening", "Look from above", "Undo that"];

/** What one can ask for, in pictures of the library. Each picture and example is a message. */
export function Capabilities() {
  const studio = useStudio();
  const disabled = studio.state.value.connection.phase !== "open";
  const isEmpty = studio.editor.scene.value.shapes.length === 0;
  const say = (text: string) => () => void studio.conversation.send(text);
  return (
    <div class="capabilities" data-testid="capabilities">
      {GROUPS.map(({ title, objects, example }) => (
        <section key={title}>
          <h3>{title}</h3>
          <div class="capability-pictures">
            {objects.map((name) => (
              <button
                key={name}
                type="button"
                class="starter-scene"
                disabled={disabled}
                onClick={say(`Add ${article(name)} ${name}`)}
              >
                <img
                  src={studio.api.library.objectPictureUrl(name, undefined)}
                  alt=""
                  width={256}
                  height={192}
                  loading="lazy"
                />
                <span>{name}</span>
              </button>
            ))}
          </div>
          <button type="button" class="follow-up" disabled={disabled} onClick={say(example)}>
            {example}
          </button>
        </section>
      ))}
      {!isEmpty && (
        <section>
          <h3>Then say what to change</h3>
          <div class="follow-ups">
            {MORE.map((text) => (
              <button key={text} type="button" class="follow-up" disabled={disabled} onClick={say(text)}>
                {text}
              </button>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function article(name: string): string {
  return /^[aeiou]/.test(name) ? "an" : "a";
}
