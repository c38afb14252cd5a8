//! What things stand on, and what such things are put on.

use crate::frames::{Place, Relation};
use crate::resolve::{Kind, is_member};

use crate::plan::planner::Planner;

impl Planner<'_> {
    /// What something was put on or into just now, where that is new, too.
    pub(super) fn new_carrier(&self, place: &Place) -> Option<Vec<String>> {
        let carries = matches!(place.relation, Some(Relation::On | Relation::Inside));
        let target = place.target.as_ref().filter(|_| carries)?;
        self.find(target).ok().filter(|ids| self.is_new(ids))
    }

    /// Whether what a place is told by stands on something itself: "a mug on a desk, beside a laptop".
    pub(super) fn rides(&self, place: &Place, carrier: &[String]) -> bool {
        let target = place.target.as_ref().and_then(|target| self.find(target).ok());
        target.is_some_and(|target| self.carries(carrier, &target))
    }

    /// "in it" is in the vase that was spoken of, not in the table it stands on.
    pub(super) fn container_spoken_of(&self, targets: Vec<String>, ids: &[String]) -> Vec<String> {
        let state = self.state();
        let world = state.world();
        let holds = |id: &String| {
            !ids.contains(id) && world.find(id).is_some_and(|thing| is_member(thing, "containers"))
        };
        let is_object = |id: &String| world.find(id).is_some_and(|thing| thing.kind == Kind::Group);
        if targets.iter().any(holds) || !targets.iter().all(is_object) {
            return targets;
        }
        let made = self.context.made.last().into_iter().flatten();
        let mut spoken = self.context.focus.iter().flatten().chain(made);
        spoken.find(|id| holds(id)).map_or(targets, |found| vec![found.clone()])
    }

    /// Whether something is an object that things of this size are put on.
    pub(in crate::plan) fn bears(
        &self,
        targets: &[String],
        own: spatial::Extent,
        target: spatial::Extent,
    ) -> bool {
        let sides = |extent: spatial::Extent| {
            let size = extent.size();
            (size.x.max(size.z), size.x.min(size.z))
        };
        let (own, target) = (sides(own), sides(target));
        let is_small = own.0 < 0.6 * target.0 && own.0 < target.1;
        let object = |id: &String| {
            let words: Vec<&str> = id.split('_').collect();
            let mut names = (0..words.len()).map(|at| words[at..].join(" "));
            names.find_map(|name| {
                catalogue::catalogue().find(name.trim_end_matches(char::is_numeric).trim())
            })
        };
        is_small
            && targets.iter().all(|id| object(id).is_some_and(|object| object.carries().is_some()))
    }

    /// The one thing that things stand on, if it is no ground.
    pub(super) fn carrier_of(&self, ids: &[String]) -> Option<String> {
        let state = self.state();
        let world = state.world();
        let below = |id: &String| world.support_of(world.find(id)?);
        let carrier = below(ids.first()?)?;
        let is_same = ids.iter().all(|id| below(id).is_some_and(|other| other.id == carrier.id));
        let is_wide = carrier.extent.size().x > 2.0 * carrier.extent.size().y.max(1.0);
        (is_same && !carrier.scenery && !is_wide).then(|| carrier.id.clone())
    }

    /// Whether things stand on others.
    pub(super) fn carries(&self, targets: &[String], ids: &[String]) -> bool {
        let state = self.state();
        let world = state.world();
        ids.iter()
            .filter_map(|id| world.find(id))
            .all(|thing| world.support_of(thing).is_some_and(|below| targets.contains(&below.id)))
    }
}
