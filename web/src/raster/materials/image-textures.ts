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
/** So many are loaded at a time; a large one takes 64 MB of a graphics card's memory. */
const MAX_TEXTURES = 32;
/** So many that nothing shows are kept: what is tried out or undone comes back. */
const MAX_UNUSED = 4;

/** An uploaded picture as a texture shows it. */
export interface ImageUse {
  asset: string;
  wrap: string;
}

/** The uploaded pictures that textures show, each loaded once. */
export class ImageTextures {
  /** The one asked for last at the end. */
  readonly #loaded = new Map<string, Texture>();
  #hasRefused = false;

  constructor(
    /** The URL of an uploaded image. */
    private readonly urlOf: (asset: string) => string,
    private readonly onLoaded: () => void,
  ) {}

  /** The picture, also while it is on its way: then it is black. Null where there are too many. */
  get(use: ImageUse): Texture | null {
    const key = keyOf(use);
    const texture = this.#loaded.get(key) ?? this.#load(use);
    if (texture === null) return null;
    this.#loaded.delete(key);
    this.#loaded.set(key, texture);
    return texture;
  }

  /** Frees what is not among the used pictures; whether there is room now for one that there was none for. */
  retain(used: readonly ImageUse[]): boolean {
    const keys = new Set(used.map(keyOf));
    const unused = [...this.#loaded].filter(([key]) => !keys.has(key));
    const kept = this.#hasRefused ? 0 : MAX_UNUSED;
    for (const [key, texture] of unused.slice(0, Math.max(0, unused.length - kept))) {
      texture.dispose();
      this.#loaded.delete(key);
    }
    const hasRoom = this.#hasRefused && this.#loaded.size < MAX_TEXTURES;
    this.#hasRefused = false;
    return hasRoom;
  }

  dispose(): void {
    for (const texture of this.#loaded.values()) texture.dispose();
    this.#loaded.clear();
  }

  #load({ asset, wrap }: ImageUse): Texture | null {
    if (this.#loaded.size >= MAX_TEXTURES) {
      this.#hasRefused = true;
      return null;
    }
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
    return texture;
  }
}

function keyOf({ asset, wrap }: ImageUse): string {
  return `${wrap} ${asset}`;
}
