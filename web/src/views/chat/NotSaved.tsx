import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** Shown while the server cannot save. */
export function NotSaved() {
  const { notSaved } = useStudio().state.value;
  return (
    <div role="alert">
      {notSaved !== null && (
        <div class="not-saved" data-testid="not-saved">
          <Icon name="triangleAlert" />
          <span>{notSaved}</span>
        </div>
      )}
    </div>
  );
}
