//! The shapes, with plain numbers that may be planned freely; the tools check them.

use glam::{DMat3, DVec3};
use scene::{Geometry, Motion};
use serde_json::{Map, Value, json};

use super::Bounds;
use super::read::{number, vector};

/// The geometry of a shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    Sphere {
        center: DVec3,
        radius: f64,
    },
    Box {
        center: DVec3,
        size: DVec3,
        rotation: DVec3,
    },
    Quad {
        corner: DVec3,
        u: DVec3,
        v: DVec3,
    },
    Disc {
        center: DVec3,
        normal: DVec3,
        radius: f64,
    },
    Cylinder {
        base: DVec3,
        top: DVec3,
        radius: f64,
        capped: bool,
    },
    Cone {
        base: DVec3,
        base_radius: f64,
        top: DVec3,
        top_radius: f64,
        capped: bool,
    },
    /// A whole ring; an arc is another shape to this model.
    Torus {
        center: DVec3,
        normal: DVec3,
        radius: f64,
        thickness: f64,
    },
    /// A shape this model does not build itself: it can be seen, named, coloured and removed.
    Other {
        type_name: String,
        properties: Map<String, Value>,
        bounds: Bounds,
    },
}

/// The matrix of Euler angles in degrees, about X first, then Y, then Z.
pub(crate) fn rotation_matrix(degrees: DVec3) -> DMat3 {
    let radians = degrees.to_array().map(f64::to_radians);
    DMat3::from_rotation_z(radians[2])
        * DMat3::from_rotation_y(radians[1])
        * DMat3::from_rotation_x(radians[0])
}

impl Form {
    pub(crate) fn type_name(&self) -> &str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Quad { .. } => "quad",
            Self::Disc { .. } => "disc",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Torus { .. } => "torus",
            Self::Other { type_name, .. } => type_name,
        }
    }

    /// The properties as tools take them, without the material.
    pub(crate) fn properties(&self) -> Map<String, Value> {
        let value = match self {
            Self::Sphere { center, radius } => {
                json!({ "center": vector(*center), "radius": number(*radius) })
            }
            Self::Box { center, size, rotation } => json!({
                "center": vector(*center), "dimensions": vector(*size),
                "rotation": vector(*rotation),
            }),
            Self::Quad { corner, u, v } => {
                json!({ "corner": vector(*corner), "u": vector(*u), "v": vector(*v) })
            }
            Self::Disc { center, normal, radius } => json!({
                "center": vector(*center), "normal": vector(*normal), "radius": number(*radius),
            }),
            Self::Cylinder { base, top, radius, capped } => json!({
                "base_center": vector(*base), "top_center": vector(*top),
                "radius": number(*radius), "capped": capped,
            }),
            Self::Cone { base, base_radius, top, top_radius, capped } => json!({
                "base_center": vector(*base), "base_radius": number(*base_radius),
                "top_center": vector(*top), "top_radius": number(*top_radius), "capped": capped,
            }),
            Self::Torus { center, normal, radius, thickness } => json!({
                "center": vector(*center), "normal": vector(*normal),
                "radius": number(*radius), "thickness": number(*thickness),
            }),
            Self::Other { properties, .. } => Value::Object(properties.clone()),
        };
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    /// Takes back how it is turned or tilted, where its numbers tell.
    pub(crate) fn set_straight(&mut self) {
        match self {
            Self::Box { rotation, .. } => *rotation = DVec3::ZERO,
            Self::Cylinder { base, top, .. } | Self::Cone { base, top, .. } => {
                let axis = *top - *base;
                let level = axis.with_y(0.0).length() > 4.0 * axis.y.abs();
                // What lies stays lying.
                if !level {
                    *top = *base + DVec3::Y * axis.length().copysign(axis.y);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Self::Sphere { center, radius } => Bounds::around(*center, DVec3::splat(*radius)),
            Self::Box { center, size, rotation } if *rotation == DVec3::ZERO => {
                Bounds::around(*center, *size * 0.5)
            }
            Self::Box { center, size, rotation } => {
                let turn = rotation_matrix(*rotation);
                let absolute =
                    DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
                Bounds::around(*center, absolute * (*size * 0.5))
            }
            Self::Quad { corner, u, v } => {
                Bounds::around_points([*corner, corner + u, corner + v, corner + u + v])
            }
            Self::Disc { center, normal, radius } => Bounds::around_disc(*center, *normal, *radius),
            Self::Cylinder { base, top, radius, .. } => Bounds::around_disc(
                *base,
                top - base,
                *radius,
            )
            .union(Bounds::around_disc(*top, top - base, *radius)),
            Self::Cone { base, base_radius, top, top_radius, .. } => Bounds::around_disc(
                *base,
                top - base,
                *base_radius,
            )
            .union(Bounds::around_disc(*top, top - base, *top_radius)),
            Self::Torus { center, normal, radius, thickness } => {
                let ring = Bounds::around_disc(*center, *normal, *radius);
                Bounds::around(ring.center(), ring.size() / 2.0 + DVec3::splat(thickness / 2.0))
            }
            Self::Other { bounds, .. } => *bounds,
        }
    }

    /// Moves it. A shape of another kind moves by those of its properties that are points.
    pub(crate) fn moved(&mut self, by: DVec3) {
        match self {
            Self::Sphere { center, .. }
            | Self::Box { center, .. }
            | Self::Disc { center, .. }
            | Self::Torus { center, .. } => *center += by,
            Self::Quad { corner, .. } => *corner += by,
            Self::Cylinder { base, top, .. } | Self::Cone { base, top, .. } => {
                *base += by;
                *top += by;
            }
            Self::Other { .. } => {
                let before = self.bounds();
                let carried = self.carried(&Motion::shift(by.to_array()));
                // A mesh has no bounds without its triangles: those that are known move along.
                if let (true, Self::Other { bounds, .. }) = (carried, self)
                    && *bounds == before
                {
                    *bounds = before.moved(by);
                }
            }
        }
    }

    /// A shape that only the document knows, by its type and properties.
    pub(crate) fn other(type_name: &str, properties: &Value) -> Option<Self> {
        let geometry = Geometry::from_json(type_name, properties).ok()?;
        let bounds = extent(&geometry)?;
        Some(Self::Other {
            type_name: type_name.to_owned(),
            properties: geometry.properties_json(),
            bounds,
        })
    }

    /// Moves a shape that only the document knows; whether it can be moved so.
    pub(crate) fn carried(&mut self, motion: &Motion) -> bool {
        self.reshaped(|geometry| geometry.moved(motion).ok())
    }

    fn reshaped(&mut self, change: impl Fn(&Geometry) -> Option<Geometry>) -> bool {
        let Self::Other { type_name, properties, bounds } = self else { return false };
        let document = Value::Object(properties.clone());
        let geometry = Geometry::from_json(type_name, &document).ok();
        let changed = geometry.as_ref().and_then(change);
        // A mesh has no bounds here: it stays.
        let (Some(changed), Some(new)) = (&changed, changed.as_ref().and_then(extent)) else {
            return false;
        };
        *properties = changed.properties_json();
        *bounds = new;
        true
    }

    /// Scales it about `pivot` along the world axes; round shapes take the mean of the two axes
    /// they are round in. Whether this shape can be scaled.
    pub(crate) fn scaled(&mut self, factors: DVec3, pivot: DVec3) -> bool {
        let about = |point: DVec3| pivot + (point - pivot) * factors;
        let uniform = factors.element_product().abs().cbrt();
        let across = |axis: DVec3| {
            let axis = axis.normalize_or(DVec3::Y).abs();
            let weights = DVec3::ONE - axis;
            (factors * weights).element_sum() / weights.element_sum().max(1e-9)
        };
        match self {
            Self::Sphere { center, radius } => {
                *center = about(*center);
                *radius *= uniform;
            }
            Self::Box { center, size, rotation } => {
                *center = about(*center);
                let even = factors.x == factors.y && factors.y == factors.z;
                let turned = if even || *rotation == DVec3::ZERO {
                    factors
                } else {
                    // The factor of each edge is that of the world axis it mostly points along.
                    let turn = rotation_matrix(*rotation);
                    DVec3::new(
                        along(turn.x_axis, factors),
                        along(turn.y_axis, factors),
                        along(turn.z_axis, factors),
                    )
                };
                *size *= turned;
            }
            Self::Quad { corner, u, v } => {
                *corner = about(*corner);
                *u *= factors;
                *v *= factors;
            }
            Self::Disc { center, normal, radius } => {
                *center = about(*center);
                *radius *= across(*normal);
            }
            Self::Cylinder { base, top, radius, .. } => {
                *radius *= across(*top - *base);
                (*base, *top) = (about(*base), about(*top));
            }
            Self::Cone { base, top, base_radius, top_radius, .. } => {
                let factor = across(*top - *base);
                *base_radius *= factor;
                *top_radius *= factor;
                (*base, *top) = (about(*base), about(*top));
            }
            Self::Torus { center, normal, radius, thickness } => {
                // The tube must not outgrow the ring.
                let wide = *radius * across(*normal);
                *thickness =
                    (*thickness * along(normal.normalize_or(DVec3::Y), factors)).min(1.9 * wide);
                *radius = wide;
                *center = about(*center);
            }
            Self::Other { .. } => {
                let even = factors.max_element() - factors.min_element() < 1e-9;
                let stretched = !even
                    && self.reshaped(|geometry| {
                        geometry.stretched(factors.to_array(), pivot.to_array()).ok()
                    });
                return stretched || self.carried(&Motion::scale(uniform, pivot.to_array()));
            }
        }
        true
    }
}

impl From<&Geometry> for Form {
    fn from(geometry: &Geometry) -> Self {
        match geometry {
            Geometry::Sphere(sphere) => {
                Self::Sphere { center: sphere.center.get().into(), radius: sphere.radius.get() }
            }
            Geometry::Box(cuboid) => Self::Box {
                center: cuboid.center.get().into(),
                size: cuboid.dimensions.get().into(),
                rotation: cuboid.rotation.get().into(),
            },
            Geometry::Quad(quad) => Self::Quad {
                corner: quad.corner.get().into(),
                u: quad.u.get().into(),
                v: quad.v.get().into(),
            },
            Geometry::Disc(disc) => Self::Disc {
                center: disc.center.get().into(),
                normal: disc.normal.get().into(),
                radius: disc.radius.get(),
            },
            Geometry::Cylinder(cylinder) => Self::Cylinder {
                base: cylinder.base_center.get().into(),
                top: cylinder.top_center.get().into(),
                radius: cylinder.radius.get(),
                capped: cylinder.capped,
            },
            Geometry::Cone(cone) => Self::Cone {
                base: cone.base_center.get().into(),
                base_radius: cone.base_radius.get(),
                top: cone.top_center.get().into(),
                top_radius: cone.top_radius.get(),
                capped: cone.capped,
            },
            Geometry::Torus(torus) if torus.end_angle.get() - torus.start_angle.get() >= 360.0 => {
                Self::Torus {
                    center: torus.center.get().into(),
                    normal: torus.normal.get().into(),
                    radius: torus.radius.get(),
                    thickness: torus.thickness.get(),
                }
            }
            other => Self::Other {
                type_name: other.type_name().to_owned(),
                properties: other.properties_json(),
                bounds: extent(other).unwrap_or(Bounds::around(DVec3::ZERO, DVec3::ZERO)),
            },
        }
    }
}

/// The box round a shape; none for a mesh.
fn extent(geometry: &Geometry) -> Option<Bounds> {
    let bounds = geometry.bounds()?;
    Some(Bounds { min: bounds.min.into(), max: bounds.max.into() })
}

fn along(axis: DVec3, factors: DVec3) -> f64 {
    let weights = axis * axis;
    (factors * weights).element_sum() / weights.element_sum().max(1e-9)
}
