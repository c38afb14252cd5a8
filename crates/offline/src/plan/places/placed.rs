//! New things by what they are placed by: one on each, one on either side, and what has to be made first.

use catalogue::catalogue;
use glam::DVec3;

use crate::language::{Determiner, Noun, Phrase, Place, Relation, ShapeKind, Share, Size, Target};
use crate::plan::{Done, Planner, Problem};
use crate::resolve::Lost;
use crate::world::Bounds;

impl Planner {
    /// "a ball on each box": one for every target.
    pub(in crate::plan) fn one_for_each(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Option<Vec<String>>, Problem> {
        if let Some(each) = self.one_for_each_upon(phrase, places)? {
            return Ok(Some(each));
        }
        if let Some(each) = self.one_for_each_edge(phrase, places)? {
            return Ok(Some(each));
        }
        let [Place::Relative { relation, target, metres }] = places else { return Ok(None) };
        if *relation == Relation::Flanking && phrase.count.unwrap_or(2) == 2 {
            return self.one_on_either_side(phrase, target, *metres).map(Some);
        }
        let each = each_of(target);
        let one = phrase.count.is_none() && !phrase.plural && phrase.pattern.is_none();
        if !each || !one || matches!(relation, Relation::Around | Relation::Between) {
            return Ok(None);
        }
        let mut made = Vec::new();
        let ids = self.resolve(target)?;
        for unit in self.wholes(&ids) {
            let target = Target(unit.into_iter().map(Phrase::named).collect());
            let room = self.resolve(&target).ok().and_then(|ids| self.bounds_of(&ids));
            let place = Place::Relative { relation: *relation, target, metres: *metres };
            let new = self.make(&Phrase { places: vec![place], ..phrase.clone() })?;
            if *relation == Relation::On && !self.size_told {
                self.shrink_onto(&new, room)?;
            }
            made.extend(new);
        }
        Ok(Some(made))
    }

    /// "a plate on the table in front of each chair": upon the one thing, by each of the others.
    fn one_for_each_upon(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Option<Vec<String>>, Problem> {
        let upon = |place: &&Place| matches!(place, Place::Relative { relation: Relation::On, .. });
        let by = |place: &&Place| match place {
            Place::Relative { relation, target, metres: None } => {
                *relation != Relation::On && each_of(target)
            }
            _ => false,
        };
        let one = phrase.count.is_none() && !phrase.plural && phrase.pattern.is_none();
        let found = (places.iter().find(upon), places.iter().find(by));
        let (Some(on), Some(Place::Relative { target: each, .. })) = found else {
            return Ok(None);
        };
        let (true, 2, Place::Relative { target: carrier, .. }) = (one, places.len(), on) else {
            return Ok(None);
        };
        let ids = self.resolve(carrier)?;
        let Some(whole) = self.bounds_of(&ids) else { return Ok(None) };
        let top = self.surface(&ids, whole);
        let mut made = Vec::new();
        let seats = self.resolve(each)?;
        for unit in self.wholes(&seats) {
            let Some(seat) = self.bounds_of(&unit) else { continue };
            let new = self.make(&Phrase { places: vec![on.clone()], ..phrase.clone() })?;
            if let Some(own) = self.bounds_of(&new) {
                let reach = ((top.size() - own.size()) * 0.46).max(DVec3::ZERO);
                let wanted = (seat.center() - top.center()).clamp(-reach, reach);
                let by = (top.center() + wanted - own.center()).with_y(top.max.y - own.min.y);
                for thing in self.world.things.iter_mut().filter(|thing| new.contains(&thing.id)) {
                    thing.moved(by);
                }
            }
            made.extend(new);
        }
        Ok(Some(made))
    }

    /// No wider than what it stands on: the next one has its own.
    fn shrink_onto(&mut self, new: &[String], room: Option<Bounds>) -> Done {
        let width = |bounds: Bounds| bounds.size().x.max(bounds.size().z);
        let share = room.zip(self.bounds_of(new)).map(|(room, new)| width(room) / width(new));
        match share.filter(|share| *share < 1.0) {
            Some(share) => self.scale_by(new, DVec3::splat(0.8 * share)),
            None => Ok(()),
        }
    }

    /// "rest it on a wooden block", where there is none: it is made first.
    pub(in crate::plan) fn with_support(&mut self, place: &Place) -> Result<Place, Problem> {
        let Place::Relative { relation, target, metres } = place else { return Ok(place.clone()) };
        let mut known = Vec::new();
        for phrase in &target.0 {
            let new = phrase.determiner == Determiner::A && phrase.is_new();
            let there = Phrase { determiner: Determiner::The, ..phrase.clone() };
            let missing =
                matches!(self.resolve(&Target::of(there)), Err(Problem::Lost(Lost::NotFound(_))));
            if !new || !missing {
                known.push(phrase.clone());
                continue;
            }
            let size_told = self.size_told;
            known.extend(self.make(phrase)?.into_iter().map(Phrase::named));
            self.size_told = size_told;
        }
        Ok(Place::Relative { relation: *relation, target: Target(known), metres: *metres })
    }

    /// "a cup", where a table stands: upon it rather than on the floor.
    pub(in crate::plan) fn table_for(&self, phrase: &Phrase) -> Option<Place> {
        const MOST: usize = 8;
        let Some(Noun::Assembly(assembly)) = &phrase.head else { return None };
        let unplaced = phrase.places.is_empty() && phrase.pattern.is_none();
        let usual = phrase.size.factors.max_element() <= 1.5
            && phrase.size.lengths().next().is_none()
            && phrase.count.is_none_or(|count| count <= MOST);
        let small = ["tableware", "food"].into_iter().any(|word| {
            let known = catalogue().category(word);
            known.is_some_and(|(kind, _)| kind.objects().iter().any(|thing| thing == assembly.0))
        });
        if !unplaced || !usual || !small {
            return None;
        }
        let all: Vec<String> = self.world.objects().map(|thing| thing.id.clone()).collect();
        let mut tables = self.wholes(&all).into_iter().filter(|unit| {
            let first = unit.first().and_then(|id| self.world.find(id));
            let name = first.and_then(|it| it.group.as_deref()).unwrap_or(&unit[0]);
            let last = crate::resolve::stem(name).rsplit('_').next();
            matches!(last, Some("table" | "desk" | "counter"))
        });
        let (table, None) = (tables.next()?, tables.next()) else { return None };
        let target = Target(table.into_iter().map(Phrase::named).collect());
        Some(Place::Relative { relation: Relation::On, target, metres: None })
    }

    /// "a nightstand on either side of it".
    fn one_on_either_side(
        &mut self,
        phrase: &Phrase,
        target: &Target,
        metres: Option<f64>,
    ) -> Result<Vec<String>, Problem> {
        // "it" is the same for both, whatever is made first.
        let ids = self.resolve(target)?;
        let target = Target(ids.into_iter().map(Phrase::named).collect());
        let mut made = Vec::new();
        for relation in [Relation::Left, Relation::Right] {
            let place = Place::Relative { relation, target: target.clone(), metres };
            let one = Phrase { places: vec![place], count: None, plural: false, ..phrase.clone() };
            made.extend(self.make(&one)?);
        }
        Ok(made)
    }

    /// Makes what the places need first: "on a grey floor".
    pub(in crate::plan) fn places(&mut self, places: &[Place]) -> Result<Vec<Place>, Problem> {
        let mut ready = Vec::new();
        for place in places {
            let Place::Relative { relation, target, metres } = place else {
                ready.push(place.clone());
                continue;
            };
            let mut known = Vec::new();
            for phrase in &target.0 {
                if let Some(there) = self.ground_meant(phrase) {
                    known.push(there);
                    continue;
                }
                let phrase = &levelled(&self.new_where_nothing_is(phrase), *relation);
                let no_floor = phrase.head == Some(Noun::Floor) && self.world.floor().is_none();
                // "between two trees", where there are none.
                let counted = phrase.count.is_some_and(|count| count > 1)
                    && self.resolve(&Target::of(phrase.clone())).is_err();
                let told = phrase.determiner != Determiner::Bare || counted;
                if phrase.is_new() && told || no_floor {
                    for id in self.make(phrase)? {
                        known.push(Phrase::named(id));
                    }
                } else {
                    known.push(phrase.clone());
                }
            }
            let (relation, metres) = (*relation, *metres);
            ready.push(Place::Relative { relation, target: Target(known), metres });
        }
        Ok(ready)
    }

    /// "two glasses and a bottle on a round table": all of them stand on the one table, where they are about
    /// as large.
    pub(in crate::plan) fn share_new_support(&mut self, phrases: &mut [Phrase]) -> Done {
        const LARGER: f64 = 4.0;
        let Some((last, others)) = phrases.split_last() else { return Ok(()) };
        let [Place::Relative { relation: Relation::On | Relation::Inside, target, metres: None }] =
            last.places.as_slice()
        else {
            return Ok(());
        };
        let new = |phrase: &Phrase| {
            phrase.determiner == Determiner::A
                && phrase.is_new()
                && matches!(phrase.head, Some(Noun::Assembly(_) | Noun::Shape(_)))
        };
        // "put a cup and two spoons on a table": there, too, one table is meant.
        let object = target.0.iter().all(|on| matches!(on.head, Some(Noun::Assembly(_))));
        let alone = |phrase: &Phrase| {
            let there = phrase.places.is_empty() || object && phrase.places == last.places;
            phrase.is_new() && there && phrase.pattern.is_none()
        };
        if others.is_empty() || !target.0.iter().all(new) || !others.iter().all(alone) {
            return Ok(());
        }
        let extent = |phrase: &Phrase| match phrase.head {
            Some(Noun::Assembly(_)) => {
                self.bounds_of_model(phrase).ok().flatten().map(Bounds::extent)
            }
            _ => None,
        };
        let own = extent(last);
        let fits = |other: &Phrase| match (extent(other), own) {
            // A lamp is as large as its place asks for.
            (None, _) if matches!(other.head, Some(Noun::Light(_))) => true,
            (Some(other), Some(own)) => other <= LARGER * own,
            (None, None) => true,
            _ => false,
        };
        if !others.iter().all(fits) {
            return Ok(());
        }
        let places = self.places(&last.places.clone())?;
        for phrase in phrases {
            phrase.places.clone_from(&places);
        }
        Ok(())
    }

    /// "a brick wall with a window": it hangs there, or stands at it.
    fn at_their_wall(&self, companion: &Phrase, ids: &[String]) -> Option<Phrase> {
        const TALLEST_HUNG: f64 = 1.6;
        let walls = !ids.is_empty() && ids.iter().all(|id| self.is_wall(id));
        if !walls || !companion.places.is_empty() {
            return None;
        }
        let size = self.bounds_of_model(companion).ok().flatten()?.size();
        let relation = if size.y <= TALLEST_HUNG { Relation::On } else { Relation::Against };
        let target = Target(ids.iter().cloned().map(Phrase::named).collect());
        let places = vec![Place::Relative { relation, target, metres: None }];
        Some(Phrase { places, ..companion.clone() })
    }

    /// "six desks with chairs": a chair for each; "a wall with a window": a window on it.
    pub(in crate::plan) fn company_of_each(
        &mut self,
        companion: &Phrase,
        ids: &[String],
    ) -> Option<Result<Vec<String>, Problem>> {
        if let Some(hung) = self.at_their_wall(companion, ids) {
            return Some(self.make(&hung));
        }
        let units = self.wholes(ids);
        let object = matches!(companion.head, Some(Noun::Assembly(_)));
        let one = companion.plural && companion.count.is_none() && companion.pattern.is_none();
        if units.len() < 2 || !one || !object || !companion.places.is_empty() {
            return None;
        }
        let each = units.into_iter().map(|unit| {
            let target = Target(unit.into_iter().map(Phrase::named).collect());
            let place = Place::Relative { relation: Relation::Front, target, metres: None };
            let places = vec![place];
            self.make(&Phrase { plural: false, places, ..companion.clone() })
        });
        Some(each.collect::<Result<Vec<_>, _>>().map(|made| made.concat()))
    }

    /// "on the grass", where none is: the floor that is there.
    fn ground_meant(&self, phrase: &Phrase) -> Option<Phrase> {
        let floor = self.world.floor()?;
        let missing = is_ground(phrase) && self.resolve(&Target::of(phrase.clone())).is_err();
        missing.then(|| Phrase::named(floor.id.clone()))
    }

    /// "on the table", where there is nothing at all yet: it is made first.
    fn new_where_nothing_is(&self, phrase: &Phrase) -> Phrase {
        let made = is_ground(phrase)
            || matches!(phrase.head, Some(Noun::Assembly(_) | Noun::Shape(_) | Noun::Wall));
        let known = phrase.determiner == Determiner::The && phrase.rank.is_none();
        let nothing = self.world.objects().next().is_none()
            && self.resolve(&Target::of(phrase.clone())).is_err();
        if known && made && nothing || is_ground(phrase) && nothing {
            return Phrase { determiner: Determiner::A, ..phrase.clone() };
        }
        phrase.clone()
    }
}

/// "in the middle of a square": one that lies on the ground.
fn levelled(phrase: &Phrase, relation: Relation) -> Phrase {
    let square = phrase.head == Some(Noun::Shape(ShapeKind::Quad)) && phrase.is_new();
    let beneath = matches!(relation, Relation::On | Relation::Middle | Relation::Inside);
    if !square || !beneath || !phrase.size.is_unsaid() {
        return phrase.clone();
    }
    const SIDE: f64 = 8.0;
    let size = Size { width: Some(SIDE), depth: Some(SIDE), height: Some(0.05), ..Size::default() };
    Phrase { head: Some(Noun::Shape(ShapeKind::Box)), size, ..phrase.clone() }
}

/// "each chair", "every one of them".
fn each_of(target: &Target) -> bool {
    target
        .0
        .iter()
        .all(|phrase| phrase.determiner == Determiner::All || phrase.share == Some(Share::Every(1)))
}

/// Grass, a lawn, a meadow.
fn is_ground(phrase: &Phrase) -> bool {
    let Some(Noun::Later(word)) = &phrase.head else { return false };
    ["grass", "lawn", "meadow"].contains(&word.as_str())
}
