import { CONTENTS_ID, type WebPageContents } from "../contents";
import { addTools } from "./tools";
import { Viewer } from "./viewer";

function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`this page has no element '${id}': download it again`);
  return found as E;
}

const contents = JSON.parse(element(CONTENTS_ID).textContent ?? "") as WebPageContents;
const viewer = new Viewer(contents, {
  stage: element("stage"),
  canvas: element<HTMLCanvasElement>("canvas"),
  note: element("note"),
});
// The picture is seen before the scene is built.
requestAnimationFrame(() =>
  setTimeout(() => {
    if (viewer.start()) addTools(element("tools"), viewer);
  }),
);
