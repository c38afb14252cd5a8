//! Places that tell of one another.

use crate::frames::{Place, Region, Relation};

/// "on the table, on the right side": a side alone, said after what something is on, is that one's.
pub(in crate::plan) fn joined(places: &[Place]) -> Vec<Place> {
    let mut whole: Vec<Place> = Vec::new();
    for place in places {
        let is_side = place.target.is_none()
            && place.point.is_none()
            && match place.relation {
                None | Some(Relation::On) => place.region.is_some_and(Region::is_level_side),
                _ => false,
            }
            || place.target.is_none() && place.region == Some(Region::Corners);
        let owner = whole.last_mut().filter(|owner| {
            is_side && owner.relation == Some(Relation::On) && owner.region.is_none()
        });
        match owner {
            Some(owner) => owner.region = place.region,
            None => whole.push(place.clone()),
        }
    }
    whole
}

/// Whether a place is on a side of something.
pub(super) fn is_beside(place: &Place) -> bool {
    let sides = [
        Relation::NextTo,
        Relation::To,
        Relation::LeftOf,
        Relation::RightOf,
        Relation::InFrontOf,
        Relation::Behind,
        Relation::Under,
    ];
    place.relation.is_some_and(|relation| sides.contains(&relation))
}
