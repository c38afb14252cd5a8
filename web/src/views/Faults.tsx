import { useEffect, useState } from "preact/hooks";
import { useStudio } from "../studio";
import { Icon } from "./icons";

/** How long a fault is shown at least, and for each of its letters: 16 letters a second is slow reading. */
const SHOWN_MS = 5_000;
const LETTER_MS = 60;
/** More would cover the picture; the newest count. */
const MOST_SHOWN = 3;

/** What the server refused, over the picture's foot, for as long as it takes to read. */
export function Faults() {
  const { faults } = useStudio().state.value;
  return (
    <div class="faults" role="status">
      {faults.slice(-MOST_SHOWN).map((fault) => (
        <Fault key={fault.id} id={fault.id} text={fault.text} />
      ))}
    </div>
  );
}

function Fault({ id, text }: { id: number; text: string }) {
  const studio = useStudio();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => studio.faultSeen(id), SHOWN_MS + LETTER_MS * text.length);
    return () => clearTimeout(timer);
  }, [studio, id, text, held]);
  return (
    <div
      class="fault"
      data-testid="fault"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name="alert" />
      <span class="fault-text">{text}</span>
      <button
        type="button"
        class="button button-icon button-small"
        aria-label="Dismiss"
        onClick={() => studio.faultSeen(id)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
