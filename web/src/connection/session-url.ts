/**
 * The session a page address names, from `#session=ID` or `?session=ID`.
 *
 * The page itself writes the fragment: it stays out of server logs and of the Referer header.
 */
export function sessionIdFromUrl(address: URL): string | null {
  const fragment = new URLSearchParams(address.hash.slice(1)).get("session");
  return fragment || address.searchParams.get("session") || null;
}

/** Whether the page is the viewer that other pages embed, with which nothing can be changed. */
export function isViewer(address: URL): boolean {
  return address.pathname.endsWith("/embed");
}

/** Whether an address of this name leads to the computer that asks, whichever it is. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** The viewer of a session, as HTML for other pages. */
export function embeddingHtml(address: URL, token: string): string {
  const viewer = new URL(`embed?session=${encodeURIComponent(token)}`, new URL(".", address));
  return `<iframe src="${viewer.href}" width="800" height="600" style="border: 0" allowfullscreen></iframe>`;
}

/** `address` with `sessionId` in its fragment, or without any session. */
export function urlWithSession(address: URL, sessionId: string | null): URL {
  const changed = new URL(address);
  changed.searchParams.delete("session");
  changed.hash = sessionId === null ? "" : `session=${encodeURIComponent(sessionId)}`;
  return changed;
}
