/** The default of a `switch` over a union: the compiler proves that nothing is left. */
export function unreachable(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
