import { type Signal, signal } from "@preact/signals";
import type { Workflow } from "../connection/server-api";
import type { GoalEdit, GoalRequest, GoalVariant } from "../protocol";
import type { SessionStore } from "./session-store";

/** Goals: results that are worked on until computation says that they are there. */
export class Goals {
  /** Whether what is written next becomes a goal instead of a message. */
  readonly composing: Signal<boolean> = signal(false);
  /** The workflows there are; null until they have been asked for. */
  readonly workflows: Signal<readonly Workflow[] | null> = signal(null);
  /** The workflow whose parameters are being filled in. */
  readonly chosen: Signal<Workflow | null> = signal(null);

  /** How many variants the next goal has. */
  readonly variants: Signal<number> = signal(1);

  constructor(private readonly store: SessionStore) {}

  start(request: GoalRequest): boolean {
    const variants = this.variants.value > 1 && { variants: this.variants.value };
    const started = this.store.request({ type: "start_goal", ...request, ...variants });
    if (started) {
      this.composing.value = false;
      this.variants.value = 1;
    }
    return started;
  }

  /** Shows another variant: its branch becomes the active one. */
  chooseVariant(variant: number): void {
    this.store.request({ type: "choose_variant", variant });
  }

  /** Where the picture of a variant is; null without a session. */
  pictureOf(variant: GoalVariant): string | null {
    const { api, sessionId } = this.store;
    return sessionId === null ? null : api.variantUrl(sessionId, variant.number, variant.revision);
  }

  pause(): void {
    this.store.request({ type: "pause_goal" });
  }

  resume(): void {
    this.store.request({ type: "resume_goal" });
  }

  cancel(): void {
    this.store.request({ type: "cancel_goal" });
  }

  edit(edit: GoalEdit): void {
    this.store.request({ type: "edit_goal", ...edit });
  }

  /** Asks for the workflows, each time the list is opened: files may have been added. */
  async loadWorkflows(): Promise<void> {
    await this.store.attempt("The workflows could not be loaded", async () => {
      this.workflows.value = await this.store.api.server.workflows();
    });
  }
}
