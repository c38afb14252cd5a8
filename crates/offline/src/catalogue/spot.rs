//! Where a part goes: by coordinates, or by what it stands on, beside or in.

use glam::DVec3;
use scene::Motion;

use super::CatalogueFault;
use super::draw::Draw;
use super::form::values;
use super::piece::{Piece, bounds_of, moved, shifted, turn_up_to};
use super::recipe::{Part, Point};
use crate::world::Bounds;

/// The parts that have their places already, with the boxes round them and all their copies.
#[derive(Debug, Default)]
pub(super) struct Neighbours(Vec<(String, Bounds)>);

impl Neighbours {
    pub(super) fn add(&mut self, name: &str, pieces: &[Piece]) {
        let Some(bounds) = bounds_of(pieces) else { return };
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.union(bounds),
            None => self.0.push((name.to_owned(), bounds)),
        }
    }

    pub(super) fn find(&self, name: &str) -> Result<Bounds, CatalogueFault> {
        let found = self.0.iter().find(|(known, _)| known == name).map(|(_, bounds)| *bounds);
        found.ok_or_else(|| CatalogueFault::Reference(name.to_owned()))
    }

    /// The coordinates of a point; `[x, z]` lies on the ground.
    pub(super) fn point(&self, point: &Point, draw: &mut Draw) -> Result<DVec3, CatalogueFault> {
        Ok(match point {
            Point::Here(numbers) => {
                let numbers: Vec<f64> = numbers.iter().map(|number| number.value(draw)).collect();
                match numbers[..] {
                    [x, z] => DVec3::new(x, 0.0, z),
                    [x, y, z] => DVec3::new(x, y, z),
                    _ => return Err(CatalogueFault::Reference(format!("{numbers:?}"))),
                }
            }
            Point::Of { of, at, plus } => {
                let bounds = self.find(of)?;
                let at = DVec3::from(values(at, draw));
                let plus = plus.as_ref().map_or(DVec3::ZERO, |plus| values(plus, draw).into());
                bounds.center() + bounds.size() * 0.5 * at + plus
            }
        })
    }

    /// The two ends of a part that spans between points.
    pub(super) fn ends(
        &self,
        part: &Part,
        draw: &mut Draw,
    ) -> Result<Option<[DVec3; 2]>, CatalogueFault> {
        let (Some(from), Some(to)) = (&part.from, &part.to) else { return Ok(None) };
        Ok(Some([self.point(from, draw)?, self.point(to, draw)?]))
    }
}

/// Puts a part in its place. Shapes stand by the middle of their lowest side, what is made of
/// several parts by its own origin, set down on its lowest point.
pub(super) fn placed(
    part: &Part,
    pieces: Vec<Piece>,
    neighbours: &Neighbours,
    draw: &mut Draw,
) -> Result<Vec<Piece>, CatalogueFault> {
    let mut pieces = turned(part, pieces, draw)?;
    let Some(mut own) = bounds_of(&pieces) else { return Ok(pieces) };
    if part.from.is_some() {
        // It lies between its ends.
        return shifted(&pieces, shift_of(part, draw));
    }
    let sink = part.sink.map_or(0.0, |sink| sink.value(draw));
    let gap = part.gap.map_or(0.0, |gap| gap.value(draw)) - sink;
    let composite = part.parts.is_some() || part.uses.is_some();
    let foot = |own: Bounds| if composite { DVec3::Y * own.min.y } else { own.foot() };
    let beside = |name: &String, way: DVec3, own: Bounds| {
        let other = neighbours.find(name)?;
        let reach = (other.size() + own.size()).dot(way.abs()) / 2.0 + gap;
        let target = other.foot() + way * reach;
        // Beside by the boxes, also where the origin is not their middle.
        Ok::<DVec3, CatalogueFault>(target - own.foot())
    };
    let mut by = if let Some(name) = &part.upon {
        let other = neighbours.find(name)?;
        let mut degrees = |number: Option<super::recipe::Number>| {
            number.map_or(0.0, |number| number.value(draw)).to_radians()
        };
        let (around, up) = (degrees(part.around), degrees(part.up));
        let way = DVec3::new(around.sin() * up.cos(), up.sin(), around.cos() * up.cos());
        let surface = on_ball(other, way);
        if part.outward {
            pieces = moved(&pieces, &turn_up_to(way))?;
            surface - way * sink
        } else {
            surface - way * sink - own.center()
        }
    } else if let Some(name) = &part.on {
        let other = neighbours.find(name)?;
        let top = other.center().with_y(other.max.y);
        let target = match &part.at {
            // A place on it by coordinates; the height is told by what it stands on.
            Some(at) => neighbours.point(at, draw)?.with_y(top.y),
            None => top,
        };
        target - DVec3::Y * sink - foot(own)
    } else if let Some(name) = &part.under {
        let other = neighbours.find(name)?;
        let target = other.foot() - DVec3::Y * (own.max.y + gap);
        target - foot(own).with_y(0.0)
    } else if let Some(name) = &part.inside {
        neighbours.find(name)?.center() - own.center()
    } else if let Some(name) = &part.left_of {
        beside(name, DVec3::NEG_X, own)?
    } else if let Some(name) = &part.right_of {
        beside(name, DVec3::X, own)?
    } else if let Some(name) = &part.in_front_of {
        beside(name, DVec3::Z, own)?
    } else if let Some(name) = &part.behind {
        beside(name, DVec3::NEG_Z, own)?
    } else if let Some(center) = &part.center {
        let center = neighbours.point(center, draw)?;
        if composite { center } else { center - own.center() }
    } else if let Some(at) = &part.at {
        neighbours.point(at, draw)? - foot(own)
    } else if part.arch.is_some() || part.triangle.is_some() || part.shape.is_some() {
        // Written by coordinates.
        DVec3::ZERO
    } else {
        -foot(own)
    };
    by += shift_of(part, draw);
    own = own.moved(by);
    debug_assert!(own.size().is_finite(), "{}", part.name);
    shifted(&pieces, by)
}

fn shift_of(part: &Part, draw: &mut Draw) -> DVec3 {
    part.shift.as_ref().map_or(DVec3::ZERO, |shift| values(shift, draw).into())
}

/// Scaled, tilted, then turned about y, each about the origin.
fn turned(part: &Part, pieces: Vec<Piece>, draw: &mut Draw) -> Result<Vec<Piece>, CatalogueFault> {
    let mut motions = Vec::new();
    if let Some(scale) = part.scale {
        motions.push(Motion::scale(scale.value(draw), [0.0; 3]));
    }
    if let Some(tilt) = &part.tilt {
        motions.push(Motion::turn(values(tilt, draw), [0.0; 3]));
    }
    if let Some(turn) = part.turn {
        motions.push(Motion::turn([0.0, turn.value(draw), 0.0], [0.0; 3]));
    }
    match motions.into_iter().reduce(Motion::then) {
        Some(motion) => moved(&pieces, &motion),
        None => Ok(pieces),
    }
}

/// Where a ray from the middle along `way` leaves the ball that fills the box, stretched as it is.
fn on_ball(bounds: Bounds, way: DVec3) -> DVec3 {
    let half = (bounds.size() * 0.5).max(DVec3::splat(1e-9));
    bounds.center() + way / (way / half).length()
}
