import { sessionIdFromUrl, urlWithSession } from "../connection/session-url";
import type { ServerMessage } from "../protocol";
import type { SessionStore } from "./session-store";

/** Which session is shown, and the page's address, which names it. */
export class SessionNavigation {
  /** The session this page itself is deleting. */
  #deleting: string | null = null;

  constructor(
    private readonly store: SessionStore,
    /** Enters a session, or a new one when it is null. */
    private readonly enter: (sessionId: string | null) => void,
  ) {}

  /** Connects to the session the address names and follows the address from then on. */
  start(): void {
    this.store.open(sessionIdFromUrl(new URL(location.href)));
    window.addEventListener("online", () => this.store.retryConnection());
    window.addEventListener("popstate", () => {
      const sessionId = sessionIdFromUrl(new URL(location.href));
      if (sessionId !== this.store.sessionId) this.enter(sessionId);
    });
  }

  /** Opens a session, or a new one when it is null; the one before stays behind the browser's Back. */
  open(sessionId: string | null): void {
    history.pushState(null, "", urlWithSession(new URL(location.href), sessionId));
    this.enter(sessionId);
  }

  /** Deletes a session for good; the shown one makes room for a new one. */
  async delete(sessionId: string): Promise<boolean> {
    this.#deleting = sessionId;
    const deleted = await this.store.attempt("The session could not be deleted", () =>
      this.store.api.remove(sessionId),
    );
    if (!deleted) this.#deleting = null;
    else if (this.store.sessionId === sessionId) this.enter(null);
    return deleted;
  }

  /** The server no longer knows the session. */
  onUnknownSession(sessionId: string): void {
    this.store.dispatch({ type: sessionId === this.#deleting ? "session_left" : "unknown_session" });
  }

  onMessage(message: ServerMessage): void {
    if (message.type === "welcome") writeToUrl(message.session_id);
    if (mayChangeBranches(message)) void this.#loadBranches();
  }

  /** Loads where the branches part; without an answer there is no switch, which harms nothing else. */
  async #loadBranches(): Promise<void> {
    const { session, branches } = this.store.state.value;
    if (session === null || branches < 2) return;
    const { id } = session;
    const list = await this.store.api.branches(id).catch(() => []);
    this.store.dispatch({ type: "branches_known", sessionId: id, branches: list });
  }
}

/** Puts the session into the fragment of the address, where no server log finds it. */
function writeToUrl(sessionId: string): void {
  const shown = urlWithSession(new URL(location.href), sessionId);
  if (shown.href !== location.href) history.replaceState(null, "", shown);
}

/** Whether branches may have come, or the first message of one, by which it is known. */
function mayChangeBranches(message: ServerMessage): boolean {
  return message.type === "welcome" || message.type === "branch_selected" || message.type === "user_message";
}
