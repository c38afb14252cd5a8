import { quoted } from "../chat/changes";
import { applyTheme, currentTheme } from "../preferences";
import type { Quality } from "../protocol";
import type { Action, Workbench } from "./action";

const QUALITIES: Record<Quality, string> = { draft: "Draft", preview: "Preview", final: "Final" };

/** How things look: the picture, the panels, the colours. */
export function displayActions({ studio, panels }: Workbench): Action[] {
  const { chat, quality, paused, connection, shown } = studio.state.value;
  const offline = connection.phase === "open" ? undefined : "not connected";
  const last = chat.findLast(({ kind }) => kind === "user");
  const other = currentTheme() === "dark" ? "light" : "dark";
  return [
    {
      id: "pause",
      section: "View",
      label: paused ? "Resume rendering" : "Pause rendering",
      keywords: "stop trace picture resume",
      unavailable: offline,
      run: () => studio.traced.setPaused(!paused),
    },
    {
      id: "save_render",
      section: "View",
      label: "Save this render for comparison",
      keywords: "compare wipe before after history version a/b",
      unavailable: shown === null ? "nothing has been rendered yet" : undefined,
      run: () => void studio.traced.saveRender(),
    },
    {
      id: "compare_before",
      section: "View",
      label: "Compare with before the last message",
      keywords: "wipe then now earlier version history difference a/b",
      unavailable: last === undefined ? "nothing was said yet" : offline,
      run: () => {
        if (last?.kind === "user")
          void studio.pictures.compareWith(last.revision, `Before ${quoted(last.text)}`);
      },
    },
    ...(Object.keys(QUALITIES) as Quality[])
      .filter((each) => each !== quality)
      .map(
        (each): Action => ({
          id: `quality_${each}`,
          section: "View",
          label: `Viewport quality: ${QUALITIES[each]}`,
          keywords: "samples render",
          unavailable: offline,
          run: () => studio.traced.setQuality(each),
        }),
      ),
    {
      id: "panels",
      section: "View",
      label: "Toggle all panels",
      keywords: "full screen picture alone",
      // Where the key is, not what it writes: layouts differ.
      keys: [{ key: "\\", code: "Backslash", mod: true }],
      whileTyping: true,
      run: () => panels.toggleAll(),
    },
    {
      id: "chat_panel",
      section: "View",
      label: panels.chat.value ? "Hide the chat" : "Show the chat",
      keywords: "panel conversation",
      run: () => panels.setChat(!panels.chat.value),
    },
    {
      id: "document_panel",
      section: "View",
      label: panels.document.value ? "Hide the scene panel" : "Show the scene panel",
      keywords: "panel outliner inspector properties",
      run: () => panels.setDocument(!panels.document.value),
    },
    {
      id: "theme",
      section: "View",
      label: `Switch to the ${other} theme`,
      keywords: "dark light colors appearance",
      run: () => applyTheme(other, true),
    },
  ];
}
