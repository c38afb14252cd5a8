import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** An address of a file while it is shown. */
export function useAddress(content: Blob | null): string | null {
  const address = useSignal<string | null>(null);
  useEffect(() => {
    if (content === null) {
      address.value = null;
      return;
    }
    const made = URL.createObjectURL(content);
    address.value = made;
    return () => URL.revokeObjectURL(made);
  }, [content, address]);
  return address.value;
}
