//! Which one of several: "the biggest", "the left one", "the last three".

use glam::DVec3;

use super::{Resolver, ids};
use crate::language::Rank;
use crate::world::Thing;

impl Resolver<'_> {
    /// The ids of those of `fitting` that bear the rank; `count` of them when given.
    pub(super) fn ranked(
        &self,
        fitting: Vec<&Thing>,
        rank: Rank,
        count: Option<usize>,
        plural: bool,
    ) -> Vec<String> {
        let camera = &self.world.camera;
        let along = |direction: DVec3| move |thing: &Thing| thing.bounds().center().dot(direction);
        let volume = |thing: &Thing| {
            let size = thing.bounds().size();
            size.max(DVec3::splat(1e-3)).element_product()
        };
        let best = |key: &dyn Fn(&Thing) -> f64| {
            let mut sorted = fitting.clone();
            // Stable: of equals the one made first comes first.
            sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
            ids(sorted.into_iter().take(count.unwrap_or(1).max(1)))
        };
        let nth = |index: usize| ids(fitting.iter().copied().skip(index).take(1));
        match rank {
            Rank::Biggest => best(&volume),
            Rank::Smallest => best(&|thing| -volume(thing)),
            Rank::Tallest => best(&|thing| thing.bounds().size().y),
            Rank::Leftmost => best(&|thing| -along(camera.right())(thing)),
            Rank::Rightmost => best(&along(camera.right())),
            Rank::Highest => best(&along(DVec3::Y)),
            Rank::Lowest => best(&along(DVec3::NEG_Y)),
            Rank::Nearest => best(&along(camera.towards())),
            Rank::Farthest => best(&along(-camera.towards())),
            Rank::Middle => {
                let mut sorted = fitting.clone();
                let key = along(camera.right());
                sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
                ids(sorted.into_iter().skip((fitting.len() - 1) / 2).take(1))
            }
            Rank::First => ids(fitting.into_iter().take(count.unwrap_or(1))),
            Rank::Second => nth(1),
            Rank::Third => nth(2),
            Rank::Fourth => nth(3),
            Rank::Last => {
                let skipped = fitting.len().saturating_sub(count.unwrap_or(1));
                ids(fitting.into_iter().skip(skipped))
            }
            Rank::Other | Rank::Others => {
                let focus = self.them().unwrap_or_default();
                let others = ids(fitting.into_iter().filter(|thing| !focus.contains(&thing.id)));
                let one = rank == Rank::Other && !plural;
                let most = if one { 1 } else { others.len() };
                others.into_iter().take(most).collect()
            }
        }
    }
}
