import { useMemo } from "preact/hooks";
import { followUps } from "../../chat/follow-ups";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { focusComposer } from "../composer/composer-field";
import { Capabilities } from "./Capabilities";
import { Examples } from "./Starters";

/** A question for what one can say, which pictures answer better than words. */
const ASKS_WHAT =
  /\bwhat (can|could|do) (you|i|we) (do|make|build|create|say|ask|type|draw)\b|^\s*help\s*[?!.]*\s*$/i;

/** What could be said next, below the last answer. */
export function FollowUps() {
  const studio = useStudio();
  const { chat, running, outgoing, access, connection, document } = studio.state.value;
  const { scene } = document;
  const last = chat.at(-1);
  const asked = chat.findLast((entry) => entry.kind === "user");
  const answer = last?.kind === "model" ? last.text : null;
  const ideas = useMemo(() => (answer === null ? [] : followUps(scene, answer)), [scene, answer]);
  if (running || outgoing.length > 0 || access !== "edit" || answer === null) return null;
  const offline = connection.phase !== "open";
  return (
    <>
      {asked?.kind === "user" && ASKS_WHAT.test(asked.text) ? (
        <Capabilities />
      ) : (
        scene.shapes.length === 0 && (
          // Closed, so that the answer stays in view.
          <details class="starters gallery" data-testid="ways-to-begin">
            <summary>Ways to begin</summary>
            <Examples />
          </details>
        )
      )}
      {ideas.length > 0 && (
        <div class="follow-ups" data-testid="follow-ups">
          {ideas.map(({ label, text, isRest }) => (
            <button
              key={label}
              type="button"
              class={isRest ? "follow-up follow-up-rest" : "follow-up"}
              disabled={offline}
              title={isRest ? "Put these words into the message field to rephrase them" : undefined}
              onClick={() => {
                if (isRest) {
                  studio.conversation.draft.value = text;
                  focusComposer();
                } else studio.conversation.send(text);
              }}
            >
              {isRest && <Icon name="pencil" />}
              {label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
