import { useEffect, useRef } from "preact/hooks";
import { useStudio } from "../studio";
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
  return (
    <section class="view" aria-label="Picture">
      <div class="picture">
        <canvas
          ref={canvas}
          class={shown === null ? "picture-canvas picture-hidden" : "picture-canvas"}
          width={4}
          height={3}
          role="img"
          aria-label="The scene, path traced"
          data-testid="view-canvas"
        />
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
