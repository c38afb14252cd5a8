import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { DEFAULT_FPS, type Key, type Track } from "../../document/motion/animation";
import { isSameTime } from "../../document/motion/keys";
import { useStudio } from "../../studio/studio";
import { seconds } from "./Scrub";

/** A shorter way is a click. */
const MIN_DRAG_PX = 3;

interface KeyMarkProps {
  track: Track;
  name: string;
  at: Key;
}

/** A key as a diamond: pressed it is chosen, dragged or by arrow keys it gets another time, Delete removes it. */
export function KeyMark({ track, name, at }: KeyMarkProps) {
  const { keyframes, playback } = useStudio();
  const mark = useRef<HTMLButtonElement>(null);
  /** The time it is dragged to. */
  const dragged = useSignal<number | null>(null);
  const place = { track: name, time: at.time };
  const isEditable = keyframes.editable.value;
  const selected = keyframes.selected.value;
  const isSelected = selected?.track === name && isSameTime(selected.time, at.time);
  const duration = playback.duration.value;
  const share = (dragged.value ?? at.time) / duration;
  useLayoutEffect(() => mark.current?.style.setProperty("--at", String(share)), [share]);
  const startDrag = (event: PointerEvent) => {
    const lane = mark.current?.parentElement;
    if (event.button !== 0 || !isEditable || lane == null) return;
    const { width } = lane.getBoundingClientRect();
    const listening = new AbortController();
    const { signal } = listening;
    const end = (made: boolean) => {
      listening.abort();
      const to = dragged.value;
      dragged.value = null;
      if (made && to !== null) keyframes.move(place, to);
    };
    const onMove = ({ clientX }: PointerEvent) => {
      const way = clientX - event.clientX;
      if (dragged.value === null && Math.abs(way) < MIN_DRAG_PX) return;
      const moved = keyframes.moved(place, at.time + (way / width) * duration);
      dragged.value = moved?.time ?? at.time;
    };
    const onKeyDown = (key: KeyboardEvent) => {
      if (key.key !== "Escape") return;
      key.preventDefault();
      key.stopPropagation();
      end(false);
    };
    mark.current?.setPointerCapture(event.pointerId);
    mark.current?.addEventListener("pointermove", onMove, { signal });
    mark.current?.addEventListener("pointerup", () => end(true), { signal });
    mark.current?.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", onKeyDown, { signal, capture: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEditable) return;
    const frame = 1 / (playback.animation.value?.fps ?? DEFAULT_FPS);
    if (event.key === "Delete" || event.key === "Backspace") {
      // What is next to it takes the focus.
      mark.current?.closest<HTMLElement>(".timeline-row")?.querySelector("button")?.focus();
      keyframes.remove(place);
    } else if (event.key === "ArrowLeft") keyframes.move(place, at.time - frame);
    else if (event.key === "ArrowRight") keyframes.move(place, at.time + frame);
    else return;
    event.preventDefault();
  };
  const ease = at.easing === undefined || at.easing === "linear" ? "" : `, ${at.easing.replaceAll("_", " ")}`;
  const label = `${track.target} ${track.property} at ${seconds(at.time)} s${ease}`;
  return (
    <button
      ref={mark}
      type="button"
      class="timeline-key"
      title={label}
      aria-label={label}
      aria-pressed={isSelected}
      data-testid="timeline-key"
      onPointerDown={startDrag}
      onKeyDown={onKeyDown}
      onClick={() => keyframes.select(place)}
    />
  );
}
