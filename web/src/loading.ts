/** How long to wait before each further try, in milliseconds: a connection that is cut is often back within seconds. */
const WAITS = [500, 1000, 2000, 4000, 8000];

/**
 * Loads a part of the page. What fails is tried again some times, since the part is only a file on a server whose
 * connection may be cut for a moment. Rejects with the last error, or when it is no longer wanted.
 */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  wanted = new AbortController().signal,
): Promise<Part> {
  for (const wait of WAITS) {
    try {
      return await load();
    } catch {
      await pause(wait, wanted);
    }
  }
  return load();
}

function pause(milliseconds: number, wanted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    wanted.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(wanted.reason);
    });
  });
}
