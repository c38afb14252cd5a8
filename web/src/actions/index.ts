import type { Action, Workbench } from "./action";
import { animationActions } from "./animation";
import { arrangeActions } from "./arrange";
import { conversationActions } from "./conversation";
import { displayActions } from "./display";
import { editActions } from "./edit";
import { fileActions } from "./files";
import { matches } from "./keys";
import { sessionActions } from "./sessions";
import { viewportActions } from "./viewport";

export type { Action, Section, Workbench } from "./action";
export { SECTIONS } from "./action";

/** Everything a user can do now, in the order of its sections. Changes whenever the state does. */
export function actionsOf(workbench: Workbench): Action[] {
  const editable = workbench.studio.state.value.access === "edit";
  return [
    ...(editable
      ? [...conversationActions(workbench), ...editActions(workbench), ...arrangeActions(workbench)]
      : []),
    ...displayActions(workbench),
    ...viewportActions(workbench),
    ...animationActions(workbench),
    ...fileActions(workbench),
    ...sessionActions(workbench),
    ...helpActions(workbench),
  ];
}

/** What a key does now, or would do if it were available. */
export function actionOfKey(workbench: Workbench, event: KeyboardEvent): Action | undefined {
  return actionsOf(workbench).find(({ keys }) => keys?.some((shortcut) => matches(shortcut, event)) === true);
}

function helpActions({ panels }: Workbench): Action[] {
  return [
    {
      id: "palette",
      section: "Help",
      label: "Find a command",
      keys: [{ key: "k", mod: true }],
      whileTyping: true,
      run: () => {
        panels.overlay.value = "palette";
      },
    },
    {
      id: "shortcuts",
      section: "Help",
      label: "Show the keyboard shortcuts",
      keywords: "keys help",
      keys: [{ key: "?" }],
      run: () => {
        panels.overlay.value = "shortcuts";
      },
    },
    {
      id: "api_documentation",
      section: "Help",
      label: "Open the API documentation",
      keywords: "help http rest openapi curl script automation developer",
      run: () => void window.open(new URL("api/docs", document.baseURI), "_blank", "noopener"),
    },
  ];
}

/** The actions whose words all begin somewhere in what an action is called, the closest first. */
export function searchActions(actions: readonly Action[], query: string): Action[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = actions.flatMap((action) => {
    const label = action.label.toLowerCase();
    const all = `${label} ${action.keywords?.toLowerCase() ?? ""}`;
    if (!wanted.every((word) => beginsWord(all, word))) return [];
    const inLabel = wanted.every((word) => beginsWord(label, word));
    return [{ action, rank: label.startsWith(wanted[0] ?? "") ? 0 : inLabel ? 1 : 2 }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ action }) => action);
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[\s:(]/.test(text[at - 1] ?? "")) return true;
  }
  return false;
}
