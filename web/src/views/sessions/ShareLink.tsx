import { useRef, useState } from "preact/hooks";
import type { Share } from "../../connection/api";
import { embeddingHtml, urlWithSession } from "../../connection/session-url";
import { IconButton } from "../common/IconButton";
import { copyText } from "./copy-text";

/** One link: its address, copying it, taking it back. */
export function ShareLink({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState("");
  const what = share.access === "view" ? "view link" : "edit link";
  const copy = async () => {
    field.current?.select();
    setStatus((await copyText(field.current?.value ?? "")) ? "Copied" : "Press Ctrl+C");
  };
  const copyHtml = async () => {
    const isCopied = await copyText(embeddingHtml(new URL(location.href), share.token));
    setStatus(isCopied ? "HTML copied" : "Copying is not allowed");
  };
  return (
    <li class="share" data-testid="share-link" data-access={share.access}>
      <span class="share-access">{share.access === "view" ? "View only" : "Can edit"}</span>
      <input
        ref={field}
        class="field share-address"
        readOnly
        aria-label={`Address of the ${what}`}
        value={urlWithSession(new URL(location.href), share.token).href}
        onFocus={(event) => event.currentTarget.select()}
      />
      <span class="share-status muted" role="status">
        {status}
      </span>
      <IconButton
        icon="copy"
        label={`Copy the ${what}`}
        testId="copy-link"
        small
        onClick={() => void copy()}
      />
      {share.access === "view" && (
        <IconButton
          icon="code"
          label="Copy the HTML to embed the view"
          testId="copy-embed"
          small
          onClick={() => void copyHtml()}
        />
      )}
      <IconButton icon="trash" label={`Revoke the ${what}`} testId="revoke-link" small onClick={onRevoke} />
    </li>
  );
}
