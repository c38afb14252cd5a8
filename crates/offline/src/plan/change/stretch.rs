//! Things stretched along axes, and objects part by part.

use std::sync::Arc;

use glam::DVec3;
use scene::{Edit, Geometry, Scene, Shape};
use serde_json::{Value, json};

use crate::plan::draft::PlanDraft;
use crate::plan::planner::{Done, Planner};
use crate::resolve::SceneWorld;

impl Planner<'_> {
    /// Stretches an object part by part, from its foot; what has too many parts grows as a whole.
    pub(super) fn stretch_parts(&mut self, id: &str, factors: [f64; 3], anchor: &str) -> Done {
        const MAX_PARTS: usize = 150;
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let Some(thing) = world.find(id) else { return Ok(()) };
        let pivot = thing.extent.center().with_y(thing.extent.min.y);
        // What is round as a whole stays so.
        let whole = 0.9 * thing.extent.size();
        let is_round = thing.bodies.iter().map(|at| &world.space.bodies()[*at]).any(|body| {
            let size = body.solid.extent().size();
            size.x >= whole.x
                && size.z >= whole.z
                && body.shape().is_some_and(|shape| {
                    matches!(
                        shape.geometry,
                        Geometry::Cylinder(_) | Geometry::Cone(_) | Geometry::Disc(_)
                    )
                })
        });
        let wide = if factors[0] == 1.0 { factors[2] } else { factors[0] };
        let factors = if is_round { [wide, factors[1], wide] } else { factors };
        let parts: Vec<(String, Option<Geometry>, DVec3)> = thing
            .bodies
            .iter()
            .map(|at| &world.space.bodies()[*at])
            .map(|body| {
                (
                    body.id.to_owned(),
                    body.shape().map(|shape| shape.geometry.clone()),
                    body.solid.extent().center(),
                )
            })
            .collect();
        if parts.len() > MAX_PARTS {
            return self.grow_evenly(id, factors, anchor);
        }
        // The parts by themselves: what else there is would only cost time.
        let own = |shape: &&Arc<Shape>| parts.iter().any(|(part, ..)| part == shape.id.as_str());
        let shapes = scene.shapes.iter().filter(own).cloned().collect();
        let apart = SceneWorld::of(Arc::new(Scene { shapes, ..Scene::default() }));
        let (whole, calls) =
            (std::mem::replace(&mut self.draft, PlanDraft::from(&apart)), self.calls.len());
        let done = self.stretch_each(parts, pivot, factors);
        let apart = std::mem::replace(&mut self.draft, whole);
        if !done? {
            self.calls.truncate(calls);
            return self.grow_evenly(id, factors, anchor);
        }
        let written = apart.scene().to_json();
        for shape in written["shapes"].as_array().into_iter().flatten() {
            let updates = json!({ "type": shape["type"], "properties": shape["properties"] });
            let args = json!({ "id": shape["id"], "updates": updates });
            self.edit(&Edit::parse("update_shape", &args)?)?;
        }
        Ok(())
    }

    /// Whether most parts can be stretched; those that cannot grow evenly.
    fn stretch_each(
        &mut self,
        parts: Vec<(String, Option<Geometry>, DVec3)>,
        pivot: DVec3,
        factors: [f64; 3],
    ) -> Done<bool> {
        let (mut rigid_parts, most_rigid) = (0, parts.len() / 3);
        for (part, geometry, center) in parts {
            let stretched = geometry.as_ref().and_then(|geometry| stretched(geometry, factors));
            let done = match (&geometry, stretched) {
                (None, _) => Ok(()),
                (Some(Geometry::Sphere(_)), _) => self.as_ellipsoid(&part, factors),
                // A ring stays around what it is around.
                (Some(Geometry::Torus(_)), _) => {
                    let by = (factors[0] * factors[2]).sqrt();
                    let all = json!({ "ids": [part], "by": by, "anchor": "center" });
                    self.call("scale", all).map(drop)
                }
                (_, Some(properties)) => {
                    let updates = json!({ "properties": properties });
                    self.call("update_shape", json!({ "id": part, "updates": updates })).map(drop)
                }
                (_, None) => {
                    let all = json!({ "ids": [part], "by": factors, "anchor": "center" });
                    self.call("scale", all).map(drop)
                }
            };
            // A part that cannot be stretched grows evenly; where many cannot, the whole does.
            if done.is_err() {
                rigid_parts += 1;
                if rigid_parts > most_rigid {
                    return Ok(false);
                }
                let even = (factors[0] * factors[1] * factors[2]).cbrt();
                self.call("scale", json!({ "ids": [part], "by": even, "anchor": "center" }))?;
            }
            let now =
                self.state().world().extent_of([&part]).map_or(center, |extent| extent.center());
            let goal = pivot + (center - pivot) * DVec3::from(factors);
            self.shift_by(&[part], goal - now)?;
        }
        Ok(true)
    }

    /// What cannot be stretched grows as a whole, by what was asked for.
    pub(super) fn grow_evenly(&mut self, id: &str, factors: [f64; 3], anchor: &str) -> Done {
        let most =
            factors.into_iter().max_by(|one, other| one.ln().abs().total_cmp(&other.ln().abs()));
        let by = most.unwrap_or(1.0);
        self.call("scale", json!({ "ids": [id], "by": by, "anchor": anchor })).map(drop)
    }

    pub(super) fn as_ellipsoid(&mut self, id: &str, factors: [f64; 3]) -> Done {
        let scene = self.scene();
        let Some(shape) = scene.shape(id) else { return Ok(()) };
        let Geometry::Sphere(sphere) = &shape.geometry else { return Ok(()) };
        let (center, radius) = (sphere.center.get(), sphere.radius.get());
        let up = radius * (factors[1] - 1.0);
        let properties = json!({ "center": [center[0], center[1] + up, center[2]],
            "radii": factors.map(|factor| radius * factor) });
        let updates = json!({ "type": "ellipsoid", "properties": properties });
        self.call("update_shape", json!({ "id": id, "updates": updates })).map(drop)
    }
}

/// Round shapes that stand upright, stretched from their lower end.
pub(super) fn stretched(geometry: &Geometry, [x, y, z]: [f64; 3]) -> Option<Value> {
    let wide = (x * z).sqrt();
    let raised = |low: [f64; 3], high: [f64; 3]| {
        let is_upright = (low[0] - high[0]).abs() < 1e-6 && (low[2] - high[2]).abs() < 1e-6;
        is_upright.then(|| [high[0], low[1] + (high[1] - low[1]) * y, high[2]])
    };
    match geometry {
        Geometry::Cylinder(cylinder) => {
            let (low, high) = (cylinder.base_center.get(), cylinder.top_center.get());
            Some(
                json!({ "top_center": raised(low, high)?, "radius": cylinder.radius.get() * wide }),
            )
        }
        Geometry::Cone(cone) => {
            let (low, high) = (cone.base_center.get(), cone.top_center.get());
            Some(
                json!({ "top_center": raised(low, high)?, "base_radius": cone.base_radius.get() * wide,
                "top_radius": cone.top_radius.get() * wide }),
            )
        }
        Geometry::Capsule(capsule) => {
            let (low, high) = (capsule.start.get(), capsule.end.get());
            let radius = capsule.radius.get();
            let bottom = low[1] - radius;
            let height = (high[1] - low[1] + 2.0 * radius) * y;
            let radius = (radius * wide).min(0.49 * height);
            raised(low, high)?;
            Some(json!({ "start": [low[0], bottom + radius, low[2]],
                "end": [low[0], bottom + height - radius, low[2]], "radius": radius }))
        }
        Geometry::Torus(torus) => {
            Some(json!({ "thickness": (torus.thickness.get() * y).min(1.9 * torus.radius.get()) }))
        }
        _ => None,
    }
}
