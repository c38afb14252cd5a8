/** Texts and a scene that are hard to show: long, without a place to break them, and of every kind. */
const WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";

export const LONG = {
  word: WORD,
  id: "the_left_front_leg_of_the_oak_dining_table_by_the_window",
  message: `Put a red ball on the table by the window, make it glossy, and call it ${WORD}; then tell me what else the room needs.`,
};

export const RICH_ANSWER = `### What I will do

A **ball** of radius \`1\`, _then_ the rest, [as they say](https://example.org/${WORD}):

1. the ball \`${WORD}\`
   - red
   - glossy
2. the table

> It may roll.

\`\`\`json
{ "id": "round_thing", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1, "material": { "type": "lambertian" } } }
\`\`\`

| object | material | where it stands in the room | height in metres |
|---|---|---|---|
| ball | lambertian | on the table, by the window | 1.25 |
| table | oak | ${WORD} | 0.75 |
`;

const TWO = { first: [0.1, 0.1, 0.1], second: [0.7, 0.7, 0.7] };
const sphere = (id, center, radius, material, group) => ({
  id,
  type: "sphere",
  properties: { center, radius, material },
  ...(group !== undefined && { group }),
});

export const LONG_SCENE = {
  version: 1,
  shapes: [
    {
      id: "floor",
      type: "quad",
      properties: {
        corner: [-6, 0, 6],
        u: [12, 0, 0],
        v: [0, 0, -12],
        material: { type: "lambertian", albedo: { type: "checker", ...TWO } },
      },
    },
    sphere("ball", [0, 1, 0], 1, {
      type: "principled",
      base_color: [0.7, 0.06, 0.04],
      specular_roughness: 0.25,
      coat_weight: 1,
    }),
    {
      id: LONG.id,
      type: "box",
      group: "furniture",
      properties: { center: [2.2, 0.6, -0.5], dimensions: [0.9, 1.2, 0.9], rotation: [0, 30, 0] },
    },
    sphere("gold_ball", [-2.1, 0.7, 0.4], 0.7, { type: "metal", albedo: [1, 0.76, 0.33], fuzz: 0.1 }, "furniture"),
  ],
  lights: [
    {
      id: "key",
      type: "area_quad_light",
      properties: { corner: [-2, 5, -1], u: [3, 0, 0], v: [0, 0, 3], emission: [9, 9, 8] },
    },
  ],
  groups: [{ id: "furniture", parent: null }],
  environment: { type: "gradient", top_color: [0.35, 0.5, 0.8], bottom_color: [0.9, 0.9, 0.9] },
  camera: { center: [3, 3, 8], look_at: [0, 0.8, 0], vfov: 40 },
};
