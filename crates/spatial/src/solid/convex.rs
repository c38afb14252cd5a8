//! Convex bodies, each known by how far it reaches in any direction.

use glam::DVec3;

/// A convex body in world space: all points within `margin` of its core.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Convex {
    pub(crate) core: Core,
    /// In metres; 0 for everything without a round skin.
    pub(crate) margin: f64,
}

/// What a convex body is made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Core {
    /// The smallest convex body around some points.
    Hull(Vec<DVec3>),
    /// The centre and three perpendicular half edges.
    Cuboid(DVec3, [DVec3; 3]),
    /// A ball stretched along its own axes: the centre and three perpendicular half axes.
    Ellipsoid(DVec3, [DVec3; 3]),
    /// See [`Frustum`].
    Frustum(Frustum),
}

/// A disc, a cylinder or a cone: all between two discs with one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frustum {
    pub(crate) base: DVec3,
    pub(crate) top: DVec3,
    /// Of length 1.
    pub(crate) axis: DVec3,
    pub(crate) base_radius: f64,
    pub(crate) top_radius: f64,
}

impl Core {
    /// The point that lies farthest in `direction`, of any length.
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Hull(points) => {
                let mut farthest = points[0];
                for point in &points[1..] {
                    if point.dot(direction) > farthest.dot(direction) {
                        farthest = *point;
                    }
                }
                farthest
            }
            Self::Cuboid(center, halves) => halves.iter().fold(*center, |point, half| {
                if half.dot(direction) < 0.0 { point - *half } else { point + *half }
            }),
            Self::Ellipsoid(center, halves) => {
                // Along each of its axes by the share that direction has, stretched.
                let shares = DVec3::from(halves.map(|half| half.dot(direction)));
                let shares = shares.normalize_or_zero();
                *center + halves[0] * shares.x + halves[1] * shares.y + halves[2] * shares.z
            }
            Self::Frustum(frustum) => frustum.support(direction),
        }
    }

    /// Somewhere inside.
    pub(crate) fn center(&self) -> DVec3 {
        match self {
            Self::Hull(points) => points.iter().sum::<DVec3>() / points.len() as f64,
            Self::Cuboid(center, _) | Self::Ellipsoid(center, _) => *center,
            Self::Frustum(frustum) => 0.5 * (frustum.base + frustum.top),
        }
    }

    /// Unit directions that matter for how it meets others: normals of faces, axes.
    pub(crate) fn axes(&self) -> Vec<DVec3> {
        match self {
            Self::Hull(points) => {
                let edges = |at: usize| points[(at + 1) % points.len()] - points[at % points.len()];
                let normal = edges(0).cross(edges(1)).try_normalize();
                let sides = (0..points.len()).filter_map(|at| {
                    let edge = edges(at).try_normalize()?;
                    Some(normal.map_or(edge, |normal| edge.cross(normal)))
                });
                normal.into_iter().chain(sides).collect()
            }
            Self::Cuboid(_, halves) | Self::Ellipsoid(_, halves) => {
                halves.iter().filter_map(|h| h.try_normalize()).collect()
            }
            Self::Frustum(frustum) => vec![frustum.axis],
        }
    }
}

impl Frustum {
    fn support(&self, direction: DVec3) -> DVec3 {
        let across = |vector: DVec3| vector - self.axis * vector.dot(self.axis);
        // Taken twice: what rounding has left along the axis would lead out of the disc.
        let across = across(across(direction));
        // Along the axis all points of a disc are equally far.
        let is_along = across.length_squared() <= 1e-24 * direction.length_squared();
        let rim = if is_along { DVec3::ZERO } else { across.normalize_or_zero() };
        let low = self.base + rim * self.base_radius;
        let high = self.top + rim * self.top_radius;
        if high.dot(direction) > low.dot(direction) { high } else { low }
    }
}

impl Convex {
    /// A body without a skin.
    pub(crate) fn sharp(core: Core) -> Self {
        Self { core, margin: 0.0 }
    }

    /// The points within `radius` of the hull of `points`: a ball for one, a capsule for two.
    pub(crate) fn round(points: Vec<DVec3>, radius: f64) -> Self {
        Self { core: Core::Hull(points), margin: radius }
    }

    /// How far it reaches along a unit vector, from the origin.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        self.core.support(direction).dot(direction) + self.margin
    }

    /// The point that lies farthest along a unit vector.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        self.core.support(direction) + direction * self.margin
    }
}
