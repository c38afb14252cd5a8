import { useRef, useState } from "preact/hooks";
import type { Share } from "../api";
import { withSession } from "../session-url";
import { IconButton } from "./IconButton";

/** One link: its address, copying it, taking it back. */
export function ShareLink({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const what = share.access === "view" ? "link to look" : "link to edit";
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(field.current?.value ?? "");
      setSaid("Copied");
    } catch {
      // Browsers lend the clipboard only to pages they trust.
      setSaid("Press Ctrl+C");
    }
  };
  return (
    <li class="share" data-testid="share-link" data-access={share.access}>
      <span class="share-access">{share.access === "view" ? "Look" : "Edit"}</span>
      <input
        ref={field}
        class="field share-address"
        readOnly
        aria-label={`Address of the ${what}`}
        value={withSession(new URL(location.href), share.token).href}
        onFocus={(event) => event.currentTarget.select()}
      />
      <span class="share-said muted" role="status">
        {said}
      </span>
      <IconButton
        icon="copy"
        label={`Copy the ${what}`}
        testId="copy-link"
        small
        onClick={() => void copy()}
      />
      <IconButton
        icon="trash"
        label={`Take the ${what} back`}
        testId="revoke-link"
        small
        onClick={onRevoke}
      />
    </li>
  );
}
