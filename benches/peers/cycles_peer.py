"""Renders one of our scene files with Blender Cycles: cycles_peer.py SCENE.json OUT.exr SAMPLES SEED.

Cycles has no exact spheres: they are smooth-shaded meshes here, sphere lights are its point lights.
"""

import json
import math
import os
import sys

import bpy
from mathutils import Matrix, Vector

MAX_DEPTH = 8
SPHERE_SUBDIVISIONS = 6


def new_material(name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes.clear()
    return material, material.node_tree.nodes, material.node_tree.links


def surface_material(given):
    material, nodes, links = new_material("surface")
    out = nodes.new("ShaderNodeOutputMaterial")
    if given["type"] == "dielectric":
        shader = nodes.new("ShaderNodeBsdfGlass")
        shader.inputs["Roughness"].default_value = 0
        shader.inputs["IOR"].default_value = given["refractive_index"]
    elif given["type"] == "metal":
        shader = nodes.new("ShaderNodeBsdfAnisotropic")
        shader.distribution = "GGX"
        shader.inputs["Roughness"].default_value = given["fuzz"]
    else:
        shader = nodes.new("ShaderNodeBsdfDiffuse")
    shader.inputs["Color"].default_value = (*given.get("albedo", [1, 1, 1]), 1)
    links.new(shader.outputs[0], out.inputs["Surface"])
    return material


def light_material(emission):
    """Emits on the front only; the back is black."""
    material, nodes, links = new_material("light")
    out = nodes.new("ShaderNodeOutputMaterial")
    shader = nodes.new("ShaderNodeEmission")
    strength = max(emission)
    shader.inputs["Color"].default_value = (*(channel / strength for channel in emission), 1)
    front = nodes.new("ShaderNodeMath")
    front.operation = "MULTIPLY_ADD"
    front.inputs[1].default_value = -strength
    front.inputs[2].default_value = strength
    links.new(nodes.new("ShaderNodeNewGeometry").outputs["Backfacing"], front.inputs[0])
    links.new(front.outputs[0], shader.inputs["Strength"])
    links.new(shader.outputs[0], out.inputs["Surface"])
    return material


def place(name, data, matrix, material):
    thing = bpy.data.objects.new(name, data)
    thing.matrix_world = matrix
    bpy.context.scene.collection.objects.link(thing)
    if material:
        thing.material_slots[0].link = "OBJECT"
        thing.material_slots[0].material = material
    return thing


def mesh(name, points, faces):
    data = bpy.data.meshes.new(name)
    data.from_pydata(points, [], faces)
    data.materials.append(None)
    return data


def ply_mesh(path):
    """A mesh beside the scene file; flat triangles, as ours are without normals of vertices."""
    bpy.ops.wm.ply_import(filepath=path)
    thing = bpy.context.object
    data = thing.data
    bpy.data.objects.remove(thing)
    data.shade_flat()
    data.materials.clear()
    data.materials.append(None)
    return data


def unit_sphere():
    import bmesh

    data = bpy.data.meshes.new("ball")
    ball = bmesh.new()
    bmesh.ops.create_icosphere(ball, subdivisions=SPHERE_SUBDIVISIONS, radius=1)
    for face in ball.faces:
        face.smooth = True
    ball.to_mesh(data)
    data.materials.append(None)
    return data


def add_shapes(document, folder):
    sphere = None
    materials = {}
    for shape in document["shapes"]:
        properties, name = shape["properties"], shape["id"]
        given = properties.get("material", {"type": "lambertian", "albedo": [0.5, 0.5, 0.5]})
        key = json.dumps(given)
        material = materials.setdefault(key, materials.get(key) or surface_material(given))
        if shape["type"] == "sphere":
            sphere = sphere or unit_sphere()
            matrix = Matrix.Translation(properties["center"]) @ Matrix.Scale(properties["radius"], 4)
            place(name, sphere, matrix, material)
        elif shape["type"] == "box":
            corners = [Vector((x, y, z)) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
            faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
            matrix = Matrix.Translation(properties["center"])
            for axis in (2, 1, 0):
                angle = math.radians(properties.get("rotation", [0, 0, 0])[axis])
                matrix = matrix @ Matrix.Rotation(angle, 4, "XYZ"[axis])
            matrix = matrix @ Matrix.Diagonal((*properties["dimensions"], 1))
            place(name, mesh(name, corners, faces), matrix, material)
        elif shape["type"] == "mesh":
            place(name, ply_mesh(os.path.join(folder, properties["asset"])), Matrix(), material)
        else:
            place(name, quad(name, properties), Matrix(), material)


def quad(name, properties):
    corner, u, v = (Vector(properties[key]) for key in ("corner", "u", "v"))
    return mesh(name, [corner, corner + u, corner + u + v, corner + v], [(0, 1, 2, 3)])


def add_lights(document):
    for light in document["lights"]:
        properties, name = light["properties"], light["id"]
        if light["type"] == "area_quad_light":
            place(name, quad(name, properties), Matrix(), light_material(properties["emission"]))
            continue
        data = bpy.data.lights.new(name, "POINT")
        data.shadow_soft_size = properties["radius"]
        data.use_soft_falloff = False
        strength = max(properties["emission"])
        data.color = [channel / strength for channel in properties["emission"]]
        # Radiance is power over 4 pi^2 r^2.
        data.energy = strength * 4 * math.pi**2 * properties["radius"] ** 2
        place(name, data, Matrix.Translation(properties["center"]), None).visible_camera = True


def add_sky(sky):
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    out, background = nodes.new("ShaderNodeOutputWorld"), nodes.new("ShaderNodeBackground")
    links.new(background.outputs[0], out.inputs["Surface"])
    if sky["type"] != "gradient":
        background.inputs["Color"].default_value = (*sky.get("emission", [0, 0, 0]), 1)
        return
    split, share = nodes.new("ShaderNodeSeparateXYZ"), nodes.new("ShaderNodeMath")
    share.operation = "MULTIPLY_ADD"
    share.inputs[1].default_value = share.inputs[2].default_value = 0.5
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value = (*sky["bottom_color"], 1)
    mix.inputs["Color2"].default_value = (*sky["top_color"], 1)
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], split.inputs[0])
    links.new(split.outputs["Y"], share.inputs[0])
    links.new(share.outputs[0], mix.inputs["Fac"])
    links.new(mix.outputs[0], background.inputs["Color"])


def add_camera(camera):
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(camera["vfov"])
    center = Vector(camera["center"])
    back = (center - Vector(camera["look_at"])).normalized()
    right = Vector(camera.get("up", [0, 1, 0])).cross(back).normalized()
    axes = Matrix((right, back.cross(right), back)).transposed()
    bpy.context.scene.camera = place("camera", data, Matrix.Translation(center) @ axes.to_4x4(), None)


def set_up_render(out, samples, seed):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = 400, 300
    scene.render.resolution_percentage = 100
    scene.render.filepath = out
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.threads_mode, scene.render.threads = "FIXED", os.cpu_count()
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.seed = samples, seed
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 1.0
    # Nothing that takes light away: no clamping, no blurred or missing caustics.
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.blur_glossy = 0
    cycles.light_sampling_threshold = 0
    cycles.caustics_reflective = cycles.caustics_refractive = True
    # Bounces after the first surface: a path of 8 edges has 7 surfaces, the last one lit directly.
    bounces = MAX_DEPTH - 2
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = bounces
    cycles.transmission_bounces = bounces


def main():
    scene_path, out, samples, seed = sys.argv[1:5]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with open(scene_path, encoding="utf-8") as file:
        document = json.load(file)
    add_shapes(document, os.path.dirname(os.path.abspath(scene_path)))
    add_lights(document)
    add_sky(document["environment"])
    add_camera(document["camera"])
    set_up_render(out, int(samples), int(seed))
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
