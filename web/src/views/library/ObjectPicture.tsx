import { useEffect, useRef, useState } from "preact/hooks";
import type { PictureQueue } from "../../library/picture-queue";
import { Icon } from "../common/icons";

interface ObjectPictureProps {
  queue: PictureQueue;
  url: string;
}

/** How far below what is seen of the list pictures are loaded ahead: by as much again. */
const AHEAD = "0px 0px 100% 0px";

/** The traced picture of an object, which is loaded once it comes into view, or when there is time shortly before. */
export function ObjectPicture({ queue, url }: ObjectPictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const done = useRef(() => {});
  const [phase, setPhase] = useState<"waiting" | "loading" | "loaded" | "missing">("waiting");
  useEffect(() => {
    const element = place.current;
    if (element === null || phase !== "waiting") return;
    const places = { seen: false, near: false };
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      setPhase("loading");
    };
    const observe = (place: keyof typeof places, options?: IntersectionObserverInit) => {
      const observer = new IntersectionObserver((entries) => {
        if (hasBegun) return;
        places[place] = entries.at(-1)?.isIntersecting ?? false;
        done.current();
        done.current = () => {};
        if (places.seen || places.near) done.current = queue.add(begin, places.seen);
      }, options);
      observer.observe(element);
      return observer;
    };
    const list = element.closest(".library-grid");
    const observers = [observe("seen"), observe("near", { root: list, rootMargin: AHEAD })];
    return () => {
      for (const observer of observers) observer.disconnect();
    };
  }, [queue, phase]);
  useEffect(() => () => done.current(), []);
  const settle = (settled: "loaded" | "missing") => {
    done.current();
    setPhase(settled);
  };
  return (
    <span ref={place} class="library-picture" data-phase={phase}>
      {phase !== "loaded" && <Icon name="box" />}
      {(phase === "loading" || phase === "loaded") && (
        <img
          src={url}
          alt=""
          width={256}
          height={192}
          draggable={false}
          onLoad={() => settle("loaded")}
          onError={() => settle("missing")}
        />
      )}
    </span>
  );
}
