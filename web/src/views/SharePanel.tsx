import { useEffect, useState } from "preact/hooks";
import { reasonOf, type Share } from "../api";
import type { Access } from "../protocol";
import { useStudio } from "../studio";
import { ShareLink } from "./ShareLink";

/** Links to the shown session: made, copied, taken back. */
export function SharePanel() {
  const studio = useStudio();
  const id = studio.state.value.session?.id ?? "";
  const [shares, setShares] = useState<Share[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);

  /** Does what is asked, then shows the links as they are. */
  const act = async (action: () => Promise<unknown>) => {
    try {
      await action();
      setShares(await studio.api.shares(id));
      setTrouble(null);
    } catch (error) {
      setTrouble(reasonOf(error));
    }
  };
  useEffect(() => void act(async () => {}), [id]);
  const make = (access: Access) => void act(() => studio.api.share(id, access));

  return (
    <div class="shares">
      <h2>Share</h2>
      <p class="muted">Whoever has a link can open the session, until you take the link back.</p>
      <div class="shares-make">
        <button
          type="button"
          class="button button-outlined"
          data-testid="share-view"
          onClick={() => make("view")}
        >
          New link to look
        </button>
        <button
          type="button"
          class="button button-outlined"
          data-testid="share-edit"
          onClick={() => make("edit")}
        >
          New link to edit
        </button>
      </div>
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <ul class="share-list" aria-label="Links">
        {shares?.map((share) => (
          <ShareLink
            key={share.token}
            share={share}
            onRevoke={() => void act(() => studio.api.unshare(id, share.token))}
          />
        ))}
      </ul>
    </div>
  );
}
