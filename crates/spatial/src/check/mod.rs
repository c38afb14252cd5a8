//! Findings: likely mistakes in a scene, by geometry and visibility. Findings about light need a render and
//! are made elsewhere.

mod camera;
mod finding;
mod floating;
mod foliage;
mod ground;
mod held;
mod joint;
mod natural;
mod overlaps;
mod pair;
mod sizes;
mod touching;

use std::collections::HashSet;

use crate::space::{Body, Space};

pub use camera::{Sight, is_surroundings, points_to_see};
pub use finding::{Finding, Findings};
pub(crate) use ground::grounds;
pub(crate) use natural::Natural;

/// Everything that geometry tells. `sight` says whether a body can be seen from the camera; asked only
/// of those that lie in the picture.
pub fn check(space: &Space<'_>, sight: &mut dyn FnMut(&Body<'_>) -> Sight) -> Findings {
    check_unseen(space, &HashSet::new(), sight)
}

/// As [`check`], where `seen` are ids that a picture shows: `sight` is not asked of these.
pub fn check_unseen(
    space: &Space<'_>,
    seen: &HashSet<&str>,
    sight: &mut dyn FnMut(&Body<'_>) -> Sight,
) -> Findings {
    let mut findings = Findings::default();
    let contacts = space.all_contacts();
    overlaps::overlaps(space, &contacts, &mut findings);
    floating::floating(space, &contacts, &mut findings);
    sizes::sizes(space, &contacts, &mut findings);
    camera::camera(space, &contacts, seen, sight, &mut findings);
    findings
}
