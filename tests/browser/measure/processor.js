import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of the processor's accounts in a second, on every Linux there is. */
const TICKS = 100;

/**
 * Seconds of processor time that this process and all it has started have taken so far: unlike frames a second it
 * means the same on a machine that others use. Of Linux alone; elsewhere null.
 */
export function processorSeconds() {
  const processes = new Map();
  try {
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        // What stands in brackets may hold anything; the state, the parent and the times come behind it.
        const fields = readFileSync(`/proc/${id}/stat`, "latin1").replace(/^.*\) /s, "").split(" ");
        processes.set(Number(id), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
      } catch {
        // It has ended meanwhile.
      }
    }
  } catch {
    return null;
  }
  const isOurs = (id) => id === process.pid || (processes.has(id) && isOurs(processes.get(id).parent));
  return [...processes].reduce((sum, [id, { ticks }]) => sum + (isOurs(id) ? ticks : 0), 0) / TICKS;
}
