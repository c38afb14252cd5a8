/** `wanted`, or the next free of `wanted_2`, `wanted_3`; a number at its end counts on. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, "");
  for (let number = 2; ; number += 1) {
    const id = `${stem}_${number}`;
    if (!taken.has(id)) return id;
  }
}
