//! Matrices of nodes.

use media::MeshData;

/// A 4 x 4 matrix in column-major order.
pub type Matrix = [[f32; 4]; 4];

pub(super) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

pub(super) fn times(a: Matrix, b: Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

/// Transforms a mesh by a matrix. A mirrored mesh gets its winding order back.
pub fn transform_mesh(mesh: &mut MeshData, matrix: Matrix) {
    let [x, y, z, w] = matrix.map(|[a, b, c, _]| [a, b, c]);
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let blend = |axes: [[f32; 3]; 3], [a, b, c]: [f32; 3]| -> [f32; 3] {
        std::array::from_fn(|row| axes[0][row] * a + axes[1][row] * b + axes[2][row] * c)
    };
    for position in &mut mesh.positions {
        let turned = blend([x, y, z], *position);
        *position = std::array::from_fn(|row| turned[row] + w[row]);
    }
    // Normals transform by the cofactor matrix.
    let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
    for normal in &mut mesh.normals {
        *normal = blend(cofactors, *normal);
    }
    // The specification reverses the winding order for a negative determinant.
    if dot(x, cofactors[0]) < 0.0 {
        mesh.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        mesh.normals.iter_mut().flatten().for_each(|part| *part = -*part);
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
