//! A generated landscape of any number of triangles.

use media::MeshData;

/// A terrain of `side` x `side` vertices, 10 m wide, with 2 (side - 1)^2 triangles: smooth hills
/// with ridges and roughness of decreasing size.
pub(crate) fn terrain(side: u32) -> MeshData {
    let step = 10.0 / (side - 1) as f32;
    let at = |index: u32| index as f32 * step - 5.0;
    let positions = (0..side)
        .flat_map(|row| (0..side).map(move |column| (at(column), at(row))))
        .map(|(x, z)| [x, height(x, z), z])
        .collect();
    let triangles = (0..side - 1)
        .flat_map(|row| (0..side - 1).map(move |column| row * side + column))
        .flat_map(|corner| {
            let (right, below) = (corner + 1, corner + side);
            [[corner, below, right], [right, below, below + 1]]
        })
        .collect();
    MeshData { positions, triangles, ..MeshData::default() }
}

/// Octaves of rotated waves with sharp crests.
fn height(x: f32, z: f32) -> f32 {
    let (mut height, mut size, mut frequency) = (0.0, 0.8, 0.5);
    for octave in 0..9 {
        let (sin, cos) = (1.3 * octave as f32).sin_cos();
        let (u, v) = (cos * x - sin * z, sin * x + cos * z);
        let wave = (frequency * u + 1.7 * octave as f32).sin() * (frequency * v).cos();
        height += size * (1.0 - wave.abs());
        size *= 0.5;
        frequency *= 2.1;
    }
    height
}
