import { useEffect, useState } from "preact/hooks";
import { useStudio } from "../studio";
import { Icon } from "./icons";

/** How long a fault is shown at least. */
const SHOWN_MS = 8_000;
/** For each of its letters: 16 a second is slow reading. */
const LETTER_MS = 60;

/** What the server refused, over the picture's foot, for as long as it takes to read. */
export function Faults() {
  const { faults } = useStudio().state.value;
  return (
    <div class="faults" role="status">
      {faults.map((fault) => (
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
    const timer = setTimeout(() => studio.faultSeen(id), Math.max(SHOWN_MS, LETTER_MS * text.length));
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
