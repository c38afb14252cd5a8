import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { PointerPicking } from "./pointing";
import { SelectionOutline } from "./SelectionOutline";

interface TracedPictureProps {
  frame: RefObject<HTMLDivElement | null>;
  covers: { readonly value: boolean };
}

/** The newest path-traced picture. */
export function TracedPicture({ frame, covers }: TracedPictureProps) {
  const studio = useStudio();
  const { shown, connection } = studio.state.value;
  const mode = studio.view.shownMode.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointing = useMemo(() => new PointerPicking(studio, "traced", covers), [studio, covers]);
  useEffect(() => {
    studio.traced.painter.attach(canvas.current);
    return () => studio.traced.painter.attach(null);
  }, [studio]);
  const words = connection.phase === "open" ? "Rendering…" : "Not connected";
  return (
    <div class="picture picture-of-tracer">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a pointer's own; by keyboard the list of objects does. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <div
        ref={frame}
        class="picture-frame"
        onPointerDown={pointing.onPointerDown}
        onPointerUp={pointing.onPointerUp}
        onContextMenu={pointing.onContextMenu}
        onClick={pointing.onClick}
        onDblClick={pointing.onDblClick}
        onPointerMove={pointing.onPointerMove}
        onPointerLeave={pointing.onPointerLeave}
      >
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
            <p>{words}</p>
          </div>
        )}
        {mode === "split" && <SelectionOutline />}
      </div>
    </div>
  );
}
