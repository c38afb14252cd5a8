/**
 * The session a page address names, from `#session=ID` or `?session=ID`.
 *
 * The page itself writes the fragment: it stays out of server logs and of the Referer header.
 */
export function sessionIdFromUrl(address: URL): string | null {
  const fragment = new URLSearchParams(address.hash.slice(1)).get("session");
  return fragment || address.searchParams.get("session") || null;
}

/** `address` with `sessionId` in its fragment, or without any session. */
export function urlWithSession(address: URL, sessionId: string | null): URL {
  const changed = new URL(address);
  changed.searchParams.delete("session");
  changed.hash = sessionId === null ? "" : `session=${encodeURIComponent(sessionId)}`;
  return changed;
}
