import { colorOf, initialsOf, nameOf, othersOf } from "../../store/people";
import { MAX_NAME_LENGTH } from "../../studio/presence";
import { useStudio } from "../../studio/studio";
import { Popover } from "../common/Popover";

/** Avatars that fit beside the others' controls. */
const MAX_AVATARS = 3;

/** Who else looks at the session; nothing while one is alone. */
export function PeopleMenu() {
  const studio = useStudio();
  const { people } = studio.state.value;
  const others = othersOf(people);
  if (people === null || others.length === 0) return null;
  const hidden = others.length - MAX_AVATARS + people.more;
  return (
    <div class="people" data-testid="people-here">
      <span class="people-avatars" aria-hidden="true">
        {others.slice(0, MAX_AVATARS).map((person) => (
          <span key={person.id} class="avatar" style={{ background: colorOf(person) }}>
            {initialsOf(person)}
          </span>
        ))}
        {hidden > 0 && <span class="avatar avatar-more">+{hidden}</span>}
      </span>
      <Popover testId="people" label={`${others.length + people.more} others here`} icon="users" side="end">
        {() => <PeoplePanel />}
      </Popover>
    </div>
  );
}

function PeoplePanel() {
  const studio = useStudio();
  const { people } = studio.state.value;
  return (
    <div class="people-panel">
      <h2>Here now</h2>
      <label class="people-name">
        Your name for others
        <input
          class="field"
          placeholder="Guest"
          maxLength={MAX_NAME_LENGTH}
          defaultValue={studio.presence.name.value}
          onChange={(event) => studio.presence.rename(event.currentTarget.value)}
        />
      </label>
      <ul class="people-list">
        {othersOf(people).map((person) => (
          <li key={person.id} data-testid="person">
            <span class="avatar" style={{ background: colorOf(person) }} aria-hidden="true">
              {initialsOf(person)}
            </span>
            <span>{nameOf(person)}</span>
            <span class="muted">{person.can_edit ? "may edit" : "looks on"}</span>
          </li>
        ))}
      </ul>
      {people !== null && people.more > 0 && <p class="muted">and {people.more} more</p>}
    </div>
  );
}
