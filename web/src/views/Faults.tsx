import { useEffect } from "preact/hooks";
import { useStudio } from "../studio";
import { Icon } from "./icons";

const SHOWN_MS = 8_000;

/** What the server refused, over the picture's foot, for a while. */
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
  useEffect(() => {
    const timer = setTimeout(() => studio.faultSeen(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [studio, id]);
  return (
    <div class="fault" data-testid="fault">
      <Icon name="alert" />
      <span>{text}</span>
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
