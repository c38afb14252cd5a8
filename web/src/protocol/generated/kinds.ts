// Generated from crates/scene by `make generate`. Do not edit: change the Rust types.

/** What a property means for the place and size of its object. */
export type Role =
  | "point"
  | "points"
  | "edge"
  | "direction"
  | "rotation"
  | "length"
  | "scale"
  | "emission"
  | "object"
  | "plain";

/** By which properties place and extent are told. */
export type Frame =
  | "ball"
  | "ellipsoid"
  | "cuboid"
  | "column"
  | "parallelogram"
  | "disc"
  | "cylinder"
  | "cone"
  | "capsule"
  | "ring"
  | "vertices"
  | "line"
  | "profile"
  | "outline"
  | "corners"
  | "point"
  | "unknown";

export interface PropertyInfo {
  name: string;
  role: Role;
  /** What it is when it is left out; a property without a default is required. */
  default?: unknown;
  unit?: string;
  /** The names of its numbers, where they are not x, y and z. */
  axes?: readonly string[];
  min?: number;
  max?: number;
  whole?: boolean;
  words?: readonly string[];
  /** Of a nested object. */
  properties?: readonly PropertyInfo[];
}

export interface KindInfo {
  kind: string;
  label: string;
  icon: string;
  frame: Frame;
  /** Whether other things can stand all over the top of its box. */
  flat_top: boolean;
  /** The property that holds its sizes along its own axes. */
  sizes: string | null;
  properties: readonly PropertyInfo[];
  /** The properties of a new one, about the origin and two metres wide; null if it needs a file. */
  sample: Readonly<Record<string, unknown>> | null;
}

export const SHAPES = [
  {
    kind: "sphere",
    label: "Sphere",
    icon: "sphere",
    frame: "ball",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"center":[0.0,0.0,0.0],"radius":1.0},
  },
  {
    kind: "box",
    label: "Box",
    icon: "box",
    frame: "cuboid",
    flat_top: true,
    sizes: "dimensions",
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"dimensions","role":"length","unit":"m","axes":["w","h","d"]},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
      {"name":"bevel","role":"length","default":null,"unit":"m","min":0},
    ],
    sample: {"center":[0.0,0.0,0.0],"dimensions":[2.0,2.0,2.0],"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "quad",
    label: "Plane",
    icon: "square",
    frame: "parallelogram",
    flat_top: true,
    sizes: null,
    properties: [
      {"name":"corner","role":"point","unit":"m"},
      {"name":"u","role":"edge","unit":"m"},
      {"name":"v","role":"edge","unit":"m"},
    ],
    sample: {"corner":[-1.0,0.0,1.0],"u":[2.0,0.0,0.0],"v":[0.0,0.0,-2.0]},
  },
  {
    kind: "disc",
    label: "Disc",
    icon: "disc",
    frame: "disc",
    flat_top: true,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"normal","role":"direction"},
      {"name":"radius","role":"length","unit":"m","min":0},
    ],
    sample: {"center":[0.0,0.0,0.0],"normal":[0.0,1.0,0.0],"radius":1.0},
  },
  {
    kind: "cylinder",
    label: "Cylinder",
    icon: "cylinder",
    frame: "cylinder",
    flat_top: true,
    sizes: null,
    properties: [
      {"name":"base_center","role":"point","unit":"m"},
      {"name":"top_center","role":"point","unit":"m"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"capped","role":"plain"},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"base_center":[0.0,-1.0,0.0],"top_center":[0.0,1.0,0.0],"radius":1.0,"capped":true},
  },
  {
    kind: "cone",
    label: "Cone",
    icon: "cone",
    frame: "cone",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"base_center","role":"point","unit":"m"},
      {"name":"base_radius","role":"length","unit":"m","min":0},
      {"name":"top_center","role":"point","unit":"m"},
      {"name":"top_radius","role":"length","unit":"m","min":0},
      {"name":"capped","role":"plain"},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"base_center":[0.0,-1.0,0.0],"base_radius":1.0,"top_center":[0.0,1.0,0.0],"top_radius":0.0,"capped":true},
  },
  {
    kind: "torus",
    label: "Torus",
    icon: "torus",
    frame: "ring",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"normal","role":"direction"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"thickness","role":"length","unit":"m","min":0},
      {"name":"start_angle","role":"plain","default":0.0,"unit":"°","min":-360,"max":360},
      {"name":"end_angle","role":"plain","default":360.0,"unit":"°","min":-360,"max":360},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"center":[0.0,0.0,0.0],"normal":[0.0,1.0,0.0],"radius":1.0,"thickness":0.5,"start_angle":0.0,"end_angle":360.0},
  },
  {
    kind: "capsule",
    label: "Capsule",
    icon: "pill",
    frame: "capsule",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"start","role":"point","unit":"m"},
      {"name":"end","role":"point","unit":"m"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"start":[0.0,-0.5,0.0],"end":[0.0,0.5,0.0],"radius":0.5},
  },
  {
    kind: "triangle",
    label: "Triangle",
    icon: "triangle",
    frame: "vertices",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"vertices","role":"points","unit":"m"},
    ],
    sample: {"vertices":[[-1.0,-1.0,0.0],[1.0,-1.0,0.0],[0.0,1.0,0.0]]},
  },
  {
    kind: "mesh",
    label: "Mesh",
    icon: "mesh",
    frame: "unknown",
    flat_top: false,
    sizes: "scale",
    properties: [
      {"name":"asset","role":"plain"},
      {"name":"translation","role":"point","default":[0.0,0.0,0.0],"unit":"m"},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
      {"name":"scale","role":"scale","default":1.0,"min":0},
    ],
    sample: null,
  },
  {
    kind: "ellipsoid",
    label: "Ellipsoid",
    icon: "sphere",
    frame: "ellipsoid",
    flat_top: false,
    sizes: "radii",
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"radii","role":"length","unit":"m"},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"center":[0.0,0.0,0.0],"radii":[1.0,0.6,0.6],"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "rounded_box",
    label: "Rounded box",
    icon: "box",
    frame: "cuboid",
    flat_top: true,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"dimensions","role":"length","unit":"m","axes":["w","h","d"]},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"center":[0.0,0.0,0.0],"dimensions":[2.0,2.0,2.0],"radius":0.3,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "tube",
    label: "Tube",
    icon: "spline",
    frame: "line",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"points","role":"points","unit":"m"},
      {"name":"radius","role":"length","unit":"m"},
      {"name":"curve","role":"plain","default":"smooth"},
      {"name":"closed","role":"plain","default":false},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
    ],
    sample: {"points":[[-1.0,-0.5,0.0],[-0.35,0.5,0.0],[0.35,-0.5,0.0],[1.0,0.5,0.0]],"radius":0.15,"curve":"smooth","closed":false},
  },
  {
    kind: "lathe",
    label: "Lathe",
    icon: "amphora",
    frame: "profile",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"base_center","role":"point","unit":"m"},
      {"name":"profile","role":"length","unit":"m"},
      {"name":"smooth","role":"plain","default":false},
      {"name":"sides","role":"plain","default":null,"min":3,"max":64},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"base_center":[0.0,-1.0,0.0],"profile":[[0.0,0.0],[0.5,0.0],[0.75,0.6],[0.35,1.4],[0.5,2.0]],"smooth":true,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "extrusion",
    label: "Extrusion",
    icon: "star",
    frame: "outline",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"outline","role":"length","unit":"m"},
      {"name":"holes","role":"length","default":[],"unit":"m"},
      {"name":"depth","role":"length","unit":"m","min":0},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
      {"name":"bevel","role":"length","default":null,"unit":"m","min":0},
    ],
    sample: {"center":[0.0,0.0,0.0],"outline":[[0.0,1.0],[0.265,0.364],[0.951,0.309],[0.428,-0.139],[0.588,-0.809],[0.0,-0.45],[-0.588,-0.809],[-0.428,-0.139],[-0.951,0.309],[-0.265,0.364]],"holes":[],"depth":0.5,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "text",
    label: "Text",
    icon: "type",
    frame: "unknown",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"text","role":"plain"},
      {"name":"base_center","role":"point","unit":"m"},
      {"name":"size","role":"length","unit":"m","min":0},
      {"name":"depth","role":"length","unit":"m","min":0},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"text":"Text","base_center":[0.0,-0.3,0.0],"size":0.7,"depth":0.2,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "height_field",
    label: "Terrain",
    icon: "mountain",
    frame: "unknown",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"sides","role":"length","unit":"m","axes":["w","d"]},
      {"name":"heights","role":"length","default":null,"unit":"m"},
      {"name":"noise","role":"object","default":null,"properties":[{"name":"seed","role":"plain","min":0,"whole":true},{"name":"height","role":"length","unit":"m","min":0},{"name":"feature_size","role":"length","unit":"m","min":0},{"name":"octaves","role":"plain","default":5.0,"min":1,"max":8},{"name":"ridged","role":"plain","default":false}]},
      {"name":"smooth","role":"plain","default":true},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"center":[0.0,0.0,0.0],"sides":[2.5,2.5],"noise":{"seed":1.0,"height":0.6,"feature_size":1.0,"octaves":5.0},"smooth":true,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "wedge",
    label: "Wedge",
    icon: "triangleRight",
    frame: "cuboid",
    flat_top: false,
    sizes: "dimensions",
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"dimensions","role":"length","unit":"m","axes":["w","h","d"]},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"center":[0.0,0.0,0.0],"dimensions":[2.0,1.0,1.5],"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "prism",
    label: "Prism",
    icon: "hexagon",
    frame: "column",
    flat_top: true,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"height","role":"length","unit":"m","min":0},
      {"name":"sides","role":"plain","min":3,"max":64,"whole":true},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"center":[0.0,0.0,0.0],"radius":1.0,"height":2.0,"sides":6.0,"rotation":[0.0,0.0,0.0]},
  },
  {
    kind: "polyhedron",
    label: "Polyhedron",
    icon: "mesh",
    frame: "corners",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","default":[0.0,0.0,0.0],"unit":"m"},
      {"name":"vertices","role":"length","unit":"m"},
      {"name":"faces","role":"plain"},
      {"name":"smooth","role":"plain","default":false},
      {"name":"rotation","role":"rotation","default":[0.0,0.0,0.0],"unit":"°"},
    ],
    sample: {"center":[0.0,0.0,0.0],"vertices":[[1.0,0.0,0.0],[-1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,-1.0,0.0],[0.0,0.0,1.0],[0.0,0.0,-1.0]],"faces":[[0,2,4],[4,2,1],[1,2,5],[5,2,0],[4,3,0],[1,3,4],[5,3,1],[0,3,5]],"smooth":false,"rotation":[0.0,0.0,0.0]},
  },
] as const satisfies readonly KindInfo[];

export const LIGHTS = [
  {
    kind: "point_spot_light",
    label: "Point light",
    icon: "lightbulb",
    frame: "point",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"emission","role":"emission","unit":"W/sr"},
      {"name":"direction","role":"direction","default":[0.0,-1.0,0.0]},
      {"name":"cutoff_angle","role":"plain","default":180.0,"unit":"°","min":0,"max":180},
      {"name":"falloff_exponent","role":"plain","default":0.0,"min":0},
    ],
    sample: {"center":[0.0,0.0,0.0],"emission":[20.0,20.0,20.0],"direction":[0.0,-1.0,0.0],"cutoff_angle":180.0,"falloff_exponent":0.0},
  },
  {
    kind: "area_quad_light",
    label: "Area light",
    icon: "lightbulb",
    frame: "parallelogram",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"corner","role":"point","unit":"m"},
      {"name":"u","role":"edge","unit":"m"},
      {"name":"v","role":"edge","unit":"m"},
      {"name":"emission","role":"emission","unit":"W/(sr m²)"},
      {"name":"visible_to_camera","role":"plain","default":true},
    ],
    sample: {"corner":[-1.0,0.0,-1.0],"u":[2.0,0.0,0.0],"v":[0.0,0.0,2.0],"emission":[10.0,10.0,10.0]},
  },
  {
    kind: "disc_spot_light",
    label: "Disc light",
    icon: "lightbulb",
    frame: "disc",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"normal","role":"direction"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"emission","role":"emission","unit":"W/(sr m²)"},
      {"name":"visible_to_camera","role":"plain","default":true},
    ],
    sample: {"center":[0.0,0.0,0.0],"normal":[0.0,-1.0,0.0],"radius":1.0,"emission":[10.0,10.0,10.0]},
  },
  {
    kind: "area_sphere_light",
    label: "Sphere light",
    icon: "lightbulb",
    frame: "ball",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"emission","role":"emission","unit":"W/(sr m²)"},
      {"name":"visible_to_camera","role":"plain","default":true},
    ],
    sample: {"center":[0.0,0.0,0.0],"radius":0.5,"emission":[10.0,10.0,10.0]},
  },
  {
    kind: "area_disc_spot_light",
    label: "Spot light",
    icon: "lightbulb",
    frame: "disc",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"center","role":"point","unit":"m"},
      {"name":"normal","role":"direction"},
      {"name":"radius","role":"length","unit":"m","min":0},
      {"name":"emission","role":"emission","unit":"W/(sr m²)"},
      {"name":"cutoff_angle","role":"plain","unit":"°","min":0,"max":180},
      {"name":"falloff_exponent","role":"plain","min":0},
      {"name":"visible_to_camera","role":"plain","default":true},
    ],
    sample: {"center":[0.0,0.0,0.0],"normal":[0.0,-1.0,0.0],"radius":1.0,"emission":[20.0,20.0,20.0],"cutoff_angle":40.0,"falloff_exponent":1.0},
  },
  {
    kind: "directional_light",
    label: "Directional light",
    icon: "sun",
    frame: "point",
    flat_top: false,
    sizes: null,
    properties: [
      {"name":"direction","role":"direction"},
      {"name":"emission","role":"emission","unit":"W/m²"},
      {"name":"angular_diameter","role":"plain","default":0.53,"unit":"°","min":0.05,"max":90},
      {"name":"center","role":"point","default":[0.0,5.0,0.0],"unit":"m"},
    ],
    sample: {"direction":[0.0,-1.0,0.0],"emission":[3.0,3.0,3.0],"angular_diameter":0.53,"center":[0.0,0.0,0.0]},
  },
] as const satisfies readonly KindInfo[];
