import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import type { Side } from "../../view/saved-renders";
import { useAddress } from "../common/use-address";

/** The saved render on a side of the wipe divider, where one was chosen. */
export function SavedRenderPicture({ side }: { side: Side }) {
  const { view } = useStudio();
  const image = useRef<HTMLImageElement>(null);
  const saved = view.savedRenders.sides[side].value;
  const address = useAddress(saved?.content ?? null);
  const divider = view.divider.value;
  useLayoutEffect(() => image.current?.style.setProperty("--divider", String(divider)), [divider, address]);
  if (saved === null || address === null) return null;
  return (
    <img
      ref={image}
      class={`saved-render saved-render-${side}`}
      src={address}
      alt={saved.name}
      data-testid={`saved-render-${side}`}
    />
  );
}
