import { focusComposer } from "../views/composer/composer-field";
import type { Action, Workbench } from "./action";

/** Which session is shown, and who may see it. */
export function sessionActions({ studio }: Workbench): Action[] {
  const { session, access } = studio.state.value;
  const none = session === null ? "there is no session yet" : undefined;
  return [
    {
      id: "new_session",
      section: "Sessions",
      label: "New session",
      keywords: "empty start begin create",
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
