//! Height fields.

use glam::DVec3;
use scene::Grid;

use crate::{Placement, Tessellation, Triangles};

/// Tessellates each cell of the grid to two triangles.
pub(crate) fn height_field(shape: &scene::HeightField) -> Tessellation {
    let grid = shape.grid();
    let mut triangles = Triangles::default();
    let place = |column: usize, row: usize| DVec3::from(shape.place(&grid, column, row));
    // Noise is smooth as well.
    if shape.smooth || shape.heights.is_none() {
        soft(&mut triangles, &grid, place);
    } else {
        for (row, column) in cells(&grid) {
            let [a, b, c, d] = corners(column, row).map(|(column, row)| place(column, row));
            for face in [[a, b, c], [a, c, d]] {
                triangles.face(&face, (face[1] - face[0]).cross(face[2] - face[0]).normalize());
            }
        }
    }
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

fn cells(grid: &Grid) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (columns, rows) = (grid.columns - 1, grid.rows - 1);
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The corners of a cell as column and row, counter-clockwise seen from above.
fn corners(column: usize, row: usize) -> [(usize, usize); 4] {
    [(column, row), (column, row + 1), (column + 1, row + 1), (column + 1, row)]
}

fn soft(triangles: &mut Triangles, grid: &Grid, place: impl Fn(usize, usize) -> DVec3) {
    let (columns, rows) = (grid.columns, grid.rows);
    for row in 0..rows {
        for column in 0..columns {
            // Central differences, one-sided at the border.
            let along_x =
                place((column + 1).min(columns - 1), row) - place(column.saturating_sub(1), row);
            let along_z =
                place(column, (row + 1).min(rows - 1)) - place(column, row.saturating_sub(1));
            triangles.vertex(place(column, row), along_z.cross(along_x).normalize_or(DVec3::Y));
        }
    }
    for (row, column) in cells(grid) {
        triangles.quad(corners(column, row).map(|(column, row)| (row * columns + column) as u32));
    }
}
