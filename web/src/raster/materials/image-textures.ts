import {
  ClampToEdgeWrapping,
  LinearMipmapLinearFilter,
  MirroredRepeatWrapping,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
  TextureLoader,
  type Wrapping,
} from "three";

/** As the document calls them. */
const WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  repeat: RepeatWrapping,
  mirror: MirroredRepeatWrapping,
  clamp: ClampToEdgeWrapping,
};
/** So many are kept; a large one takes 64 MB of a graphics card's memory. */
const MAX_TEXTURES = 32;

/** The uploaded pictures that textures show, each loaded once. */
export class ImageTextures {
  readonly #loaded = new Map<string, Texture>();

  constructor(
    /** The URL of an uploaded image. */
    private readonly urlOf: (asset: string) => string,
    private readonly onLoaded: () => void,
  ) {}

  /** The picture, also while it is on its way: then it is black. Null where there are too many. */
  get({ asset, wrap }: { asset: string; wrap: string }): Texture | null {
    const key = `${wrap} ${asset}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    if (this.#loaded.size >= MAX_TEXTURES) return null;
    const texture = new TextureLoader().load(
      this.urlOf(asset),
      () => this.onLoaded(),
      undefined,
      () => console.warn(`the image ${asset} could not be loaded`),
    );
    texture.wrapS = texture.wrapT = WRAPPINGS[wrap] ?? RepeatWrapping;
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.anisotropy = 4;
    this.#loaded.set(key, texture);
    return texture;
  }

  dispose(): void {
    for (const texture of this.#loaded.values()) texture.dispose();
    this.#loaded.clear();
  }
}
