import { focusComposer } from "../views/composer/composer-field";
import type { Action, Workbench } from "./action";

/** Leads to the first page of a new session, down to its examples. */
export function showExamples({ studio, panels }: Workbench): void {
  const { chat, outgoing } = studio.state.value;
  if (chat.length > 0 || outgoing.length > 0) studio.sessions.open(null);
  panels.setChat(true);
  panels.uncoverChat();
  studio.examplesAsked.value = true;
}

/** Which session is shown, and who may see it. */
export function sessionActions(workbench: Workbench): Action[] {
  const { studio } = workbench;
  const { session, access } = studio.state.value;
  const none = session === null ? "there is no session yet" : undefined;
  return [
    {
      id: "new_session",
      section: "Sessions",
      label: "New scene",
      keywords: "session empty start begin create first page",
      run: () => {
        studio.sessions.open(null);
        requestAnimationFrame(focusComposer);
      },
    },
    {
      id: "sessions",
      section: "Sessions",
      label: "Search sessions",
      keywords: "open list find history",
      run: () => {
        studio.popover.value = "sessions";
      },
    },
    ...(access === "edit"
      ? [
          {
            id: "examples",
            section: "Sessions" as const,
            label: "Examples",
            keywords: "start begin first page home gallery scenes samples starters",
            run: () => showExamples(workbench),
          },
          {
            id: "share",
            section: "Sessions" as const,
            label: "Share this session",
            keywords: "link invite embed iframe html website",
            unavailable: none,
            run: () => {
              studio.popover.value = "share";
            },
          },
        ]
      : []),
  ];
}
