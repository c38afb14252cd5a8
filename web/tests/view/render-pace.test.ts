import { expect, test } from "vitest";
import type { PreviewHeader } from "../../src/protocol";
import { RenderPace } from "../../src/view/render-pace";

const HEADER: PreviewHeader = {
  type: "preview",
  revision: 1,
  pass: 0,
  samples: 0,
  target_samples: 256,
  width: 100,
  height: 100,
  mime_type: "image/jpeg",
  final: false,
  view: "1",
};
const header = (changed: Partial<PreviewHeader>): PreviewHeader => ({ ...HEADER, ...changed });

test("the pace is told by the time between two pictures of one view", () => {
  const pace = new RenderPace();
  expect(pace.observe(header({}), 0)).toBe(false);
  // The first traced picture of a large view is smaller and counts no samples, but has one.
  expect(pace.observe(header({ pass: 1 }), 100)).toBe(true);
  expect(pace.samplesPerSecond).toBeCloseTo(100_000, 0);
  expect(pace.observe(header({ pass: 2, samples: 1, width: 200, height: 200 }), 500)).toBe(true);
  expect(pace.samplesPerSecond).toBeCloseTo(100_000, 0);
  pace.observe(header({ pass: 3, samples: 3, width: 200, height: 200 }), 700);
  expect(pace.samplesPerSecond).toBeCloseTo(220_000, 0);
});

test("pictures of another view or revision, and those that come at once, tell nothing", () => {
  const pace = new RenderPace();
  pace.observe(header({ pass: 1, samples: 1 }), 0);
  expect(pace.observe(header({ pass: 2, samples: 2, view: "2" }), 100)).toBe(false);
  expect(pace.observe(header({ pass: 3, samples: 3, view: "2", revision: 2 }), 200)).toBe(false);
  expect(pace.observe(header({ pass: 5, samples: 9, view: "2", revision: 2 }), 300), "one was skipped").toBe(
    false,
  );
  expect(pace.observe(header({ pass: 6, samples: 10, view: "2", revision: 2 }), 310), "at once").toBe(false);
  expect(pace.samplesPerSecond).toBeNull();
});
