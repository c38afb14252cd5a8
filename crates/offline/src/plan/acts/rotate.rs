//! Turning things.

use glam::{DMat3, DVec3};
use scene::Motion;

use crate::language::Angle;
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Form, World, rotation_matrix};

impl Planner {
    /// Turns things, as one body, about their middle.
    pub(crate) fn rotate(&mut self, ids: &[String], angle: Angle) -> Done {
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let Some(bounds) = World::bounds_of(things) else { return Ok(()) };
        let before = self.world.clone();
        let turn = DMat3::from_axis_angle(angle.axis, angle.degrees.to_radians());
        let (pivot, low) = (bounds.center(), bounds.min.y);
        let alone = ids.len() == 1;
        let mut unseen = None;
        self.each(ids, |thing| {
            let Body::Shape { form, .. } = &mut thing.body else {
                return Err(format!("I cannot turn {} yet: it is a light.", thing.id));
            };
            if alone && matches!(form, Form::Sphere { .. }) {
                unseen = Some(thing.id.clone());
            }
            turned(form, turn, pivot).then_some(()).ok_or_else(|| {
                format!("I cannot turn {} yet: it is a {}.", thing.id, form.type_name())
            })
        })?;
        if let Some(id) = unseen {
            return Err(Problem::Cannot(format!(
                "{id} is a sphere: it looks the same however it is turned, so I left it."
            )));
        }
        // What stood on something stands on it still.
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let rise = World::bounds_of(things).map_or(0.0, |bounds| low - bounds.min.y);
        self.each(ids, |thing| {
            thing.moved(DVec3::Y * rise);
            Ok(())
        })?;
        self.make_room(&[ids.to_vec()], &before);
        Ok(())
    }
}

/// Turns a shape about its middle; its lowest point keeps its height.
pub(crate) fn turn_upon_ground(form: &mut Form, angle: Angle) {
    let bounds = form.bounds();
    let turn = DMat3::from_axis_angle(angle.axis, angle.degrees.to_radians());
    if turned(form, turn, bounds.center()) {
        form.moved(DVec3::Y * (bounds.min.y - form.bounds().min.y));
    }
}

/// Turns a shape about a point; whether this kind of shape can be turned.
pub(in crate::plan) fn turned(form: &mut Form, turn: DMat3, pivot: DVec3) -> bool {
    let about = |point: DVec3| pivot + turn * (point - pivot);
    match form {
        Form::Sphere { center, .. } => *center = about(*center),
        Form::Box { center, rotation, .. } => {
            *center = about(*center);
            *rotation = euler_degrees(turn * rotation_matrix(*rotation));
        }
        Form::Quad { corner, u, v } => {
            *corner = about(*corner);
            (*u, *v) = (turn * *u, turn * *v);
        }
        Form::Disc { center, normal, .. } | Form::Torus { center, normal, .. } => {
            *center = about(*center);
            *normal = turn * *normal;
        }
        Form::Cylinder { base, top, .. } | Form::Cone { base, top, .. } => {
            (*base, *top) = (about(*base), about(*top));
        }
        Form::Other { .. } => {
            let degrees = euler_degrees(turn);
            return form.carried(&Motion::turn(degrees.to_array(), pivot.to_array()));
        }
    }
    true
}

/// The Euler angles (about X first, then Y, then Z) of a rotation matrix, in degrees.
fn euler_degrees(matrix: DMat3) -> DVec3 {
    let (first, second, third) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let y = (-first.z).clamp(-1.0, 1.0).asin();
    let (x, z) = if first.z.abs() < 0.999_999 {
        (second.z.atan2(third.z), first.y.atan2(first.x))
    } else {
        // Straight up or down: only the sum of both turns shows.
        ((-third.y).atan2(second.y), 0.0)
    };
    DVec3::new(x, y, z).to_array().map(|angle| (angle.to_degrees() * 100.0).round() / 100.0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_angles_give_the_matrix_back() {
        for degrees in [[0.0, 45.0, 0.0], [30.0, -20.0, 70.0], [10.0, 90.0, 0.0], [-80.0, 5.0, 3.0]]
        {
            let matrix = rotation_matrix(degrees.into());
            let again = rotation_matrix(euler_degrees(matrix));
            assert!(matrix.abs_diff_eq(again, 1e-3), "{degrees:?}");
        }
    }
}
