"""Puts the pictures that run.py left side by side: sheet.py OUT.jpg [SECONDS].

One row a scene, one column a renderer, all after the same time; a crop at twice the size, where the noise can be seen.
"""

import sys

import mitsuba as mi
import numpy as np

import run
import scenes

RENDERERS = ["ours", "mitsuba-llvm", "cycles"]
CROP = (150, 100, 100, 75)
GAP = 6


def shown(linear):
    """As a screen shows it: sRGB, clipped."""
    linear = np.clip(linear, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def tile(scene, renderer, seconds):
    left, top, width, height = CROP
    path = run.OUT / f"{scene.replace(' ', '-')}-{renderer}-{seconds}.exr"
    if not path.exists():
        return np.full((2 * height, 2 * width, 3), 0.25)
    crop = run.read(path)[top : top + height, left : left + width]
    return shown(crop).repeat(2, axis=0).repeat(2, axis=1)


def main():
    out, seconds = sys.argv[1], (sys.argv[2:] or ["1"])[0]
    rows = []
    for scene in scenes.ALL:
        tiles = [np.pad(tile(scene, name, seconds), ((GAP, 0), (GAP, 0), (0, 0))) for name in RENDERERS]
        rows.append(np.concatenate(tiles, axis=1))
    picture = (np.concatenate(rows, axis=0) * 255 + 0.5).astype(np.uint8)
    mi.set_variant("scalar_rgb")
    mi.Bitmap(picture).write(out, quality=85)


if __name__ == "__main__":
    main()
