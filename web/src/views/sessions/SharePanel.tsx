import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Share } from "../../connection/api";
import { errorMessage } from "../../connection/http";
import { isLoopback, urlWithSession } from "../../connection/session-url";
import type { Access } from "../../protocol";
import { useStudio } from "../../studio/studio";
import { copyText } from "./copy-text";
import { ShareLink } from "./ShareLink";

/** Links to the shown session: made, copied, taken back. */
export function SharePanel() {
  const studio = useStudio();
  const id = studio.state.value.session?.id ?? "";
  const [shares, setShares] = useState<Share[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [notice, setNotice] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  /** Where in the list the link stood that was revoked: the focus goes to the one that takes its place. */
  const revoked = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (revoked.current === null) return;
    const buttons = panel.current?.querySelectorAll<HTMLElement>("[data-testid=revoke-link]") ?? [];
    const next = buttons[Math.min(revoked.current, buttons.length - 1)];
    (next ?? panel.current?.querySelector("button"))?.focus();
    revoked.current = null;
  }, [shares]);

  /** Does what is asked, then shows the links as they are. */
  const act = async (action: () => Promise<unknown>) => {
    try {
      await action();
      setShares(await studio.api.shares(id));
      setFailure(null);
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };
  useEffect(() => void act(async () => {}), [id]);
  const revoke = (token: string, index: number) =>
    void act(async () => {
      setNotice("");
      await studio.api.revokeShare(id, token);
      revoked.current = index;
    });
  const make = (access: Access) =>
    void act(async () => {
      const token = await studio.api.share(id, access);
      const copied = await copyText(urlWithSession(new URL(location.href), token).href);
      setNotice(
        copied ? `The new ${access} link is copied: paste it where you want it.` : "Copy the new link below.",
      );
    });

  return (
    <div class="shares" ref={panel}>
      <h2>Share</h2>
      <p class="muted">Anyone with a link can open the session until you revoke the link.</p>
      {isLoopback(location.hostname) && (
        <p class="muted" data-testid="share-loopback">
          Only this computer reaches this address. For others, start the server with{" "}
          <code>--addr 0.0.0.0:8080</code> and open it by this computer's own address, or send them a file:
          Download, Web page.
        </p>
      )}
      <div class="shares-make">
        <button
          type="button"
          class="button button-outlined"
          data-testid="share-view"
          onClick={() => make("view")}
        >
          New view link
        </button>
        <button
          type="button"
          class="button button-outlined"
          data-testid="share-edit"
          onClick={() => make("edit")}
        >
          New edit link
        </button>
      </div>
      <p class="shares-notice" role="status" data-testid="share-notice">
        {notice}
      </p>
      {failure !== null && (
        <p class="error-text" role="alert">
          {failure}
        </p>
      )}
      <ul class="share-list" aria-label="Links">
        {shares?.map((share, index) => (
          <ShareLink key={share.token} share={share} onRevoke={() => revoke(share.token, index)} />
        ))}
      </ul>
    </div>
  );
}
