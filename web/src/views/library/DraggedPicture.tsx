import { useLayoutEffect, useRef } from "preact/hooks";
import type { Library } from "../../library/library";

/** What is dragged, under the pointer until the view shows it. */
export function DraggedPicture({ library }: { library: Library }) {
  const picture = useRef<HTMLImageElement>(null);
  const dragged = library.dragged.value;
  useLayoutEffect(() => {
    const { x, y } = dragged?.pointer ?? { x: 0, y: 0 };
    picture.current?.style.setProperty("--x", `${x}px`);
    picture.current?.style.setProperty("--y", `${y}px`);
  }, [dragged]);
  if (dragged === null || dragged.isShown) return null;
  return <img ref={picture} class="library-dragged" src={library.pictureUrl(dragged.object)} alt="" />;
}
