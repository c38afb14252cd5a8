//! Sides as the viewer sees them, and whether something lies in a place.

use glam::DVec3;
use scene::Scene;
use spatial::{Extent, View};

use crate::frames::{Region, Relation};

/// The level unit vectors to the viewer's right and front.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) right: DVec3,
    pub(crate) front: DVec3,
}

impl Sides {
    /// Of the camera of a scene; along the axes of the world when it looks nearly along one, as
    /// `spatial` has it.
    pub(crate) fn of(scene: &Scene) -> Self {
        let view = View::of(&scene.camera);
        let right = view.right().with_y(0.0).try_normalize().unwrap_or(DVec3::X);
        let axes = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
        let near = axes.into_iter().find(|axis| axis.dot(right) > 10f64.to_radians().cos());
        let right = near.unwrap_or(right);
        Self { right, front: right.cross(DVec3::Y) }
    }
}

/// Whether a thing lies to another as said, loosely.
pub(crate) fn is_at(relation: Relation, thing: Extent, target: Extent, sides: Sides) -> bool {
    let (own, other) = (thing.center(), target.center());
    let way = own - other;
    let size = thing.size() + target.size();
    let reach = 0.5 * size.x.max(size.z);
    let over = way.x.abs() <= 0.5 * size.x + 1e-3 && way.z.abs() <= 0.5 * size.z + 1e-3;
    let gap = thing.distance(target);
    match relation {
        Relation::On => over && (thing.min.y - target.max.y).abs() <= 0.05 + 0.12 * target.size().y,
        Relation::Above => over && thing.min.y >= target.max.y - 0.02,
        Relation::Under => over && thing.max.y <= target.max.y + 0.02 && own.y < other.y,
        Relation::LeftOf | Relation::EdgeLeft => way.dot(sides.right) < -0.3 * reach,
        Relation::RightOf | Relation::EdgeRight => way.dot(sides.right) > 0.3 * reach,
        Relation::InFrontOf | Relation::Opposite => way.dot(sides.front) > 0.3 * reach,
        Relation::Behind => way.dot(sides.front) < -0.3 * reach,
        Relation::NextTo | Relation::Along | Relation::Rim | Relation::To => {
            gap <= 0.6_f64.max(0.5 * thing.size().max_element().min(target.size().max_element()))
        }
        Relation::Inside | Relation::Middle => {
            target.contains(own) || (over && thing.min.y >= target.min.y - 0.02)
        }
        Relation::Around
        | Relation::Flanking
        | Relation::Ends
        | Relation::Corners
        | Relation::Corner
        | Relation::Between
        | Relation::Span => gap <= 1.5,
    }
}

impl Relation {
    /// The relation that a region of a target comes to.
    pub(crate) fn of_region(region: Region) -> Option<Self> {
        Some(match region {
            Region::Left => Self::LeftOf,
            Region::Right => Self::RightOf,
            Region::Front | Region::Outside => Self::InFrontOf,
            Region::Back | Region::Behind => Self::Behind,
            Region::Above | Region::Top => Self::On,
            Region::Below | Region::Under => Self::Under,
            Region::Beside => Self::NextTo,
            Region::Around => Self::Around,
            Region::Between => Self::Between,
            Region::Inside => Self::Inside,
            Region::Flanking => Self::Flanking,
            Region::Ends => Self::Ends,
            Region::Corners => Self::Corners,
            Region::Corner => Self::Corner,
            Region::Middle => Self::Middle,
            Region::BackLeft | Region::BackRight | Region::FrontLeft | Region::FrontRight => {
                Self::Corner
            }
            Region::Ground | Region::Here | Region::Away | Region::OtherSide | Region::Former => {
                return None;
            }
        })
    }
}
