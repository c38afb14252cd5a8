//! Questions about the scene.

use crate::frames::{Ask, Determiner, Frame, Head, Phrase};
use crate::resolve::{Thing, World};

use super::described::each;
use crate::plan::planner::{Done, Planner, Remark};
use crate::wording::{counted, the};

const CANNOT: &str =
    "I can only say what I see: ask what is there, how many, how large, where, or of which color.";

impl Planner<'_> {
    /// Answers; changes nothing.
    pub(crate) fn ask(&mut self, frame: &Frame) -> Done {
        let state = self.state();
        let world = state.world();
        let answer = match frame.ask {
            Some(Ask::Count) => self.counted(frame, world),
            Some(Ask::Measure) => self.measure(frame, world)?,
            Some(Ask::Where) => {
                self.told(frame, world, &|planner, thing| planner.place_of(thing, world))?
            }
            Some(Ask::Distance) => self.distance(frame, world)?,
            Some(Ask::Exists) => self.existing(frame, world),
            Some(Ask::Is) => self.is_so(frame, world)?,
            Some(Ask::Has) => self.has_part(frame, world)?,
            Some(Ask::Which) => self.which(frame, world)?,
            Some(Ask::Names) => {
                let ids = self.all_in(frame, world)?;
                format!("These: {}.", each(&ids))
            }
            Some(Ask::What) => self.what(frame, world)?,
            Some(Ask::List) => self.list(frame, world),
            Some(Ask::Visible) => self.visible(frame, world)?,
            Some(Ask::Facing) => self.facing(frame, world)?,
            Some(Ask::Room) => self.room(frame, world)?,
            Some(Ask::Outside) => self.outside(world),
            Some(Ask::Polygons) => polygons(world),
            Some(Ask::Why) if !self.context.trouble.is_empty() => self.context.trouble.join(" "),
            Some(Ask::Done) if !self.context.done.is_empty() => self.context.done.join(" "),
            Some(Ask::Done) => "I have changed nothing yet.".to_owned(),
            Some(Ask::Why) | None => CANNOT.to_owned(),
        };
        self.remarks.push(Remark::Answer(answer));
        Ok(())
    }

    fn counted(&mut self, frame: &Frame, world: &World<'_>) -> String {
        let mut ids = Vec::new();
        let mut words = Vec::new();
        let alike = Phrase { is_one: true, plural: true, ..Phrase::of(Head::Thing) };
        let is_kind = self.find_in(&alike, world).is_ok_and(|alike| alike.len() > 1);
        // "how many are taller than 2 m?" where nothing was spoken of as several: of all that there are.
        let kind = match is_kind || frame.qualities.is_empty() {
            true => [alike],
            false => [Phrase::of(Head::Everything { rest: false })],
        };
        for phrase in if frame.theme.is_empty() { &kind[..] } else { &frame.theme[..] } {
            let phrase = all_of(phrase, frame);
            let is_nameless = phrase.word.is_empty();
            words.push(if is_nameless { "things".to_owned() } else { phrase.word.clone() });
            ids.extend(self.find_in(&phrase, world).unwrap_or_default());
        }
        self.focus.clone_from(&ids);
        let is = if ids.len() == 1 { "is" } else { "are" };
        let words = words.join(" and ");
        match ids.len() {
            0 if !frame.qualities.is_empty() => "None of them.".to_owned(),
            0 => format!("There are no {words}."),
            count if count <= 8 => format!("There {is} {}: {}.", counted(count), each(&ids)),
            count => format!("There {is} {} {words}.", counted(count)),
        }
    }

    fn existing(&mut self, frame: &Frame, world: &World<'_>) -> String {
        let words: Vec<String> = frame.theme.iter().map(|phrase| self.words_of(phrase)).collect();
        let mut ids = Vec::new();
        for phrase in &frame.theme {
            ids.extend(self.find_in(&all_of(phrase, frame), world).unwrap_or_default());
        }
        self.focus.clone_from(&ids);
        match ids.len() {
            0 if !frame.qualities.is_empty() => "No, none of them.".to_owned(),
            0 => format!("No, there is no “{}”.", words.join(" and ")),
            1 => format!("Yes, there is one: {}.", the(&ids[0])),
            count => format!("Yes, there are {}: {}.", counted(count), each(&ids)),
        }
    }

    fn has_part(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let ids = self.theme_in(frame, world)?;
        let whole = ids.first().map(|id| Box::new(crate::plan::make::objects::named(id)));
        let has = frame.other.iter().all(|part| {
            let part = Phrase { part_of: whole.clone(), ..all_of(part, &Frame::default()) };
            self.find_in(&part, world).is_ok()
        });
        self.focus = ids;
        Ok(if has { "Yes.".to_owned() } else { "No.".to_owned() })
    }

    fn all_in(&mut self, frame: &Frame, world: &World<'_>) -> Done<Vec<String>> {
        let mut ids = Vec::new();
        for phrase in &frame.theme {
            ids.extend(self.find_in(&all_of(phrase, frame), world)?);
        }
        self.focus.clone_from(&ids);
        Ok(ids)
    }

    fn what(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let is_region =
            |place: &&crate::frames::Place| place.region.is_some() && place.target.is_none();
        let region = frame.places.iter().find(is_region).filter(|_| frame.theme.is_empty());
        if let Some(place) = region {
            let there = Phrase {
                places: vec![place.clone()],
                determiner: Some(Determiner::Definite),
                ..Phrase::of(Head::Everything { rest: false })
            };
            let theme = vec![there];
            return self.told(&Frame { theme, ..Frame::default() }, world, &|planner, thing| {
                planner.describe(thing, world)
            });
        }
        let is_all =
            |phrase: &Phrase| matches!(phrase.head, Head::Scene(_) | Head::Everything { .. });
        match frame.theme.first() {
            Some(first) if !is_all(first) => {
                self.told(frame, world, &|planner, thing| planner.describe(thing, world))
            }
            _ => Ok(self.list(frame, world)),
        }
    }

    /// What is to be told of each thing that is asked about.
    fn told(
        &mut self,
        frame: &Frame,
        world: &World<'_>,
        tell: &dyn Fn(&Self, &Thing) -> String,
    ) -> Done<String> {
        let ids = self.theme_in(frame, world)?;
        let things = ids.iter().filter_map(|id| world.find(id)).take(6);
        let told: Vec<String> = things.map(|thing| tell(self, thing)).collect();
        self.focus = ids;
        Ok(told.join(" "))
    }

    pub(in crate::plan) fn theme_in(&self, frame: &Frame, world: &World<'_>) -> Done<Vec<String>> {
        let mut ids = Vec::new();
        for phrase in &frame.theme {
            for id in self.find_in(phrase, world)? {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        if frame.theme.is_empty() {
            ids = self.find_in(&Phrase::it(), world)?;
        }
        Ok(ids)
    }
}

/// "how many triangles?": only meshes have any, and what they have is in their files.
fn polygons(world: &World<'_>) -> String {
    let shapes = world.space.bodies().iter().filter_map(|body| body.shape());
    let (meshes, exact): (Vec<_>, Vec<_>) =
        shapes.partition(|shape| matches!(shape.geometry, scene::Geometry::Mesh(_)));
    let exact = format!("{} exact shapes without triangles", exact.len());
    match meshes.len() {
        0 => format!("None: the scene consists of {exact}."),
        count => format!(
            "The scene has {exact}, and {count} meshes; their files tell how many triangles."
        ),
    }
}

/// All that a question is about, where it asks.
fn all_of(phrase: &Phrase, frame: &Frame) -> Phrase {
    let mut all =
        Phrase { determiner: Some(Determiner::All), plural: true, count: None, ..phrase.clone() };
    all.places.extend(frame.places.iter().cloned());
    all.qualities.extend(frame.qualities.iter().cloned());
    all
}
