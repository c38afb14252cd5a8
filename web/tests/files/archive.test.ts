import { unzipSync } from "three/addons/libs/fflate.module.js";
import { expect, test } from "vitest";
import { archiveOf } from "../../src/files/archive";

test("files are packed as they are", async () => {
  const large = new Uint8Array(300_000).map((_, index) => index % 251);
  const packed = await archiveOf(
    [new File(["mtllib a.mtl\n"], "a.obj"), new File([large], "ü.png")],
    "a.zip",
  );
  expect([packed.name, packed.type]).toEqual(["a.zip", "application/zip"]);
  const files = unzipSync(new Uint8Array(await packed.arrayBuffer()));
  expect(new TextDecoder().decode(files["a.obj"])).toBe("mtllib a.mtl\n");
  expect(files["ü.png"]).toEqual(large);
});
