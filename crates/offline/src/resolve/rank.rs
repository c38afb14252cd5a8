//! Which one of several: "the biggest", "the left one", "the last three".

use glam::DVec3;

use super::Resolver;
use super::unit::{Unit, all_ids};
use crate::language::{Phrase, Rank};

impl Resolver<'_> {
    /// The ids of those of `fitting` that bear the rank; as many as the phrase counts.
    pub(super) fn ranked(
        &self,
        fitting: Vec<Unit<'_>>,
        rank: Rank,
        phrase: &Phrase,
    ) -> Vec<String> {
        let (count, plural) = (phrase.count, phrase.plural);
        let camera = &self.world.camera;
        let along = |direction: DVec3| move |unit: &Unit<'_>| unit.bounds.center().dot(direction);
        let volume = |unit: &Unit<'_>| unit.bounds.size().max(DVec3::splat(1e-3)).element_product();
        let best = |key: &dyn Fn(&Unit<'_>) -> f64| {
            let mut sorted = fitting.clone();
            // Stable: of equals the one made first comes first.
            sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
            let passed = sorted.into_iter().skip(phrase.passed_over);
            all_ids(passed.take(count.unwrap_or(1).max(1)))
        };
        let nth = |index: usize| all_ids(fitting.iter().skip(index).take(1).cloned());
        match rank {
            Rank::Biggest => best(&volume),
            Rank::Smallest => best(&|unit| -volume(unit)),
            Rank::Shortest => best(&|unit| -unit.bounds.size().y),
            Rank::Tallest => best(&|unit| unit.bounds.size().y),
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
                all_ids(sorted.into_iter().skip((fitting.len() - 1) / 2).take(1))
            }
            Rank::First => all_ids(fitting.into_iter().take(count.unwrap_or(1))),
            Rank::Second => nth(1),
            Rank::Third => nth(2),
            Rank::Fourth => nth(3),
            Rank::Last => {
                let skipped = fitting.len().saturating_sub(count.unwrap_or(1));
                all_ids(fitting.into_iter().skip(skipped))
            }
            Rank::Other | Rank::Others => {
                let focus = self.them().unwrap_or_default();
                let is_other =
                    |unit: &Unit<'_>| !unit.things.iter().any(|thing| focus.contains(&thing.id));
                let mut others: Vec<Unit<'_>> =
                    fitting.iter().filter(|unit| is_other(unit)).cloned().collect();
                if let ([first, _], true) = (fitting.as_slice(), others.is_empty()) {
                    // Both were spoken of: not the one named last.
                    others.push(first.clone());
                }
                let one = rank == Rank::Other && !plural;
                let most = if one { 1 } else { others.len() };
                all_ids(others.into_iter().take(most))
            }
        }
    }
}
