import { CONTENTS_ID, type WebPageContents } from "./contents";

interface WebPage {
  title: string;
  /** What the picture shows, for who does not see it. */
  description: string;
  /** The URL of the traced picture, with its data. */
  picture: string;
  contents: WebPageContents;
  script: string;
  style: string;
  /** What marks the script and the style as this page's own: nothing else runs. */
  nonce: string;
}

/** One file that holds all it needs. Everything else is forbidden to it, above all to load anything. */
export function webPageHtml({
  title,
  description,
  picture,
  contents,
  script,
  style,
  nonce,
}: WebPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src data: blob:",
    "connect-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="generator" content="scene-llm">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<div id="stage" data-shows="picture" tabindex="0" role="application" aria-label="${escapeHtml(title)}: arrow keys look around, Shift and arrow keys move, plus and minus go nearer and farther">
<canvas id="canvas"></canvas>
<img id="picture" src="${escapeHtml(picture)}" alt="${escapeHtml(description)}" draggable="false">
</div>
<h1>${escapeHtml(title)}</h1>
<p id="note" role="status"></p>
<div id="tools" role="toolbar" aria-label="View"></div>
</main>
<script type="application/json" id="${CONTENTS_ID}">${escapeJson(JSON.stringify(contents))}</script>
<script nonce="${nonce}">${escapeScript(script)}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** JSON in a script element: nothing in it ends the element or begins another one. */
function escapeJson(json: string): string {
  return json.replaceAll("<", "\\u003c");
}

/** The same for code, in whose strings alone these stand. */
function escapeScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3c");
}
