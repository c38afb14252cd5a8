import { useStudio } from "../../studio/studio";
import { leavePresentation, showBookmark } from "../../view/presenting";
import { IconButton } from "../common/IconButton";

/** The bar of a presentation: which bookmark is shown, the ones beside it, and the way out. */
export function PresentedBookmark() {
  const studio = useStudio();
  const { bookmarks, view } = studio;
  if (!view.presenting.value) return null;
  const list = bookmarks.list.value;
  const at = list.findIndex(({ camera }) => camera === view.privateCamera.value);
  const name = list[at]?.name ?? "";
  // Its number says as much as the name that a bookmark has by itself.
  const isNamed = name !== "" && !/^View \d+$/.test(name);
  return (
    <div class="presentation-bar" role="toolbar" aria-label="Presentation" data-testid="presentation-bar">
      <IconButton icon="chevronLeft" label="Previous (Left arrow)" onClick={() => showBookmark(studio, -1)} />
      <p class="presented-bookmark" role="status" data-testid="presented-bookmark">
        {isNamed && `${name} · `}
        <span class="numeric">{`${at === -1 ? "–" : at + 1} / ${list.length}`}</span>
      </p>
      <IconButton
        icon="chevronRight"
        label="Next (Right arrow, click)"
        onClick={() => showBookmark(studio, 1)}
      />
      <IconButton
        icon="x"
        label="Leave the presentation (Escape)"
        onClick={() => leavePresentation(studio)}
      />
    </div>
  );
}
