//! Triangles of meshes, chosen by their area.

/// The areas of the triangles of a mesh in the world, summed up. Made only for emissive meshes.
#[derive(Debug, Clone)]
pub(crate) struct MeshAreas {
    /// Of all triangles up to and with this one.
    sums: Vec<f64>,
}

impl MeshAreas {
    pub(super) fn new(areas: impl Iterator<Item = f64>) -> Self {
        let add = |sum: &mut f64, area: f64| {
            *sum += area;
            Some(*sum)
        };
        Self { sums: areas.scan(0.0, add).collect() }
    }

    /// Of the whole mesh.
    pub(crate) fn total(&self) -> f32 {
        self.sums.last().copied().unwrap_or_default() as f32
    }

    /// A triangle chosen by its area, and two numbers in [0, 1) for a point in it.
    pub(super) fn choose(&self, [u, v]: [f32; 2]) -> (u32, [f32; 2]) {
        let total = self.sums.last().copied().unwrap_or_default();
        let place = f64::from(u) * total;
        let triangle = self.sums.partition_point(|sum| *sum <= place).min(self.sums.len() - 1);
        let before = if triangle == 0 { 0.0 } else { self.sums[triangle - 1] };
        let area = self.sums[triangle] - before;
        // What is left of the number says where in the triangle; of a million triangles it keeps
        // few digits, but each triangle is then chosen rarely.
        let within =
            if area > 0.0 { ((place - before) / area).clamp(0.0, 1.0) as f32 } else { 0.5 };
        (triangle as u32, [within, v])
    }
}
