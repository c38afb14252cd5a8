import { useEffect, useRef, useState } from "preact/hooks";
import type { PictureQueue } from "../../library/picture-queue";
import { Icon } from "../common/icons";

interface ObjectPictureProps {
  queue: PictureQueue;
  url: string;
}

/** The traced picture of an object, which is loaded once it comes into view. */
export function ObjectPicture({ queue, url }: ObjectPictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const done = useRef(() => {});
  const [phase, setPhase] = useState<"waiting" | "loading" | "loaded" | "missing">("waiting");
  useEffect(() => {
    const element = place.current;
    if (element === null || phase !== "waiting") return;
    const observer = new IntersectionObserver((entries) => {
      done.current();
      done.current = () => {};
      if (entries.at(-1)?.isIntersecting) done.current = queue.add(() => setPhase("loading"));
    });
    observer.observe(element);
    return () => observer.disconnect();
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
