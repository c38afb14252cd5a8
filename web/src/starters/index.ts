import cornellBox from "../../../scenes/cornell-box.json?url";
import goldRing from "../../../scenes/gold-ring.json?url";
import productShot from "../../../scenes/product-shot.json?url";
import snowman from "../../../scenes/snowman.json?url";
import cornellBoxPicture from "./cornell-box.jpg";
import goldRingPicture from "./gold-ring.jpg";
import productShotPicture from "./product-shot.jpg";
import snowmanPicture from "./snowman.jpg";

/** A scene to begin with. Pictures are made by `make starter-pictures`. */
export interface Starter {
  name: string;
  /** Where the scene file is. */
  scene: string;
  picture: string;
}

export const STARTERS: readonly Starter[] = [
  { name: "Product", scene: productShot, picture: productShotPicture },
  { name: "Gold ring", scene: goldRing, picture: goldRingPicture },
  { name: "Snowman", scene: snowman, picture: snowmanPicture },
  { name: "Cornell box", scene: cornellBox, picture: cornellBoxPicture },
];
