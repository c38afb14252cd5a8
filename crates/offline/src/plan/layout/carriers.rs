//! What things stand on, and what such things are put on.

use crate::resolve::World;

use crate::plan::planner::Planner;

impl Planner<'_> {
    /// Whether something is an object that things of this size are put on.
    pub(super) fn bears(
        &self,
        targets: &[String],
        own: spatial::Extent,
        target: spatial::Extent,
    ) -> bool {
        let is_small = own.size().x.max(own.size().z) < 0.6 * target.size().x.min(target.size().z);
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
        let scene = self.scene();
        let world = World::of(&scene);
        let below = |id: &String| world.support_of(world.find(id)?);
        let carrier = below(ids.first()?)?;
        let is_same = ids.iter().all(|id| below(id).is_some_and(|other| other.id == carrier.id));
        let is_wide = carrier.extent.size().x > 2.0 * carrier.extent.size().y.max(1.0);
        (is_same && !carrier.scenery && !is_wide).then(|| carrier.id.clone())
    }

    /// Whether things stand on others.
    pub(super) fn carries(&self, targets: &[String], ids: &[String]) -> bool {
        let scene = self.scene();
        let world = World::of(&scene);
        ids.iter()
            .filter_map(|id| world.find(id))
            .all(|thing| world.support_of(thing).is_some_and(|below| targets.contains(&below.id)))
    }
}
