import DOMPurify from "dompurify";

/** What an answer may contain. No images: an address in a picture would tell its server who reads. */
const ALLOWED_TAGS = [
  ..."p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a".split(" "),
  ..."table thead tbody tr th td".split(" "),
];

const purifier = DOMPurify(window);

purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer");
});

/** HTML from a model's markdown, made safe to show. */
export function sanitize(html: string): string {
  return purifier.sanitize(html, { ALLOWED_TAGS, ALLOWED_ATTR: ["href", "start", "align"] });
}
