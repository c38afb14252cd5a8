import { applyTheme, currentTheme } from "../preferences";
import type { Quality } from "../protocol";
import type { Action, Workbench } from "./action";

const QUALITIES: Record<Quality, string> = { draft: "Draft", preview: "Preview", final: "Final" };

/** How things look: the picture, the panels, the colours. */
export function viewActions({ studio, panels }: Workbench): Action[] {
  const { quality, paused, connection, shown } = studio.state.value;
  const offline = connection.phase === "open" ? undefined : "not connected";
  const other = currentTheme() === "dark" ? "light" : "dark";
  return [
    {
      id: "pause",
      section: "View",
      label: paused ? "Go on rendering" : "Pause rendering",
      words: "stop trace picture resume",
      unavailable: offline,
      run: () => studio.setPaused(!paused),
    },
    {
      id: "keep_picture",
      section: "View",
      label: "Keep this picture, to compare the next ones with it",
      words: "wipe before after history a/b",
      unavailable: shown === null ? "nothing was traced yet" : undefined,
      run: () => void studio.keepPicture(),
    },
    ...(Object.keys(QUALITIES) as Quality[])
      .filter((each) => each !== quality)
      .map(
        (each): Action => ({
          id: `quality_${each}`,
          section: "View",
          label: `Picture quality: ${QUALITIES[each]}`,
          words: "samples render",
          unavailable: offline,
          run: () => studio.setQuality(each),
        }),
      ),
    {
      id: "panels",
      section: "View",
      label: "Hide or show all panels",
      words: "full screen picture alone",
      // Where the key is, not what it writes: layouts differ.
      keys: [{ key: "\\", code: "Backslash", mod: true }],
      whileTyping: true,
      run: () => panels.toggleAll(),
    },
    {
      id: "chat_panel",
      section: "View",
      label: panels.chat.value ? "Hide the chat" : "Show the chat",
      words: "panel conversation",
      run: () => panels.setChat(!panels.chat.value),
    },
    {
      id: "document_panel",
      section: "View",
      label: panels.document.value ? "Hide the document" : "Show the document",
      words: "panel outliner inspector properties",
      run: () => panels.setDocument(!panels.document.value),
    },
    {
      id: "theme",
      section: "View",
      label: `Switch to the ${other} theme`,
      words: "dark light colours appearance",
      run: () => applyTheme(other, true),
    },
  ];
}
