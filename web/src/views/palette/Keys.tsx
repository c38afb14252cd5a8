import { keyLabels, type Shortcut } from "../../actions/keys";

/** A shortcut as keys. */
export function Keys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span class="keys">
      {keyLabels(shortcut).map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  );
}
