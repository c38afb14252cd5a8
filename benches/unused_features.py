#!/usr/bin/env python3
"""What the tracer's features cost a scene that uses none of them, counted as instructions, which other
work on the machine does not disturb (valgrind's cachegrind, one thread, 16 samples of each of 64 x 48
pixels less the same with none).

    unused_features.py [--before COMMIT]

Prints two tables. The first: the instructions of scenes that use none of the features, now and, with a
commit, before the features. The second: the instructions executed in the source of each feature by
these scenes, and, so that one sees that it would be counted, by a scene that uses it.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "unused-features"

PLAIN = ["cornell-box", "metal-grid", "three-materials", "depth-of-field", "snowman", "night-spots",
         "product-shot", "glass-caustics"]

# Of each feature: the beginnings of its files in crates/tracer/src, or names of functions, and a scene
# that uses it.
FEATURES = {
    "layered materials": (["bsdf/principled/"], "material-presets"),
    "absorption in glass and liquids": (["integrator/medium.rs"], "perfume-on-stone"),
    "mixes": (["bsdf/mix.rs"], "rust-and-paint"),
    "textures, images, reliefs, normal maps": (
        ["texture/", "texels.rs", "finish.rs", "bsdf/varied.rs"], "rust-and-paint"),
    "thin walls": (["integrator/panes.rs"], "soap-bubbles"),
    "glowing shapes, textures of light": (
        ["light/shape.rs", "light/shown.rs", "light/brightness.rs", "Path<S>>::meet_glow",
         "Light::sample_shape"],
        "glowing-shapes"),
    "fog": (["fog.rs", "light/air.rs"], "light-shafts"),
    "skies of a day and of images, directional light": (["light/sky/"], "toys-in-the-sun"),
    "cameras of other kinds": (
        ["Camera::parallel_ray", "Camera::all_around"], "little-town-plan"),
    "ellipsoids, boxes with round edges": (
        ["primitive/ellipsoid.rs", "primitive/rounded_box.rs"], "forms"),
}


def build(tree):
    """The example `picture` of the sources in `tree`, whose instructions can be told by source line."""
    subprocess.run(
        ["cargo", "build", "--release", "--package", "tracer", "--example", "picture",
         "--config", 'profile.release.package.tracer.debug="line-tables-only"',
         "--config", 'profile.release.strip="none"'],
        cwd=tree, env=dict(os.environ, CARGO_TARGET_DIR=str(TARGET)), check=True)
    binary = pathlib.Path(tempfile.mkdtemp()) / "picture"
    binary.write_bytes((TARGET / "release/examples/picture").read_bytes())
    binary.chmod(0o755)
    return binary


def run(binary, scene, samples):
    """Instructions by (file of the tracer or "", function)."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "counts"
        subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={out}",
             binary, ROOT / f"scenes/{scene}.json", pathlib.Path(folder) / "picture.png",
             "64", "48", str(samples)],
            env=dict(os.environ, RAYON_NUM_THREADS="1"), check=True, capture_output=True)
        counts = collections.Counter()
        place = function = ""
        for line in out.read_text().splitlines():
            if line.startswith("fl="):
                _, found, inside = line[3:].partition("crates/tracer/src/")
                place = inside if found else ""
            elif line.startswith("fn="):
                function = line[3:]
            elif line[:1].isdigit():
                counts[place, function] += int(line.split()[1])
        return counts


def of_samples(binary, scene):
    """What the samples took, without reading the scene and writing the picture."""
    counts = run(binary, scene, 16)
    counts.subtract(run(binary, scene, 0))
    return counts


def within(counts, parts):
    """Millions of instructions in these files or functions."""
    matches = lambda place, function: any(
        place.startswith(part) or part in function for part in parts)
    return sum(count for key, count in counts.items() if matches(*key)) / 1e6


def before(commit):
    """The example as it was built from an older commit."""
    with tempfile.TemporaryDirectory() as tree:
        subprocess.run(["git", "worktree", "add", "--detach", "--force", tree, commit],
                       cwd=ROOT, check=True)
        try:
            return build(tree)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT")
    commit = parser.parse_args().before
    old = before(commit) if commit else None
    new = build(ROOT)
    plain = {scene: of_samples(new, scene) for scene in PLAIN}

    print("| scene | " + ("before | now | |" if old else "now |"))
    print("|---|---|" + ("---|---|" if old else ""))
    for scene, counts in plain.items():
        now = sum(counts.values()) / 1e6
        if old:
            then = sum(of_samples(old, scene).values()) / 1e6
            print(f"| {scene} | {then:.1f} | {now:.1f} | {100 * (now / then - 1):+.1f} % |")
        else:
            print(f"| {scene} | {now:.1f} |")

    print("\n| feature | in scenes without it | where it is used |")
    print("|---|---|---|")
    for feature, (parts, user) in FEATURES.items():
        unused = sum(within(counts, parts) for counts in plain.values())
        total = of_samples(new, user)
        used, share = within(total, parts), 100 / sum(total.values()) * 1e6
        print(f"| {feature} | {unused:.3f} | {used:.2f} ({used * share:.1f} % of `{user}`) |")


if __name__ == "__main__":
    sys.exit(main())
