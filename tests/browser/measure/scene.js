const KINDS = ["sphere", "box", "cylinder", "cone", "torus", "capsule"];

/** Gives a session another scene. */
export async function putScene(server, sessionId, scene) {
  const put = await fetch(`${server.url}/api/sessions/${sessionId}/scene`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(scene),
  });
  if (!put.ok) throw new Error(await put.text());
}

/** A lattice of so many shapes of six kinds and three materials, with two lights. */
export function sceneOf(count) {
  return {
    version: 1,
    shapes: Array.from({ length: count }, (_, index) => shape(index)),
    lights: [
      { id: "key", type: "point_spot_light", properties: { center: [8, 12, 10], emission: [300, 300, 300] } },
      {
        id: "fill",
        type: "area_quad_light",
        properties: { corner: [-10, 10, 0], u: [4, 0, 0], v: [0, 0, 4], emission: [6, 6, 6] },
      },
    ],
    camera: { center: [14, 8, 14], look_at: [0, 0, 0], vfov: 45 },
  };
}

function shape(index) {
  const [x, y, z] = [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100)].map((at) => 1.2 * (at - 4.5));
  const colour = [0.2 + 0.06 * ((index * 7) % 10), 0.2 + 0.06 * ((index * 3) % 10), 0.5];
  const materials = [
    { type: "lambertian", albedo: colour },
    { type: "metal", albedo: colour, fuzz: 0.2 },
    { type: "principled", base_color: colour, specular_roughness: 0.3 },
  ];
  const type = KINDS[index % KINDS.length];
  const places = {
    sphere: { center: [x, y, z], radius: 0.4 },
    box: { center: [x, y, z], dimensions: [0.6, 0.6, 0.6], rotation: [index, 2 * index, 0] },
    cylinder: { base_center: [x, y, z], top_center: [x, y + 0.6, z], radius: 0.3, capped: true },
    cone: { base_center: [x, y, z], top_center: [x, y + 0.6, z], base_radius: 0.3, top_radius: 0, capped: true },
    torus: { center: [x, y, z], normal: [1, 1, 0], radius: 0.3, thickness: 0.15 },
    capsule: { start: [x, y, z], end: [x, y + 0.4, z], radius: 0.2 },
  };
  return { id: `s${index}`, type, properties: { ...places[type], material: materials[index % materials.length] } };
}
