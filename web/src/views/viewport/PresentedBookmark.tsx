import { useStudio } from "../../studio/studio";

/** The name of the bookmark that is presented, and how many there are. */
export function PresentedBookmark() {
  const { bookmarks, view } = useStudio();
  if (!view.presenting.value) return null;
  const list = bookmarks.list.value;
  const at = list.findIndex(({ camera }) => camera === view.privateCamera.value);
  const name = list[at]?.name;
  if (name === undefined) return null;
  return (
    <p class="presented-bookmark" role="status" data-testid="presented-bookmark">
      {name} <span class="numeric">{`${at + 1} / ${list.length}`}</span>
    </p>
  );
}
