//! The place of a part: by coordinates, or on, beside or in another part.

use glam::DVec3;
use scene::Motion;

use super::bounds::Bounds;
use super::built_shape::{BuiltShape, bounds_of, moved, shifted, turn_up_to};
use super::primitives::sample;
use super::random::Random;
use crate::error::CatalogueError;
use crate::files::{Number, Part, Point};

/// The parts placed so far, each with the bounds of all its copies.
#[derive(Debug, Default)]
pub(crate) struct PlacedParts(Vec<(String, Bounds)>);

impl PlacedParts {
    pub(crate) fn add(&mut self, name: &str, shapes: &[BuiltShape]) {
        let Some(bounds) = bounds_of(shapes) else { return };
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.union(bounds),
            None => self.0.push((name.to_owned(), bounds)),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Result<Bounds, CatalogueError> {
        let found = self.0.iter().find(|(known, _)| known == name).map(|(_, bounds)| *bounds);
        found.ok_or_else(|| CatalogueError::Reference(name.to_owned()))
    }

    /// The coordinates of a point; `[x, z]` lies on the ground.
    pub(crate) fn point(
        &self,
        point: &Point,
        random: &mut Random,
    ) -> Result<DVec3, CatalogueError> {
        Ok(match point {
            Point::Coordinates(numbers) => {
                let numbers: Vec<f64> =
                    numbers.iter().map(|number| number.sample(random)).collect();
                match numbers[..] {
                    [x, z] => DVec3::new(x, 0.0, z),
                    [x, y, z] => DVec3::new(x, y, z),
                    _ => return Err(CatalogueError::Reference(format!("{numbers:?}"))),
                }
            }
            Point::Relative { of, at, plus } => {
                let bounds = self.find(of)?;
                let at = DVec3::from(sample(at, random));
                let plus = plus.as_ref().map_or(DVec3::ZERO, |plus| sample(plus, random).into());
                bounds.center() + bounds.size() * 0.5 * at + plus
            }
        })
    }

    /// The two ends of a part that spans between points.
    pub(crate) fn ends(
        &self,
        part: &Part,
        random: &mut Random,
    ) -> Result<Option<[DVec3; 2]>, CatalogueError> {
        let (Some(from), Some(to)) = (&part.from, &part.to) else { return Ok(None) };
        Ok(Some([self.point(from, random)?, self.point(to, random)?]))
    }
}

/// Moves a part to its place. A shape is placed by the middle of its lower side, a part made of several
/// by its own origin, standing on its lowest point.
pub(crate) fn placed(
    part: &Part,
    shapes: Vec<BuiltShape>,
    others: &PlacedParts,
    random: &mut Random,
) -> Result<Vec<BuiltShape>, CatalogueError> {
    let mut shapes = turned(part, shapes, random)?;
    let Some(mut own) = bounds_of(&shapes) else { return Ok(shapes) };
    if part.from.is_some() {
        // It is between its ends already.
        return shifted(&shapes, shift_of(part, random));
    }
    let sink = part.sink.map_or(0.0, |sink| sink.sample(random));
    let gap = part.gap.map_or(0.0, |gap| gap.sample(random)) - sink;
    let composite = part.parts.is_some() || part.uses.is_some();
    let foot = |own: Bounds| if composite { DVec3::Y * own.min.y } else { own.foot() };
    let beside = |name: &String, direction: DVec3, own: Bounds| {
        let other = others.find(name)?;
        let reach = (other.size() + own.size()).dot(direction.abs()) / 2.0 + gap;
        let target = other.foot() + direction * reach;
        // Beside it by the bounds, also where the origin is not in their middle.
        Ok::<DVec3, CatalogueError>(target - own.foot())
    };
    let mut by = if let Some(name) = &part.upon {
        let other = others.find(name)?;
        let mut degrees = |number: Option<Number>| {
            number.map_or(0.0, |number| number.sample(random)).to_radians()
        };
        let (around, up) = (degrees(part.around), degrees(part.up));
        let direction = DVec3::new(around.sin() * up.cos(), up.sin(), around.cos() * up.cos());
        let surface = on_ball(other, direction);
        if part.outward {
            shapes = moved(&shapes, &turn_up_to(direction))?;
            surface - direction * sink
        } else {
            surface - direction * sink - own.center()
        }
    } else if let Some(name) = &part.on {
        let other = others.find(name)?;
        let top = other.center().with_y(other.max.y);
        let target = match &part.at {
            // A place on it by coordinates; the height is that of the part it stands on.
            Some(at) => others.point(at, random)?.with_y(top.y),
            None => top,
        };
        target - DVec3::Y * sink - foot(own)
    } else if let Some(name) = &part.under {
        let other = others.find(name)?;
        let target = other.foot() - DVec3::Y * (own.max.y + gap);
        target - foot(own).with_y(0.0)
    } else if let Some(name) = &part.inside {
        others.find(name)?.center() - own.center()
    } else if let Some(name) = &part.left_of {
        beside(name, DVec3::NEG_X, own)?
    } else if let Some(name) = &part.right_of {
        beside(name, DVec3::X, own)?
    } else if let Some(name) = &part.in_front_of {
        beside(name, DVec3::Z, own)?
    } else if let Some(name) = &part.behind {
        beside(name, DVec3::NEG_Z, own)?
    } else if let Some(center) = &part.center {
        let center = others.point(center, random)?;
        if composite { center } else { center - own.center() }
    } else if let Some(at) = &part.at {
        others.point(at, random)? - foot(own)
    } else if part.arch.is_some() || part.triangle.is_some() || part.shape.is_some() {
        // Its coordinates are its place.
        DVec3::ZERO
    } else {
        -foot(own)
    };
    by += shift_of(part, random);
    own = own.moved(by);
    debug_assert!(own.size().is_finite(), "{}", part.name);
    shifted(&shapes, by)
}

fn shift_of(part: &Part, random: &mut Random) -> DVec3 {
    part.shift.as_ref().map_or(DVec3::ZERO, |shift| sample(shift, random).into())
}

/// Scaled, tilted, then turned about y, each about the origin.
fn turned(
    part: &Part,
    shapes: Vec<BuiltShape>,
    random: &mut Random,
) -> Result<Vec<BuiltShape>, CatalogueError> {
    let mut motions = Vec::new();
    if let Some(scale) = part.scale {
        motions.push(Motion::scale(scale.sample(random), [0.0; 3]));
    }
    if let Some(tilt) = &part.tilt {
        motions.push(Motion::turn(sample(tilt, random), [0.0; 3]));
    }
    if let Some(turn) = part.turn {
        motions.push(Motion::turn([0.0, turn.sample(random), 0.0], [0.0; 3]));
    }
    match motions.into_iter().reduce(Motion::then) {
        Some(motion) => moved(&shapes, &motion),
        None => Ok(shapes),
    }
}

/// Where a ray from the middle along `direction` leaves the ellipsoid that fills the bounds.
fn on_ball(bounds: Bounds, direction: DVec3) -> DVec3 {
    let half = (bounds.size() * 0.5).max(DVec3::splat(1e-9));
    bounds.center() + direction / (direction / half).length()
}
