#!/usr/bin/env python3
"""Files and requests that mean more than they say: `python3 benches/bombs.py PROGRAM` (Linux, Python only).

PROGRAM is a `scene-llm`; it is started with a folder of its own. Each bomb goes through its door; printed are the
status, the time, and how much memory the server took meanwhile. Ends with status 1 when one is answered by something
else than it should be, takes more memory than its row allows, or ends the server.
"""

import io
import json
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
import zlib

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


class Server:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        command = [program, "serve", "--addr", "127.0.0.1:0", "--data-dir", self.folder.name, "--no-local-models"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
        # What the built-in model reads at the start does not count.
        time.sleep(5)

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines[name].split()[0]) / 1024

    def request(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError as error:
            return 0, str(error).encode()

    def measured(self, method, path, body):
        """Status, body, seconds, and how many MB more than before were in use at once."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as peaks:
            peaks.write("5")
        before, began = self.memory("VmRSS"), time.monotonic()
        status, answer = self.request(method, path, body)
        return status, answer, time.monotonic() - began, self.memory("VmHWM") - before


def scene(shapes):
    return json.dumps({"version": 1, "shapes": shapes}).encode()


def spheres(count):
    return [{"id": f"s{n}", "type": "sphere", "properties": {"center": [n % 100, 0, n // 100], "radius": 0.3}} for n in range(count)]


def with_material(material):
    shape = '{"id":"a","type":"sphere","properties":{"center":[0,0,0],"radius":1,"material":%s}}' % material
    return ('{"version":1,"shapes":[%s]}' % shape).encode()


def nested(times, around, inner):
    for _ in range(times):
        inner = around.replace("INNER", inner)
    return inner


def png(side, megabytes):
    """A PNG of `side` squared pixels with so many megabytes of zeros in it."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(bytes(1 << 20)) for _ in range(megabytes)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def archive(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, content in files:
            file.writestr(name, content)
    return packed.getvalue()


def gltf(**more):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}]} | more).encode()


def bombs(session):
    """What, statuses it may be answered by, most MB, method, path, body."""
    put, add = f"/api/sessions/{session}/scene", f"/api/sessions/{session}/scene/import?name="
    checker = '{"type":"checker","first":INNER,"second":[0,1,0]}'
    mix = '{"type":"mix","a":INNER,"b":{"type":"lambertian","albedo":[1,1,1]},"amount":0.5}'
    terabyte = {
        "buffers": [{"byteLength": 1 << 40}],
        "bufferViews": [{"buffer": 0, "byteLength": 1 << 40}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1 << 36, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    }
    chain = {"nodes": [{"children": [n + 1]} for n in range(300_000)] + [{}]}
    empty = '{"scene":{"version":1,"shapes":[]},"width":%d,"height":%d,"samples":1}'
    return [
        ("JSON nested 200,000 deep", {400}, 64, "PUT", put, b'{"version":1,"shapes":' + b"[" * 200_000),
        ("... as a scene to render", {400}, 64, "POST", "/api/render", b'{"scene":' + b'{"a":' * 100_000),
        ("... as a session", {422}, 64, "POST", "/api/sessions/import", b'{"a":' + b"[0," * 1_000_000),
        ("1,400,000 shapes without anything", {413}, 64, "PUT", put, b'{"version":1,"shapes":[' + b",".join([b'{"id":"a"}'] * 1_400_000) + b"]}"),
        ("7,900,000 numbers", {413}, 64, "PUT", put, b'{"version":1,"shapes":[' + b",".join([b"1"] * 7_900_000) + b"]}"),
        ("10,001 shapes", {422}, 64, "PUT", put, scene(spheres(10_001))),
        ("textures in textures", {400, 422}, 16, "PUT", put, with_material('{"type":"lambertian","albedo":%s}' % nested(100, checker, "[1,0,0]"))),
        ("mixes in mixes", {422}, 16, "PUT", put, with_material(nested(60, mix, '{"type":"lambertian","albedo":[1,1,1]}'))),
        ("PNG of 8192 squared, packed 1,000 times", {422}, 64, "POST", "/api/assets?name=a.png", png(8192, 257)),
        ("PNG of 5000 squared, packed 1,000 times", {201, 422}, 256, "POST", "/api/assets?name=a.png", png(5000, 96)),
        ("PNG that promises 60,000 squared", {422}, 16, "POST", "/api/assets?name=a.png", png(60_000, 1)),
        ("HDR that promises 60,000 squared", {422}, 16, "POST", "/api/assets?name=a.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n"),
        ("HDR with a header of 2,500,000 lines", {422}, 32, "POST", "/api/assets?name=a.hdr", b"#?RADIANCE\n" + b"A=b\n" * 2_500_000),
        ("zip of a gigabyte of zeros", {422}, 64, "POST", add + "a.zip", archive([("a.obj", TRIANGLE), ("b.bin", bytes(1 << 30))])),
        ("zip of 20,000 files", {422}, 64, "POST", add + "a.zip", archive([("a.obj", TRIANGLE)] + [(f"{n}.bin", b"0") for n in range(20_000)])),
        ("zip with paths that lead out of it", {422}, 16, "POST", add + "a.zip", archive([("../../../etc/x.obj", TRIANGLE)])),
        ("OBJ of 4,000,000 vertices", {422}, 256, "POST", add + "a.obj", b"v 0 0 0\n" * 4_000_000),
        ("OBJ with a face of 9,000,000 corners", {422}, 128, "POST", add + "a.obj", TRIANGLE[:-8] + b"f " + b"1 2 3 " * 3_000_000),
        ("PBRT nested 500,000 deep", {422}, 64, "POST", add + "a.pbrt", b"WorldBegin\n" + b"AttributeBegin\n" * 500_000),
        ("PBRT of 800,000 instances", {422}, 128, "POST", add + "a.pbrt", b'WorldBegin\nObjectBegin "a"\nShape "sphere"\nObjectEnd\n' + b'ObjectInstance "a"\n' * 800_000),
        ("glTF with a chain of 300,000 nodes", {422}, 128, "POST", add + "a.gltf", gltf(**chain)),
        ("glTF that promises a terabyte", {422}, 16, "POST", add + "a.gltf", gltf(**terabyte)),
        ("a picture of 100,000 squared", {400}, 16, "POST", "/api/render", (empty % (100_000, 100_000)).encode()),
        ("the largest picture", {200}, 1024, "POST", "/api/render", (empty % (4096, 4096)).encode()),
        ("10,000 shapes", {200}, 256, "PUT", put, scene(spheres(10_000))),
        ("... as GLB", {200}, 128, "GET", put + "/export?format=glb", None),
        ("... as OBJ", {422}, 64, "GET", put + "/export?format=obj", None),
    ]


def main():
    server, faults = Server(sys.argv[1]), 0
    _, made = server.request("POST", "/api/sessions", b"")
    print(f"{'':45}{'status':>7}{'s':>7}{'MB more':>9}")
    for what, statuses, most, method, path, body in bombs(json.loads(made)["session_id"]):
        status, answer, seconds, more = server.measured(method, path, body)
        is_well = status in statuses and more <= most and server.process.poll() is None
        faults += not is_well
        print(f"{what:45}{status:7}{seconds:7.2f}{more:9.1f}" + ("" if is_well else f"  WRONG: {answer[:200]!r}"), flush=True)
    server.process.terminate()
    faults += server.process.wait(60) != 0
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
