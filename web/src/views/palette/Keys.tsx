import { namesOf, type Shortcut } from "../../actions/keys";

/** A shortcut as keys. */
export function Keys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span class="keys">
      {namesOf(shortcut).map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  );
}
