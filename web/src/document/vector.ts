/** A point, a displacement or a colour. */
export type Triple = readonly [number, number, number];

export function isTriple(value: unknown): value is Triple {
  return Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "number");
}

export const add = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [a + x, b + y, c + z];
export const subtract = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [a - x, b - y, c - z];
export const scale = ([a, b, c]: Triple, by: number): Triple => [a * by, b * by, c * by];
export const dot = ([a, b, c]: Triple, [x, y, z]: Triple): number => a * x + b * y + c * z;
export const cross = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
];
export const length = (vector: Triple): number => Math.sqrt(dot(vector, vector));

/** The unit vector along `vector`; a vector without length stays as it is. */
export function normalized(vector: Triple): Triple {
  const size = length(vector);
  return size === 0 ? vector : scale(vector, 1 / size);
}

/** The images of the axes when turned by Euler angles in degrees: about X, then Y, then Z. */
export function rotatedAxes(degrees: Triple): readonly [Triple, Triple, Triple] {
  const [x, y, z] = degrees.map((angle) => (angle * Math.PI) / 180) as unknown as Triple;
  const [sx, cx, sy, cy, sz, cz] = [
    Math.sin(x),
    Math.cos(x),
    Math.sin(y),
    Math.cos(y),
    Math.sin(z),
    Math.cos(z),
  ];
  return [
    [cz * cy, sz * cy, -sy],
    [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
    [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
  ];
}
