"""Renders one of our scene files with Mitsuba 3: mitsuba_peer.py SCENE.json OUT.exr SAMPLES SEED VARIANT."""

import glob
import json
import os
import re
import sys

# Old versions lack instructions that the generated code needs, so take the newest there is.
libraries = glob.glob("/usr/lib/*/libLLVM*.so*") + glob.glob("/usr/lib/llvm-*/lib/libLLVM*.so*")
if libraries and "DRJIT_LIBLLVM_PATH" not in os.environ:
    os.environ["DRJIT_LIBLLVM_PATH"] = max(libraries, key=lambda path: [int(n) for n in re.findall(r"\d+", path.rsplit("/", 1)[1])])

import mitsuba as mi  # noqa: E402

# Larger wavefronts take more memory without being faster.
SAMPLES_PER_PASS = 64
MAX_DEPTH = 8
ENVIRONMENT_ROWS = 512


def material(properties):
    """Matte and metal scatter on both sides of a surface, as ours do."""
    given = properties.get("material", {"type": "lambertian", "albedo": [0.5, 0.5, 0.5]})
    color = {"type": "rgb", "value": given.get("albedo", [0, 0, 0])}
    if given["type"] == "dielectric":
        return {"type": "dielectric", "int_ior": float(given["refractive_index"]), "ext_ior": 1.0}
    if given["type"] == "lambertian":
        inner = {"type": "diffuse", "reflectance": color}
    elif given["fuzz"] == 0:
        inner = {"type": "conductor", "material": "none", "specular_reflectance": color}
    else:
        inner = {
            "type": "roughconductor",
            "material": "none",
            "distribution": "ggx",
            "alpha": float(given["fuzz"]) ** 2,
            "specular_reflectance": color,
        }
    return {"type": "twosided", "bsdf": inner}


def rectangle(properties):
    """Mitsuba's rectangle spans -1..1 in x and y and faces z."""
    import numpy as np

    u, v = (np.array(properties[name], float) for name in ("u", "v"))
    normal = np.cross(u, v)
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1] = u / 2, v / 2
    matrix[:3, 2] = normal / np.linalg.norm(normal)
    matrix[:3, 3] = np.array(properties["corner"], float) + (u + v) / 2
    return {"type": "rectangle", "to_world": mi.ScalarTransform4f(matrix)}


def cube(properties):
    """Mitsuba's cube spans -1..1."""
    transform = mi.ScalarTransform4f().translate(properties["center"])
    for axis in (2, 1, 0):
        angle = properties.get("rotation", [0, 0, 0])[axis]
        transform = transform.rotate([float(other == axis) for other in range(3)], angle)
    half = [edge / 2 for edge in properties["dimensions"]]
    return {"type": "cube", "to_world": transform.scale(half)}


def ball(properties):
    return {"type": "sphere", "center": properties["center"], "radius": properties["radius"]}


def ply_mesh(folder):
    """Meshes lie beside the scene file. Flat triangles, as ours are without normals of vertices."""

    def make(properties):
        transform = mi.ScalarTransform4f().translate(properties.get("translation", [0, 0, 0]))
        for axis in (2, 1, 0):
            angle = properties.get("rotation", [0, 0, 0])[axis]
            transform = transform.rotate([float(other == axis) for other in range(3)], angle)
        transform = transform.scale(properties.get("scale", 1))
        path = os.path.join(folder, properties["asset"])
        return {"type": "ply", "filename": path, "face_normals": True, "to_world": transform}

    return make


def environment(sky):
    if sky["type"] == "gradient":
        import numpy as np

        # A row per polar angle, the first and last ones at the poles.
        cosine = np.cos(np.linspace(0, np.pi, ENVIRONMENT_ROWS))[:, None, None]
        share = (cosine + 1) / 2
        rows = share * np.array(sky["top_color"]) + (1 - share) * np.array(sky["bottom_color"])
        picture = np.broadcast_to(rows, (ENVIRONMENT_ROWS, 8, 3)).astype(np.float32)
        return {"type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(picture))}
    return {"type": "constant", "radiance": {"type": "rgb", "value": sky["emission"]}}


def to_mitsuba(document, folder, width, height):
    camera = document["camera"]
    world = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": MAX_DEPTH},
        "sensor": {
            "type": "perspective",
            "fov_axis": "y",
            "fov": camera["vfov"],
            "to_world": mi.ScalarTransform4f().look_at(
                origin=camera["center"], target=camera["look_at"], up=camera.get("up", [0, 1, 0])
            ),
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
                "component_format": "float32",
            },
            "sampler": {"type": "independent"},
        },
    }
    makers = {"sphere": ball, "box": cube, "quad": rectangle, "mesh": ply_mesh(folder)}
    makers |= {"area_sphere_light": ball, "area_quad_light": rectangle}
    for shape in document["shapes"]:
        properties = shape["properties"]
        world[shape["id"]] = {**makers[shape["type"]](properties), "bsdf": material(properties)}
    for light in document["lights"]:
        properties = light["properties"]
        world[light["id"]] = {
            **makers[light["type"]](properties),
            "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": [0, 0, 0]}},
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": properties["emission"]}},
        }
    if document["environment"]["type"] != "none":
        world["sky"] = environment(document["environment"])
    return world


def main():
    scene_path, out, samples, seed, variant = sys.argv[1:]
    mi.set_variant(variant)
    mi.set_log_level(mi.LogLevel.Error)
    with open(scene_path, encoding="utf-8") as file:
        scene = mi.load_dict(to_mitsuba(json.load(file), os.path.dirname(scene_path), 400, 300))
    left, picture, taken = int(samples), None, 0
    while left > 0:
        count = min(left, SAMPLES_PER_PASS)
        part = mi.render(scene, spp=count, seed=int(seed) * 100_003 + taken)
        # The weighted sum over passes is the mean over all samples.
        picture = part * count if picture is None else picture + part * count
        left, taken = left - count, taken + count
    mi.Bitmap(picture / taken).write(out)


if __name__ == "__main__":
    main()
