/** Hands a file to the person as a download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has taken its hold by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/** The name of an exported session's file: what every file system takes. */
export function sessionFileName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${clean.slice(0, 60) || "session"}.scene-llm`;
}

/** Lets the person choose files of any kind this page can open. */
export function chooseFiles(onFiles: (files: readonly File[]) => void): void {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.accept = ".json,.scene-llm,.glb,.gltf,.obj,.ply,image/*";
  field.addEventListener("change", () => onFiles([...(field.files ?? [])]));
  field.click();
}
