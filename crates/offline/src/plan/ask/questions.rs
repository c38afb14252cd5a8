//! Questions about the scene.

use crate::frames::{Ask, Determiner, Dimension, Frame, Head, Phrase, Relation};
use crate::looks::{family_names, kind_name};
use crate::resolve::{Kind, Sides, Thing, World, is_at, size_along};

use crate::plan::planner::{Done, Planner, Remark};
use crate::wording::{capital, counted, indefinite, metres, the};

impl Planner<'_> {
    /// Answers; changes nothing.
    pub(crate) fn ask(&mut self, frame: &Frame) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let all = |phrase: &Phrase| Phrase {
            determiner: Some(Determiner::All),
            plural: true,
            count: None,
            ..phrase.clone()
        };
        let theme: Vec<Phrase> = frame.theme.clone();
        let answer = match frame.ask {
            Some(Ask::Count) => {
                let mut ids = Vec::new();
                let mut words = Vec::new();
                let kind = [Phrase { is_one: true, ..Phrase::of(Head::Thing) }];
                for phrase in if theme.is_empty() { &kind[..] } else { &theme[..] } {
                    let mut phrase = all(phrase);
                    phrase.qualities.extend(frame.qualities.clone());
                    phrase.places.extend(frame.places.clone());
                    words.push(if phrase.word.is_empty() { "things".to_owned() } else { phrase.word.clone() });
                    ids.extend(self.find_in(&phrase, world).unwrap_or_default());
                }
                self.focus.clone_from(&ids);
                let is = if ids.len() == 1 { "is" } else { "are" };
                let words = words.join(" and ");
                match ids.len() {
                    0 => format!("There are no {words}."),
                    count if count <= 8 => format!("There {is} {}: {}.", counted(count), each(&ids)),
                    count => format!("There {is} {} {words}.", counted(count)),
                }
            }
            Some(Ask::Measure) => self.measure(frame, world)?,
            Some(Ask::Where) => {
                let ids = self.theme_in(frame, world)?;
                self.focus.clone_from(&ids);
                let things: Vec<String> = ids.iter().filter_map(|id| world.find(id)).take(6).map(|thing| self.place_of(thing, world)).collect();
                things.join(" ")
            }
            Some(Ask::Distance) => {
                let mut ids = self.theme_in(frame, world)?;
                for other in &frame.other {
                    match other.head {
                        Head::Scene("viewer" | "camera") => {}
                        _ => ids.extend(self.find_in(other, world)?),
                    }
                }
                let ids = self.as_pair(ids, &theme);
                self.focus.clone_from(&ids);
                match ids.as_slice() {
                    [one, other, ..] => {
                        let units = (world.space.unit(one).ok(), world.space.unit(other).ok());
                        let (Some(first), Some(second)) = units else { return Ok(()) };
                        let gap = first.solid.relation(&second.solid).gap.max(0.0);
                        let middle = first.solid.extent().center().distance(second.solid.extent().center());
                        format!("Between {} and {} there are {} ({} from middle to middle).", the(one), the(other), metres(gap), metres(middle))
                    }
                    [one] => {
                        let eye: glam::DVec3 = scene.camera.center.get().into();
                        let way = world.find(one).map_or(0.0, |thing| thing.extent.center().distance(eye));
                        format!("{} is {} from the camera.", capital(&the(one)), metres(way))
                    }
                    [] => "There is nothing to measure.".to_owned(),
                }
            }
            Some(Ask::Exists) => {
                let words: Vec<String> = theme.iter().map(|phrase| self.words_of(phrase)).collect();
                let mut ids = Vec::new();
                for phrase in &theme {
                    let mut phrase = all(phrase);
                    phrase.places.extend(frame.places.clone());
                    ids.extend(self.find_in(&phrase, world).unwrap_or_default());
                }
                self.focus.clone_from(&ids);
                match ids.len() {
                    0 => format!("No, there is no “{}”.", words.join(" and ")),
                    1 => format!("Yes, there is one: {}.", the(&ids[0])),
                    count => format!("Yes, there are {}: {}.", counted(count), each(&ids)),
                }
            }
            Some(Ask::Is) => self.is_so(frame, world)?,
            Some(Ask::Has) => {
                let ids = self.theme_in(frame, world)?;
                let has = frame.other.iter().all(|part| {
                    let part = Phrase { part_of: ids.first().map(|id| Box::new(crate::plan::make::objects::named(id))), ..all(part) };
                    self.find_in(&part, world).is_ok()
                });
                self.focus = ids;
                if has { "Yes.".to_owned() } else { "No.".to_owned() }
            }
            Some(Ask::Which) => self.which(frame, world)?,
            Some(Ask::Names) => {
                let mut ids = Vec::new();
                for phrase in &theme {
                    let mut phrase = all(phrase);
                    phrase.places.extend(frame.places.clone());
                    ids.extend(self.find_in(&phrase, world)?);
                }
                self.focus.clone_from(&ids);
                format!("These: {}.", each(&ids))
            }
            Some(Ask::What) => {
                let region = frame.places.iter().find(|place| place.region.is_some() && place.target.is_none());
                if let Some(place) = region.filter(|_| theme.is_empty()) {
                    let there = Phrase { places: vec![place.clone()], determiner: Some(Determiner::Definite), ..Phrase::of(Head::Everything { rest: false }) };
                    let ids = self.find_in(&there, world)?;
                    self.focus.clone_from(&ids);
                    let told: Vec<String> = ids.iter().filter_map(|id| world.find(id)).take(6).map(|thing| self.describe(thing, world)).collect();
                    told.join(" ")
                } else if theme.is_empty() || matches!(theme[0].head, Head::Scene(_) | Head::Everything { .. }) {
                    self.list(frame, world)
                } else {
                    let ids = self.theme_in(frame, world)?;
                    self.focus.clone_from(&ids);
                    let told: Vec<String> =
                        ids.iter().filter_map(|id| world.find(id)).take(6).map(|thing| self.describe(thing, world)).collect();
                    told.join(" ")
                }
            }
            Some(Ask::List) => self.list(frame, world),
            Some(Ask::Why) if !self.context.trouble.is_empty() => self.context.trouble.join(" "),
            Some(Ask::Done) if !self.context.done.is_empty() => self.context.done.join(" "),
            Some(Ask::Done) => "I have changed nothing yet.".to_owned(),
            Some(Ask::Why) | None => "I can only say what I see: ask what is there, how many, how large, where, or of which color.".to_owned(),
        };
        self.remarks.push(Remark::Answer(answer));
        Ok(())
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

    pub(in crate::plan) fn measure(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let dimension = frame.dimension.unwrap_or(Dimension::Size);
        if let (Some(Head::Scene(kind)), _) = (frame.theme.first().map(|phrase| &phrase.head), 0) {
            return Ok(self.of_scene(kind, dimension, world));
        }
        let ids = self.theme_in(frame, world)?;
        self.focus.clone_from(&ids);
        let mut sentences = Vec::new();
        for thing in ids.iter().filter_map(|id| world.find(id)).take(8) {
            let name = capital(&the(&thing.id));
            let size = thing.extent.size();
            sentences.push(match dimension {
                Dimension::Colour => format!("{name} is {}.", self.colour_words(thing, world)),
                Dimension::Material => {
                    let mut names: Vec<String> = Vec::new();
                    let mut shares = world.shares(thing);
                    shares.sort_by(|one, other| other.1.total_cmp(&one.1));
                    for (material, _) in shares.iter().take(3) {
                        let name = kind_name(material);
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                    format!("{name} is made of {}.", names.join(", "))
                }
                Dimension::Place => self.place_of(thing, world),
                Dimension::Size => format!(
                    "{name} is {} wide, {} high and {} deep.",
                    metres(size.x),
                    metres(size.y),
                    metres(size.z)
                ),
                Dimension::Height => format!("{name} is {} high.", metres(size.y)),
                Dimension::Width => format!("{name} is {} wide.", metres(size.x)),
                Dimension::Depth => format!("{name} is {} deep.", metres(size.z)),
                Dimension::Name => {
                    format!("It is called {}.", the(&thing.id).trim_start_matches("the "))
                }
                other => {
                    let what = format!("{other:?}").to_lowercase();
                    let length = metres(size_along(thing.extent, other));
                    format!("The {what} of {} is {length}.", the(&thing.id))
                }
            });
        }
        Ok(sentences.join(" "))
    }

    pub(in crate::plan) fn of_scene(
        &self,
        kind: &str,
        dimension: Dimension,
        world: &World<'_>,
    ) -> String {
        match (kind, dimension) {
            ("camera", Dimension::Place) | ("camera", _) => {
                let camera = &world.scene.camera;
                let [x, y, z] = camera.center.get();
                format!(
                    "The camera stands at ({x:.2}, {y:.2}, {z:.2}), with a field of view of {:.0} degrees.",
                    camera.vfov.get()
                )
            }
            _ => {
                let file = world.scene.environment.to_json();
                let rgb = |value: &serde_json::Value| -> Option<glam::DVec3> {
                    let channels: Vec<f64> =
                        value.as_array()?.iter().filter_map(serde_json::Value::as_f64).collect();
                    Some(<[f64; 3]>::try_from(channels).ok()?.into())
                };
                let colour = ["top_color", "emission"].iter().find_map(|name| rgb(&file[*name]));
                match colour {
                    Some(rgb) => format!(
                        "The sky is {}.",
                        family_names(rgb / rgb.max_element().max(1.0)).join(" or ")
                    ),
                    None => "The sky is black.".to_owned(),
                }
            }
        }
    }

    pub(in crate::plan) fn colour_words(&self, thing: &Thing, world: &World<'_>) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut shares = world.shares(thing);
        shares.sort_by(|one, other| other.1.total_cmp(&one.1));
        if thing.kind == Kind::Light {
            return world
                .colour(thing)
                .map_or_else(|| "white".into(), |rgb| family_names(rgb).join(" or "));
        }
        for (material, _) in shares.iter().take(3) {
            let word = match crate::looks::colour_of(material) {
                Some(rgb) => family_names(rgb).first().cloned().unwrap_or_default(),
                None => "clear".to_owned(),
            };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" and ")
    }

    /// On what it stands, and its coordinates as the page shows them.
    pub(in crate::plan) fn place_of(&self, thing: &Thing, world: &World<'_>) -> String {
        let [x, y, z] =
            thing.extent.center().to_array().map(|along| (along * 100.0).round() / 100.0 + 0.0);
        let name = capital(&the(&thing.id));
        let on =
            world.support_of(thing).map(|below| format!(" is on {}; its middle", the(&below.id)));
        let beside = beside(thing, world).unwrap_or_default();
        format!("{name}{} is at x {x}, y {y}, z {z}{beside}.", on.unwrap_or_default())
    }

    pub(in crate::plan) fn describe(&self, thing: &Thing, world: &World<'_>) -> String {
        let size = thing.extent.size();
        let kind = world.type_of(thing).map_or("object".to_owned(), |kind| kind.replace('_', " "));
        let on = world.support_of(thing).map(|below| format!(", on {}", the(&below.id)));
        format!(
            "{} is {}, {} wide, {} high and {} deep{}.",
            capital(&the(&thing.id)),
            indefinite(&format!("{} {kind}", self.colour_words(thing, world))),
            metres(size.x),
            metres(size.y),
            metres(size.z),
            on.unwrap_or_default()
        )
    }

    pub(in crate::plan) fn list(&mut self, frame: &Frame, world: &World<'_>) -> String {
        let targets = frame.places.iter().find_map(|place| {
            let target =
                place.target.as_ref().filter(|target| !matches!(target.head, Head::Scene(_)))?;
            Some((place.relation?, self.find_in(target, world).ok()?))
        });
        let sides = Sides::of(world.scene);
        let mut things: Vec<&Thing> = world.wholes().collect();
        if let Some((relation, targets)) = &targets
            && let Some(target) = world.extent_of(targets)
        {
            things.retain(|thing| {
                let on = *relation == Relation::On
                    && world.support_of(thing).is_some_and(|below| targets.contains(&below.id));
                thing.kind != Kind::Light
                    && !thing.scenery
                    && !targets.contains(&thing.id)
                    && (on || is_at(*relation, thing.extent, target, sides))
            });
            self.focus = things.iter().map(|thing| thing.id.clone()).collect();
        }
        if things.is_empty() {
            return if targets.is_some() {
                "There is nothing.".to_owned()
            } else {
                "The scene is empty: there is nothing in it.".to_owned()
            };
        }
        let mut told: Vec<String> = Vec::new();
        for thing in things.iter().take(40) {
            let name = the(&thing.id);
            told.push(match thing.kind {
                Kind::Light => format!("{name} (a light)"),
                _ => format!("{name} ({})", self.colour_words(thing, world)),
            });
        }
        let more = things.len().saturating_sub(40);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        let (is, things) = match things.len() {
            1 => ("is", "one thing".to_owned()),
            count => ("are", format!("{} things", counted(count))),
        };
        format!("There {is} {things}: {}{rest}.", told.join(", "))
    }
}

/// Each of them by its name.
pub(in crate::plan) fn each(ids: &[String]) -> String {
    let names: Vec<String> = ids.iter().take(20).map(|id| the(id)).collect();
    crate::wording::joined(&names, "and")
}

/// On which side of the nearest other thing it is, as the viewer sees it.
fn beside(thing: &Thing, world: &World<'_>) -> Option<String> {
    let below = world.support_of(thing).map(|below| below.id.as_str());
    let others = world.contents().filter(|other| {
        other.id != thing.id && below != Some(&other.id) && other.kind != Kind::Light
    });
    let far = |other: &&Thing| other.extent.distance(thing.extent);
    let nearest = others.min_by(|one, other| far(one).total_cmp(&far(other)))?;
    let sides = Sides::of(world.scene);
    let way = thing.extent.center() - nearest.extent.center();
    let (across, along) = (way.dot(sides.right), way.dot(sides.front));
    let side = match (across.abs() >= along.abs(), across > 0.0, along > 0.0) {
        (true, true, _) => "to the right of",
        (true, false, _) => "to the left of",
        (false, _, true) => "in front of",
        (false, _, false) => "behind",
    };
    Some(format!(", {side} {}", the(&nearest.id)))
}
