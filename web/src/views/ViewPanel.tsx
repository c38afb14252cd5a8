import { useEffect, useRef } from "preact/hooks";
import { useStudio } from "../studio";
import { SelectionOutline } from "./document/SelectionOutline";
import { Faults } from "./Faults";
import { Icon } from "./icons";

/** The path-traced picture on its neutral ground. */
export function ViewPanel() {
  const studio = useStudio();
  const { shown, connection } = studio.state.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    studio.painter.attach(canvas.current);
    return () => studio.painter.attach(null);
  }, [studio]);
  const onClick = (event: MouseEvent) => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const extend = event.shiftKey || event.ctrlKey || event.metaKey;
    studio.editor.pick((event.clientX - left) / width, (event.clientY - top) / height, extend);
  };
  return (
    <section class="view" aria-label="Picture">
      <div class="picture">
        {/* A click selects; by keyboard the list of objects does. */}
        <canvas
          ref={canvas}
          class={shown === null ? "picture-canvas picture-hidden" : "picture-canvas"}
          width={4}
          height={3}
          role="img"
          aria-label="The scene, path traced"
          data-testid="view-canvas"
          onClick={onClick}
        />
        <SelectionOutline />
        {shown === null && (
          <div class="picture-placeholder" data-testid="view-placeholder">
            <Icon name="image" />
            <p>
              {connection.phase === "open"
                ? "Waiting for the first picture"
                : "The picture appears once connected"}
            </p>
          </div>
        )}
      </div>
      <Faults />
    </section>
  );
}
