"""Compares our tracer with Mitsuba 3 and Blender Cycles at equal wall time: `make bench-peers`.

Every renderer is a process of its own. Its wall time on an otherwise idle machine, from the start
of the process to the written EXR, is modelled as `start + samples * pace` from processor time, which
other work on the machine does not lengthen: the start counts as one core's work, samples as spread
evenly over all cores. The number of samples a renderer gets for a time limit follows from that; the
wall time it really took is in the JSON.

Errors are measured against two independent references, ours A and Mitsuba's B: the mean of
(x - A)(x - B) is the squared error of x without the noise of either. Bias is that of A against B.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import scenes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "target" / "bench-peers"
SIZE = (400, 300)
LIMITS_SECONDS = (0.25, 1, 4)
SEEDS = (1, 2)
# Longer pictures are not repeated.
REPEATED_UP_TO_SECONDS = 1
REFERENCE_SEED = 1000
BLOCK = 16
# Keeps black pixels from deciding over the relative error.
RELATIVE_FLOOR = 1e-2
# Of the mean of the picture.
TABLE_ERROR = 1e-4


class Renderer:
    """A command line that renders a scene file with a number of samples to an EXR file."""

    def __init__(self, name, command, probes):
        self.name = name
        self.command = command
        # Two numbers of samples per pixel whose wall times give start and pace.
        self.probes = probes

    def render(self, scene, out, samples, seed):
        """Wall time and processor time in seconds."""
        out.unlink(missing_ok=True)
        used = processor_seconds()
        started = time.perf_counter()
        done = subprocess.run(self.command(scene, out, samples, seed), capture_output=True, text=True, check=False)
        if done.returncode != 0 or not out.exists():
            raise RuntimeError(f"{self.name} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return time.perf_counter() - started, processor_seconds() - used

    def calibrate(self, scene, repeats):
        """Seconds from start to picture beside the samples, and seconds a sample of all pixels."""
        out = OUT / "probe.exr"
        few, many = self.probes
        # The first run fills caches (Mitsuba keeps compiled kernels on disk).
        self.render(scene, out, few, 0)
        times = [[self.render(scene, out, samples, 0)[1] for samples in (few, many)] for _ in range(repeats)]
        low, high = np.min(times, axis=0)
        pace = max(high - low, 1e-6) / (many - few)
        return max(low - few * pace, 0), pace / os.cpu_count()


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(binary):
    def command(scene, out, samples, seed):
        options = ["--width", SIZE[0], "--height", SIZE[1], "--samples", samples, "--max-depth", 8, "--seed", seed]
        return [str(part) for part in (binary, "render", scene, "-o", out, *options)]

    return command


def script(name, *more):
    def command(scene, out, samples, seed):
        return [str(part) for part in (sys.executable, HERE / name, scene, out, samples, seed, *more)]

    return command


def peers(names):
    """Those that can render here; a line on stderr for each that cannot."""
    known = [
        Renderer("mitsuba llvm", script("mitsuba_peer.py", "llvm_ad_rgb"), (2, 34)),
        Renderer("mitsuba scalar", script("mitsuba_peer.py", "scalar_rgb"), (1, 5)),
        Renderer("cycles", script("cycles_peer.py"), (1, 17)),
    ]
    trial = OUT / "trial.json"
    trial.write_text(json.dumps(scenes.cornell_box()), encoding="utf-8")
    found = []
    for peer in known:
        # The scalar variant stands in for the fast one.
        if peer.name not in names or peer.name == "mitsuba scalar" and "mitsuba llvm" in [p.name for p in found]:
            continue
        try:
            peer.render(trial, OUT / "trial.exr", 1, 0)
            found.append(peer)
        except RuntimeError as error:
            reason = [line for line in str(error).splitlines() if "rror" in line][-1:]
            print(f"skipped: {peer.name} does not render here: {' '.join(reason)}", file=sys.stderr)
    return found


def read(path):
    import mitsuba as mi

    mi.set_variant("scalar_rgb")
    picture = mi.Bitmap(str(path)).convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32, False)
    return np.array(picture, dtype=np.float64)


def bias(a, b):
    """Per channel in percent of the mean with its standard error, and the RMS z-score of blocks."""
    difference, mean = a - b, (a.mean((0, 1)) + b.mean((0, 1))) / 2
    share = 100 * difference.mean((0, 1)) / mean
    error = 100 * difference.std((0, 1)) / np.sqrt(difference[..., 0].size) / mean
    rows, columns = (edge // BLOCK for edge in difference.shape[:2])
    blocks = difference[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, 3)
    # Where there is no noise, what the tabulated sky of Mitsuba differs from the exact one.
    spread = np.sqrt(blocks.var((1, 3)) / BLOCK**2 + (TABLE_ERROR * mean) ** 2)
    z = blocks.mean((1, 3)) / spread
    return {"percent": share.tolist(), "standard_error": error.tolist(), "block_z": float(np.sqrt((z**2).mean()))}


def errors(picture, a, b):
    """Linear RMSE and relative MSE, without the noise of the references."""
    squared = (picture - a) * (picture - b)
    reference = (a + b) / 2
    relative = squared / (reference**2 + RELATIVE_FLOOR)
    return float(np.sqrt(max(squared.mean(), 0))), float(max(relative.mean(), 0))


def compare(name, document, renderers, options):
    scene = OUT / f"{name.replace(' ', '-')}.json"
    scene.write_text(json.dumps(document), encoding="utf-8")
    calibrated = {}
    for renderer in renderers:
        calibrated[renderer.name] = renderer.calibrate(scene, options.repeats)
    references = {}
    for renderer in renderers:
        if renderer.name == "ours" or renderer.name.startswith("mitsuba"):
            path = OUT / f"{scene.stem}-{renderer.name.replace(' ', '-')}-reference.exr"
            if options.keep_references and path.exists():
                samples = None
            else:
                samples = max(int(options.reference_seconds / calibrated[renderer.name][1]), 64)
                renderer.render(scene, path, samples, REFERENCE_SEED)
            references[renderer.name] = (read(path), samples)
    (a, a_samples), *others = references.values()
    # Without Mitsuba our own noise stays in the figures.
    b, b_samples = others[0] if others else (a, a_samples)
    result = {"scene": name, "reference_samples": [a_samples, b_samples], "bias": bias(a, b), "renderers": {}}
    for renderer in renderers:
        start, pace = calibrated[renderer.name]
        row = {"start_seconds": start, "million_samples_per_second": SIZE[0] * SIZE[1] / pace / 1e6, "limits": {}}
        for limit in LIMITS_SECONDS:
            samples = int((limit - start) / pace)
            if samples < 1:
                row["limits"][limit] = None
                continue
            found = []
            for seed in SEEDS if limit <= REPEATED_UP_TO_SECONDS else SEEDS[:1]:
                path = OUT / f"{scene.stem}-{renderer.name.replace(' ', '-')}-{limit}.exr"
                wall, _ = renderer.render(scene, path, samples, seed)
                found.append((*errors(read(path), a, b), wall))
            rmse, relative, wall = np.mean(found, axis=0)
            row["limits"][limit] = {"samples": samples, "rmse": rmse, "relmse": relative, "wall_seconds": wall}
        if renderer.name == "cycles":
            row["bias"] = bias(read(path), b)
        result["renderers"][renderer.name] = row
    return result


def table(results):
    lines = [
        "| scene | bias vs Mitsuba, % (R G B ± error; block z) | renderer | start s | M samples/s | "
        + " | ".join(f"{limit} s: spp, RMSE, relMSE" for limit in LIMITS_SECONDS)
        + " |",
        "|" + "---|" * (5 + len(LIMITS_SECONDS)),
    ]
    for result in results:
        found = result["bias"]
        shares = " ".join(f"{share:+.3f}" for share in found["percent"])
        text = f"{shares} ± {max(found['standard_error']):.3f}; {found['block_z']:.2f}"
        for name, row in result["renderers"].items():
            cells = []
            for limit in row["limits"].values():
                cells.append(
                    f"{limit['samples']}, {limit['rmse']:.4f}, {limit['relmse']:.4f}" if limit else "no picture yet"
                )
            first = [result["scene"], text] if name == "ours" else ["", ""]
            lines.append(
                "| "
                + " | ".join([*first, name, f"{row['start_seconds']:.2f}", f"{row['million_samples_per_second']:.2f}", *cells])
                + " |"
            )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/scene-llm")
    parser.add_argument("--before", type=Path, help="an older build of ours, for a comparison in one run")
    parser.add_argument("--reference-seconds", type=float, default=20, help="of each of the two references")
    parser.add_argument("--keep-references", action="store_true", help="those of the last run")
    parser.add_argument("--repeats", type=int, default=3, help="of each calibration")
    parser.add_argument("--scenes", nargs="*", default=list(scenes.ALL))
    parser.add_argument("--peers", nargs="*", default=["mitsuba llvm", "mitsuba scalar", "cycles"])
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    scenes.write_assets(OUT)
    renderers = [Renderer("ours", ours(options.binary), (4, 36)), *peers(options.peers)]
    if options.before:
        renderers.insert(1, Renderer("ours before", ours(options.before), (4, 36)))
    results = []
    for name in options.scenes:
        results.append(compare(name, scenes.ALL[name](), renderers, options))
        print(f"{name}: done", file=sys.stderr)
    (OUT / "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(f"{platform.machine()}, Python {platform.python_version()}")
    print(table(results))
    print(f"All figures: {OUT / 'results.json'}")


if __name__ == "__main__":
    main()
