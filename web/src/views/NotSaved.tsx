import { useStudio } from "../studio";
import { Icon } from "./icons";

/** Stands there for as long as the server cannot save. */
export function NotSaved() {
  const { notSaved } = useStudio().state.value;
  return (
    <div role="alert">
      {notSaved !== null && (
        <div class="not-saved" data-testid="not-saved">
          <Icon name="alert" />
          <span>{notSaved}</span>
        </div>
      )}
    </div>
  );
}
