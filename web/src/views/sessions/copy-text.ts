/** Puts a text into the clipboard; false where the browser does not lend it: it does only to pages that it trusts. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
