//! What goes around things and closes: a fence, a hedge, a wall, with its gates and gaps.

use glam::DVec3;

use crate::frames::{Amount, ColourWord, Head, Phrase, Place, Quality, Region, Relation, Usual};
use crate::plan::layout::spot::ground_of;
use crate::plan::planner::{Done, Planner};

use super::forms;
use super::told::{barrier, goes_around, part_of, ways_through};

/// What is left free between a fence and what it is around: in metres, and in parts of what it is around.
const AIR: f64 = 0.8;
const SHARE: f64 = 0.25;
/// What is no higher lies on the ground, and the fence stands on its border.
const FLAT: f64 = 0.35;

impl Planner<'_> {
    /// "a fence around the barn": one that closes, around all of that; its id. `None` where nothing of the kind is asked for.
    pub(in crate::plan::make) fn enclose(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
        around: &[Phrase],
    ) -> Done<Option<String>> {
        let place =
            places.iter().find(|place| goes_around(place) || self.goes_along(phrase, place));
        let Some(barrier) = barrier(phrase).filter(|_| place.is_some() || !around.is_empty())
        else {
            return Ok(None);
        };
        let targets = match place.map(|place| place.target.as_deref()) {
            None => self.find_all(around)?,
            Some(Some(target)) if matches!(target.head, Head::Everything { .. }) => {
                let state = self.state();
                state.world().contents().map(|thing| thing.id.clone()).collect()
            }
            Some(Some(target)) => self.find(target)?,
            Some(None) => self.find(&Phrase::it())?,
        };
        let Some(all) = self.extent_of(&targets) else { return Ok(None) };
        let size = all.size();
        let told = place.and_then(|place| place.gap).and_then(Amount::metres);
        let air = match told {
            Some(gap) => gap + 0.5 * barrier.thick,
            None if size.y < FLAT => -0.5 * barrier.thick,
            None => AIR.max(SHARE * size.x.max(size.z)) + 0.5 * barrier.thick,
        };
        let edges = [size.x + 2.0 * air, size.z + 2.0 * air];
        let profile = [barrier.high, barrier.thick];
        let sides = place.map_or(&forms::ALL[..], |place| sides_of(place, size));
        let openings = ways_through(phrase);
        let pieces = forms::around(edges, profile, &openings, barrier.rails, sides);
        let mut own = phrase.clone();
        own.usual = Some(Usual { edges: [0.0; 3], material: barrier.material });
        let is_told = |quality: &Quality| {
            matches!(
                quality,
                Quality::Colour(_) | Quality::Material { .. } | Quality::Texture { .. }
            )
        };
        let usual = barrier.colour.filter(|_| !phrase.qualities.iter().any(is_told));
        own.qualities.extend(
            usual.map(|name| Quality::Colour(ColourWord { name: name.to_owned(), shade: None })),
        );
        own.with.clear();
        let id = self.new_id(&Phrase { qualities: Vec::new(), ..phrase.clone() }, "fence");
        self.build(&id, &pieces, &own)?;
        let foot = all.center().with_y(ground_of(self.state().world()));
        self.shift_by(std::slice::from_ref(&id), foot)?;
        self.hang_gates(phrase, foot + DVec3::Z * 0.5 * edges[1])?;
        Ok(Some(id))
    }

    /// "a hedge down both sides of the lawn": along all of a ground's sides. A told number of pieces is that of things.
    fn goes_along(&self, phrase: &Phrase, place: &Place) -> bool {
        if phrase.count.is_some_and(|count| count > 2.0) || !is_along(place) {
            return false;
        }
        let target = match place.target.as_deref() {
            Some(target) => self.find(target),
            None => self.find(&Phrase::it()),
        };
        let state = self.state();
        let world = state.world();
        let thing = |id: &String| world.find(id).is_some_and(|thing| world.is_ground(thing));
        target.is_ok_and(|ids| !ids.is_empty() && ids.iter().all(thing))
    }

    /// A gate that is a thing stands in the way through.
    fn hang_gates(&mut self, phrase: &Phrase, spot: DVec3) -> Done {
        let is_gate = |company: &&Phrase| {
            matches!(company.head, Head::Object { .. })
                && part_of(company).is_some_and(|part| part.name == "opening")
        };
        let Some(gate) = phrase.with.iter().find(is_gate) else { return Ok(()) };
        let ids = self.make(gate)?;
        if let Some(own) = self.extent_of(&ids) {
            self.shift_by(&ids, spot - own.center().with_y(own.min.y))?;
        }
        self.made.extend(ids);
        Ok(())
    }
}

fn is_along(place: &Place) -> bool {
    matches!(place.relation, Some(Relation::Flanking | Relation::Along))
        || place.relation.is_none() && place.region == Some(Region::Flanking)
}

/// The sides along which something goes: all around, or the long ones of a way, or the left and the right.
fn sides_of(place: &Place, size: DVec3) -> &'static [usize] {
    let is_way = size.x > 1.5 * size.z;
    match (goes_around(place), place.relation, is_way) {
        (true, ..) => &forms::ALL,
        (_, Some(Relation::Along), true) => &[2],
        (_, Some(Relation::Along), false) => &[3],
        (_, _, true) => &[0, 2],
        (_, _, false) => &[1, 3],
    }
}
