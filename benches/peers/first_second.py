"""What is seen one second after an edit, by the built-in denoiser and by Open Image Denoise.

`first_second.py SHEET.jpg [SCENE ...]` runs the example `first_second` of the crate `tracer`, which must be built, on
scene files (ten of scenes/ without names). Open Image Denoise is the library that Blender's package brings; it gets
the samples that fit before it within the same second of two cores, and the same guides. Prints a table of relMSE
(as in run.py) and of the mean FLIP of the pictures as a screen shows them, and writes a sheet: noisy, built-in, Open
Image Denoise, reference; a quarter of each at twice the size.
"""

import ctypes
import importlib.util
import json
import resource
import subprocess
import sys
from pathlib import Path

import flip_evaluator
import numpy as np

import run
import sheet

SIZE = (400, 300)
OUT = run.OUT / "first-second"
EXAMPLE = run.ROOT / "target/release/examples/first_second"
SCENES = (
    "cornell-box product-shot snowman glass-caustics hills shape-zoo three-materials night-spots metal-grid "
    "toys-in-the-sun"
).split()
FLOAT3 = 3
REFERENCE_SAMPLES = "256"


class Denoiser:
    """Open Image Denoise 2 by its C interface, on one thread."""

    def __init__(self):
        folder = Path(importlib.util.find_spec("bpy").origin).parent / "lib"
        self.library = ctypes.CDLL(str(folder / "libOpenImageDenoise.so.2"))
        for name in ("oidnNewDevice", "oidnNewFilter"):
            getattr(self.library, name).restype = ctypes.c_void_p
        cpu = 1
        self.device = ctypes.c_void_p(self.library.oidnNewDevice(cpu))
        self.library.oidnSetDeviceInt(self.device, b"numThreads", 1)
        self.library.oidnCommitDevice(self.device)

    def denoise(self, color, albedo, normal, quality):
        """`quality`: 5 is balanced, 6 high, 4 fast."""
        out = np.zeros_like(color)
        made = ctypes.c_void_p(self.library.oidnNewFilter(self.device, b"RT"))
        zero = ctypes.c_size_t(0)
        height, width = (ctypes.c_size_t(edge) for edge in color.shape[:2])
        for name, picture in ((b"color", color), (b"albedo", albedo), (b"normal", normal), (b"output", out)):
            pointer = ctypes.c_void_p(picture.ctypes.data)
            self.library.oidnSetSharedFilterImage(made, name, pointer, FLOAT3, width, height, zero, zero, zero)
        self.library.oidnSetFilterBool(made, b"hdr", ctypes.c_bool(True))
        self.library.oidnSetFilterInt(made, b"quality", quality)
        self.library.oidnCommitFilter(made)
        self.library.oidnExecuteFilter(made)
        message = ctypes.c_char_p()
        if self.library.oidnGetDeviceError(self.device, ctypes.byref(message)):
            raise RuntimeError(message.value.decode())
        self.library.oidnReleaseFilter(made)
        return out

    def seconds(self, quality):
        """Of processor time, the least of three."""
        noise = np.random.default_rng(1).random((SIZE[1], SIZE[0], 3), dtype=np.float32)
        times = []
        for _ in range(3):
            begun = used()
            self.denoise(noise, noise, noise, quality)
            times.append(used() - begun)
        return min(times)


def used():
    times = resource.getrusage(resource.RUSAGE_SELF)
    return times.ru_utime + times.ru_stime


def read(name):
    return np.fromfile(OUT / f"{name}.f32", dtype="<f4").reshape(SIZE[1], SIZE[0], 3)


def relative_error(picture, reference):
    picture, reference = picture.astype(float), reference.astype(float)
    return float((((picture - reference) ** 2) / (reference**2 + run.RELATIVE_FLOOR)).mean())


def flip(picture, reference):
    shown = [sheet.shown(np.ascontiguousarray(image)).astype(np.float32) for image in (reference, picture)]
    return float(flip_evaluator.evaluate(*shown, "LDR")[1])


def main():
    import mitsuba as mi

    mi.set_variant("scalar_rgb")
    out, *names = sys.argv[1:]
    OUT.mkdir(parents=True, exist_ok=True)
    denoiser = Denoiser()
    fast, high = 4, 6
    seconds = {quality: denoiser.seconds(quality) for quality in (fast, high)}
    print(f"Open Image Denoise: fast {seconds[fast]:.3f} s, high {seconds[high]:.3f} s of processor time")
    print("| scene | spp: built-in, OIDN | relMSE: built-in, OIDN fast, OIDN high | FLIP: built-in, OIDN fast, OIDN high |")
    print("|---|---|---|---|")
    rows = []
    for name in names or SCENES:
        scene = run.ROOT / "scenes" / f"{name}.json"
        done = subprocess.run([EXAMPLE, scene, OUT, str(seconds[fast]), REFERENCE_SAMPLES], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        guides = [read("noisy"), read("albedo"), read("normal")]
        pictures = [read("ours"), *(denoiser.denoise(*guides, quality) for quality in (fast, high))]
        reference = read("reference")
        errors = ", ".join(f"{relative_error(picture, reference):.4f}" for picture in pictures)
        flips = ", ".join(f"{flip(picture, reference):.4f}" for picture in pictures)
        print(f"| `{name}` | {found['samples']}, {found['samples_of_other']} | {errors} | {flips} |", flush=True)
        left, top, width, height = sheet.CROP
        tiles = [
            sheet.shown(picture[top : top + height, left : left + width]).repeat(2, axis=0).repeat(2, axis=1)
            for picture in (guides[0], pictures[0], pictures[1], reference)
        ]
        rows.append(np.concatenate([np.pad(tile, ((sheet.GAP, 0), (sheet.GAP, 0), (0, 0))) for tile in tiles], axis=1))
    mi.Bitmap((np.concatenate(rows, axis=0) * 255 + 0.5).astype(np.uint8)).write(out, quality=85)


if __name__ == "__main__":
    main()
