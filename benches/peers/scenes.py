"""The scenes on which renderers are compared, in our own scene file form (docs/protocol.md)."""

import random

import numpy as np

WHITE = {"type": "lambertian", "albedo": [0.73, 0.73, 0.73]}
GRADIENT = {"type": "gradient", "top_color": [0.5, 0.7, 1.0], "bottom_color": [1, 1, 1]}
NO_SKY = {"type": "none"}


def matte(*albedo):
    return {"type": "lambertian", "albedo": list(albedo)}


def mirror(*albedo):
    return {"type": "metal", "albedo": list(albedo), "fuzz": 0}


GLASS = {"type": "dielectric", "refractive_index": 1.5}


def sphere(center, radius, material):
    return {"type": "sphere", "properties": {"center": center, "radius": radius, "material": material}}


def quad(corner, u, v, material=WHITE):
    return {"type": "quad", "properties": {"corner": corner, "u": u, "v": v, "material": material}}


def box(center, dimensions, turn_degrees=0, material=WHITE):
    return {
        "type": "box",
        "properties": {
            "center": center,
            "dimensions": dimensions,
            "rotation": [0, turn_degrees, 0],
            "material": material,
        },
    }


def quad_light(corner, u, v, emission):
    return {"type": "area_quad_light", "properties": {"corner": corner, "u": u, "v": v, "emission": [emission] * 3}}


def scene(shapes, lights, environment, camera):
    return {
        "version": 1,
        "shapes": [{"id": f"shape{at}", **shape} for at, shape in enumerate(shapes)],
        "lights": [{"id": f"light{at}", **light} for at, light in enumerate(lights)],
        "environment": environment,
        "camera": camera,
    }


def cornell_box():
    x, y, z = [2, 0, 0], [0, 2, 0], [0, 0, 2]
    return scene(
        [
            quad([-1, 0, -1], x, z),
            quad([-1, 2, -1], x, z),
            quad([-1, 0, -1], x, y),
            quad([-1, 0, -1], z, y, matte(0.65, 0.05, 0.05)),
            quad([1, 0, -1], z, y, matte(0.12, 0.45, 0.15)),
            box([-0.33, 0.6, -0.3], [0.6, 1.2, 0.6], 18),
            box([0.33, 0.3, 0.35], [0.6, 0.6, 0.6], -17),
        ],
        [quad_light([-0.25, 1.99, -0.25], [0.5, 0, 0], [0, 0, 0.5], 15)],
        NO_SKY,
        {"center": [0, 1, 4.2], "look_at": [0, 1, 0], "vfov": 38},
    )


def spheres():
    return scene(
        [
            quad([-30, 0, -30], [0, 0, 60], [60, 0, 0], matte(0.5, 0.5, 0.5)),
            sphere([-2.2, 1, 0], 1, matte(0.7, 0.3, 0.3)),
            sphere([0, 1, 0], 1, GLASS),
            sphere([2.2, 1, 0], 1, mirror(0.8, 0.6, 0.2)),
        ],
        [],
        GRADIENT,
        {"center": [0, 2, 8], "look_at": [0, 0.9, 0], "vfov": 35},
    )


def mirror_grid():
    side = 20
    middle = side / 2 - 0.5
    balls = [
        sphere([column - middle, 0.45, row - middle], 0.45, mirror(0.8, 0.8, 0.7))
        for row in range(side)
        for column in range(side)
    ]
    floor = quad([-30, 0, -30], [0, 0, 60], [60, 0, 0], matte(0.4, 0.4, 0.4))
    return scene(balls + [floor], [], GRADIENT, {"center": [0, 8, 16], "look_at": [0, 0, 0], "vfov": 40})


def hundred_lights():
    choice = random.Random(1)
    boxes = []
    for row in range(5):
        for column in range(5):
            height = choice.uniform(0.3, 1.4)
            color = [choice.uniform(0.2, 0.8) for _ in range(3)]
            center = [2 * column - 4, height / 2, 2 * row - 4]
            boxes.append(box(center, [0.8, height, 0.8], choice.uniform(0, 90), matte(*color)))
    lights = []
    for row in range(10):
        for column in range(10):
            center = [column - 4.5, choice.uniform(1.7, 2.3), row - 4.5]
            emission = [choice.uniform(2, 25) for _ in range(3)]
            lights.append(
                {
                    "type": "area_sphere_light",
                    "properties": {"center": center, "radius": 0.06, "emission": emission},
                }
            )
    floor = quad([-8, 0, -8], [0, 0, 16], [16, 0, 0], matte(0.6, 0.6, 0.6))
    return scene(boxes + [floor], lights, NO_SKY, {"center": [0, 6, 11], "look_at": [0, 0.4, 0], "vfov": 40})


def window_room():
    """A room of 4 x 3 x 6 m; the sky is seen through 1.6 x 1.2 m of the wall at x = -2 only."""
    across, up, along = [4, 0, 0], [0, 3, 0], [0, 0, 6]
    return scene(
        [
            quad([-2, 0, -3], along, across),
            quad([-2, 3, -3], along, across),
            quad([2, 0, -3], up, along, matte(0.6, 0.4, 0.25)),
            quad([-2, 0, -3], up, across),
            quad([-2, 0, 3], up, across),
            # The wall with the window, which is y 1..2.2 and z -1.8..-0.2.
            quad([-2, 0, -3], [0, 1, 0], along),
            quad([-2, 2.2, -3], [0, 0.8, 0], along),
            quad([-2, 1, -3], [0, 1.2, 0], [0, 0, 1.2]),
            quad([-2, 1, -0.2], [0, 1.2, 0], [0, 0, 3.2]),
            box([0.6, 0.4, -1.2], [1.4, 0.8, 0.8], 20, matte(0.3, 0.4, 0.6)),
            sphere([0.5, 1.1, -1.2], 0.3, matte(0.7, 0.2, 0.2)),
        ],
        [],
        {"type": "gradient", "top_color": [6, 8, 12], "bottom_color": [5, 5, 5]},
        {"center": [0.8, 1.5, 2.8], "look_at": [0, 1.2, -1], "vfov": 55},
    )


def glass_caustics():
    return scene(
        [
            quad([-3, 0, -3], [0, 0, 6], [6, 0, 0]),
            quad([-3, 0, -2], [6, 0, 0], [0, 4, 0], matte(0.4, 0.5, 0.7)),
            sphere([0, 0.8, 0], 0.6, GLASS),
        ],
        [quad_light([1.2, 2.8, 0.6], [0.3, 0, 0], [0, 0, 0.3], 80)],
        NO_SKY,
        {"center": [0, 1.8, 4.5], "look_at": [0, 0.7, 0], "vfov": 38},
    )


TERRAIN = "terrain.ply"
# Makes 999,698 triangles.
TERRAIN_SIDE = 708


def terrain():
    """A landscape 10 m wide, lit by the sky alone; its mesh is made by `write_assets`."""
    mesh = {"asset": TERRAIN, "material": matte(0.6, 0.5, 0.4)}
    return scene(
        [{"type": "mesh", "properties": mesh}],
        [],
        {"type": "uniform", "emission": [1, 1, 1]},
        {"center": [0.3, 4.6, 6.5], "look_at": [0.3, 2.0, 1.0], "vfov": 38},
    )


def write_assets(folder):
    """The meshes of the scenes, as binary PLY files: smooth hills with ever smaller ridges on them."""
    along = np.linspace(-5, 5, TERRAIN_SIDE)
    z, x = np.meshgrid(along, along, indexing="ij")
    height = np.zeros_like(x)
    for octave in range(9):
        sin, cos = np.sin(1.3 * octave), np.cos(1.3 * octave)
        frequency = 0.5 * 2.1**octave
        wave = np.sin(frequency * (cos * x - sin * z) + 1.7 * octave) * np.cos(frequency * (sin * x + cos * z))
        height += 0.8 * 0.5**octave * (1 - np.abs(wave))
    positions = np.stack([x, height, z], axis=-1).reshape(-1, 3).astype("<f4")
    corner = (np.arange(TERRAIN_SIDE - 1)[:, None] * TERRAIN_SIDE + np.arange(TERRAIN_SIDE - 1)).reshape(-1)
    right, below = corner + 1, corner + TERRAIN_SIDE
    halves = [np.stack([corner, below, right], -1), np.stack([right, below, below + 1], -1)]
    faces = np.zeros(2 * len(corner), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"] = 3
    faces["corners"] = np.stack(halves, axis=1).reshape(-1, 3)
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(positions)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    (folder / TERRAIN).write_bytes(header.encode() + positions.tobytes() + faces.tobytes())


ALL = {
    "Cornell box": cornell_box,
    "spheres under a sky": spheres,
    "20 x 20 mirror spheres": mirror_grid,
    "100 lights": hundred_lights,
    "room with a window": window_room,
    "glass caustics": glass_caustics,
    "1M triangles": terrain,
}
