import { useMemo } from "preact/hooks";
import { splitMentions } from "../../../chat/mentions";
import { ObjectName } from "../../common/ObjectName";

interface MessageTextProps {
  text: string;
  /** Ids of what it is about: selected or mentioned. */
  selection: readonly string[] | undefined;
}

/** What the user said; what it is about can be found in the picture from here. */
export function MessageText({ text, selection = [] }: MessageTextProps) {
  const pieces = useMemo(() => splitMentions(text, new Set(selection)), [text, selection]);
  const mentioned = new Set(pieces.map((piece) => (piece.kind === "mention" ? piece.name : "")));
  const others = selection.filter((id) => !mentioned.has(id));
  if (text === "" && others.length === 0) return null;
  return (
    <div class="message-user" data-testid="message-user">
      {others.length > 0 && (
        <div class="message-about">
          {others.map((id) => (
            <ObjectName key={id} id={id} class="chip-about">
              {id}
            </ObjectName>
          ))}
        </div>
      )}
      {pieces.map((piece, index) =>
        piece.kind === "words" ? (
          piece.text
        ) : (
          <ObjectName key={index} id={piece.name} class="mention">
            @{piece.name}
          </ObjectName>
        ),
      )}
    </div>
  );
}
