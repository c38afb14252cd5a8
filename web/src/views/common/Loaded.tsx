import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { loadPart } from "../../loading";

interface LoadedProps<Props> {
  /** The same function each time: `() => import("./Dialog").then(({ Dialog }) => Dialog)`. */
  load: () => Promise<ComponentType<Props>>;
  props: Props;
}

/** A part of the page that is loaded when it is shown first; until then there is nothing. */
export function Loaded<Props extends object>({ load, props }: LoadedProps<Props>) {
  const loaded = useSignal<{ Part: ComponentType<Props> } | null>(null);
  const failed = useSignal(false);
  useEffect(() => {
    const gone = new AbortController();
    loadPart(load, gone.signal).then(
      (Part) => {
        loaded.value = { Part };
      },
      () => {
        failed.value = true;
      },
    );
    return () => gone.abort();
  }, [load]);
  if (failed.value) {
    return (
      <p class="panel-hint" role="alert">
        This part of the page could not be loaded. Check the connection.
      </p>
    );
  }
  if (loaded.value === null) return null;
  const { Part } = loaded.value;
  return <Part {...props} />;
}
