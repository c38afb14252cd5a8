/** What a page itself makes; compiled code and the browser's own lists of what it measured and of what can be undone are not. */
const OWN = ["object", "closure", "array", "string", "concatenated string", "sliced string", "number", "regexp", "symbol", "bigint"];

/** A function that tells the bytes of the page's own objects, after what is garbage has been collected. */
export async function ownBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  let text = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    text += chunk;
  });
  return async () => {
    text = "";
    for (let times = 0; times < 3; times += 1) await session.send("HeapProfiler.collectGarbage");
    await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { snapshot, nodes } = JSON.parse(text);
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [kind, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
    let bytes = 0;
    for (let node = 0; node < nodes.length; node += fields.length) {
      if (OWN.includes(types[kind][nodes[node + kind]])) bytes += nodes[node + size];
    }
    return bytes;
  };
}
