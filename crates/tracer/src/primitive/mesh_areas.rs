//! Sampling of mesh triangles by area.

/// The cumulative areas of a mesh's triangles in the world. Built only for emissive meshes.
#[derive(Debug, Clone)]
pub(crate) struct MeshAreas {
    /// Of all triangles up to and including this one.
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

    /// The total area.
    pub(crate) fn total(&self) -> f32 {
        self.sums.last().copied().unwrap_or_default() as f32
    }

    /// Samples a triangle by area; returns its index and two numbers in [0, 1) for a point in it.
    pub(super) fn choose(&self, [u, v]: [f32; 2]) -> (u32, [f32; 2]) {
        let total = self.sums.last().copied().unwrap_or_default();
        let place = f64::from(u) * total;
        let triangle = self.sums.partition_point(|sum| *sum <= place).min(self.sums.len() - 1);
        let before = if triangle == 0 { 0.0 } else { self.sums[triangle - 1] };
        let area = self.sums[triangle] - before;
        // The rest of the number is used for the point in the triangle. With a million triangles it
        // has few digits, but each triangle is then rarely chosen.
        let within =
            if area > 0.0 { ((place - before) / area).clamp(0.0, 1.0) as f32 } else { 0.5 };
        (triangle as u32, [within, v])
    }
}
