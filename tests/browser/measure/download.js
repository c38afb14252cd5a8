import { gzipSync } from "node:zlib";

/** What a page loads until the raster view is there, compressed by gzip, in kilobytes: before the view and with it. */
export async function download(server, browser) {
  const html = await (await fetch(server.url)).text();
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => `${server.url}/${path}`);
  const { page } = await browser.openStudio(server.url);
  await page.locator('.view[data-raster="ready"]').waitFor();
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => /\.(js|css)$/.test(name)),
  );
  await page.close();
  const sizeOf = async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;
  const sum = async (urls) => {
    let bytes = gzipSync(html).length;
    for (const url of new Set(urls)) bytes += await sizeOf(url);
    return Math.round(bytes / 1000);
  };
  return { first_kb: await sum(first), with_view_kb: await sum([...first, ...loaded]) };
}
