//! Places told by the ends and corners of a thing: "a chair at each end of the table", "a candle on every corner".

use glam::DVec3;

use crate::language::{Noun, Phrase, Place, Relation, Sides, Target};
use crate::plan::{Planner, Problem};
use crate::world::Bounds;

/// The most a thing measures that stands on an end or corner rather than by it, against the narrower side.
const SMALL_SHARE: f64 = 0.4;

/// How large a shape is made that would be too large for an end or corner, likewise.
const FITTING_SHARE: f64 = 0.25;

impl Planner {
    /// One for each end or corner of what is named, or as many of them as told; None where no place is told so.
    pub(in crate::plan) fn one_for_each_edge(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Option<Vec<String>>, Problem> {
        let told = places.iter().find_map(|place| match place {
            Place::Relative {
                relation: relation @ (Relation::Ends | Relation::LongSides | Relation::Corners),
                target,
                ..
            } => Some((*relation, target)),
            _ => None,
        });
        let Some((relation, target)) = told else { return Ok(None) };
        if relation == Relation::Corners && target.0.iter().all(is_room) {
            return self.one_in_each_corner(phrase).map(Some);
        }
        // "it" is the same for all, whatever is made first.
        let ids = self.resolve(target)?;
        let Some(whole) = self.bounds_of(&ids) else { return Ok(None) };
        let ways = ways(relation, whole.size());
        let count = phrase.count.filter(|count| *count > 1).unwrap_or(ways.len());
        if count > ways.len() {
            let (count, parts) = (ways.len(), if ways.len() == 2 { "ends" } else { "corners" });
            return Err(Problem::Cannot(format!(
                "It has {count} {parts}; say where the others go."
            )));
        }
        let target = Target(ids.iter().cloned().map(Phrase::named).collect());
        let beside =
            Place::Relative { relation: Relation::Beside, target: target.clone(), metres: None };
        let one = Phrase { places: vec![beside], count: None, plural: false, ..phrase.clone() };
        let mut made = Vec::new();
        for (index, way) in ways.into_iter().take(count).enumerate() {
            let new = self.make(&Phrase { colours: nth_colour(phrase, index), ..one.clone() })?;
            let shape = matches!(phrase.head, Some(Noun::Shape(_)));
            self.put_at_edge(&new, &ids, way, shape)?;
            let faces =
                relation != Relation::Corners && matches!(phrase.head, Some(Noun::Assembly(_)));
            if faces && !self.stands_on(&new, whole) {
                self.face(&new, &target)?;
            }
            made.extend(new);
        }
        Ok(Some(made))
    }

    /// "a plant in each corner of the room".
    fn one_in_each_corner(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        const CORNERS: [(bool, bool); 4] =
            [(false, true), (true, true), (false, false), (true, false)];
        let count = phrase.count.filter(|count| *count > 1).unwrap_or(CORNERS.len());
        let mut made = Vec::new();
        for (index, (right, back)) in CORNERS.into_iter().take(count).enumerate() {
            let places = vec![Place::Corner(Sides { right: Some(right), back: Some(back) })];
            let colours = nth_colour(phrase, index);
            let one = Phrase { places, colours, count: None, plural: false, ..phrase.clone() };
            made.extend(self.make(&one)?);
        }
        Ok(made)
    }

    /// "move the chairs to the ends of the table": each to one of them. Whether that is what is told.
    pub(in crate::plan) fn moved_to_edges(
        &mut self,
        ids: &[String],
        place: &Place,
    ) -> Result<bool, Problem> {
        let Place::Relative { relation, target, .. } = place else { return Ok(false) };
        if !matches!(relation, Relation::Ends | Relation::LongSides | Relation::Corners) {
            return Ok(false);
        }
        let others = self.resolve(target)?;
        let Some(whole) = self.bounds_of(&others) else { return Ok(false) };
        let (units, ways) = (self.wholes(ids), ways(*relation, whole.size()));
        if units.len() > ways.len() {
            return Ok(false);
        }
        let assembly = |unit: &[String]| {
            unit.iter().any(|id| self.world.find(id).is_some_and(|part| part.assembly().is_some()))
        };
        let seats: Vec<bool> = units.iter().map(|unit| assembly(unit)).collect();
        self.size_told = true;
        for ((unit, way), seat) in units.iter().zip(ways).zip(seats) {
            self.put_at_edge(unit, &others, way, false)?;
            if seat && *relation != Relation::Corners && !self.stands_on(unit, whole) {
                self.face(unit, target)?;
            }
        }
        Ok(true)
    }

    /// Moves what was made to the edge of a thing that lies `way`: upon it where it is small enough, else by it.
    fn put_at_edge(
        &mut self,
        new: &[String],
        ids: &[String],
        way: DVec3,
        shape: bool,
    ) -> Result<(), Problem> {
        let (Some(mut own), Some(whole)) = (self.bounds_of(new), self.bounds_of(ids)) else {
            return Ok(());
        };
        let top = self.surface(ids, whole);
        let room = top.size().x.min(top.size().z);
        let share = |own: Bounds| own.size().x.max(own.size().z) / room.max(1e-6);
        let wide = room > 0.05;
        if wide && share(own) > SMALL_SHARE && shape && !self.size_told {
            self.scale_by(new, DVec3::splat(FITTING_SHARE / share(own)))?;
            own = self.bounds_of(new).unwrap_or(own);
        }
        let half = own.size() * 0.5;
        let to = if share(own) <= SMALL_SHARE {
            let reach = (top.size() * 0.48 - half).max(DVec3::ZERO);
            top.center().with_y(top.max.y) + way * reach
        } else {
            let air = (0.08 * own.extent()).min(0.3);
            let reach = whole.size() * 0.5 + half + DVec3::new(air, 0.0, air);
            let foot = whole.center() + way * reach;
            let foot = foot.with_y(self.level_at(foot, whole));
            // Further out where something stands already.
            let step = way * 0.1 * own.size().x.max(own.size().z);
            let mut further = (0..60).map(|steps| foot + step * f64::from(steps));
            let free = |foot: &DVec3| self.is_free(own.moved(*foot - own.foot()), new);
            further.find(free).unwrap_or(foot)
        };
        // What stands on it comes along.
        let riders = self.riders(own, new);
        let moved = |id: &String| new.contains(id) || riders.contains(id);
        for thing in self.world.things.iter_mut().filter(|thing| moved(&thing.id)) {
            thing.moved(to - own.foot());
        }
        Ok(())
    }

    /// Whether something was put on top of a thing rather than by its side.
    fn stands_on(&self, new: &[String], whole: Bounds) -> bool {
        self.bounds_of(new).is_some_and(|own| {
            let foot = own.foot();
            foot.x > whole.min.x
                && foot.x < whole.max.x
                && foot.z > whole.min.z
                && foot.z < whole.max.z
        })
    }
}

/// "the room", "the scene".
fn is_room(phrase: &Phrase) -> bool {
    match &phrase.head {
        Some(Noun::Scene) => true,
        Some(Noun::Later(word)) => word == "room",
        _ => false,
    }
}

/// The colours of the one at `index`: where several were told, each has its own.
fn nth_colour(phrase: &Phrase, index: usize) -> Vec<crate::colour::Colour> {
    match phrase.colours.as_slice() {
        [_, _, ..] => vec![phrase.colours[index % phrase.colours.len()].clone()],
        colours => colours.to_vec(),
    }
}

/// Where the two ends or long sides of a thing of this size lie, or its four corners, those across from each other first.
fn ways(relation: Relation, size: DVec3) -> Vec<DVec3> {
    if relation == Relation::Corners {
        return [(-1.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0)]
            .map(|(x, z)| DVec3::new(x, 0.0, z))
            .to_vec();
    }
    let wide = (size.x >= size.z) == (relation == Relation::Ends);
    let way = if wide { DVec3::X } else { DVec3::Z };
    vec![-way, way]
}
