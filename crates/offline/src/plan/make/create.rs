//! New things: shapes, objects, lights, whole scenes, one or several of them.

use catalogue::catalogue;

use crate::frames::{Act, Determiner, Frame, Head, Phrase, Quality, Region, Relation};

use super::composed::{composed, is_way_through};
use super::items::Items;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// An adjective that is told of the scene, whatever it is said of: "dusk, a warm light in the windows".
const EVENING: &str = "sunset";
/// What it costs to make a thing of which nobody told what it is.
const UNTOLD: f32 = 0.5;

impl Planner<'_> {
    /// "a red ball on a table and two chairs".
    pub(crate) fn create(&mut self, frame: &Frame) -> Done {
        let has_room = !self.rooms().is_empty();
        let frame = &Frame { theme: composed(frame, has_room), ..frame.clone() };
        let is_scene = |phrase: &Phrase| matches!(phrase.head, Head::Theme(_));
        if frame.theme.first().is_some_and(is_scene) {
            return self.stage(frame);
        }
        let theme = self.on_what_was_spoken_of(&beside_scenery(&frame.theme));
        let theme = of_same_kind(self.with_own_parts(&theme));
        let theme = self.one_for_each(&theme, &frame.places)?;
        let (theme, stays) = match (frame.exact, frame.total) {
            (true, _) => self.exactly(theme, frame)?,
            (false, true) => (self.what_lacks(theme), Vec::new()),
            (false, false) => (theme, Vec::new()),
        };
        let mut items = Items { theme, places: frame.places.clone(), ..Items::default() };
        for at in 0..items.theme.len() {
            self.make_item(frame, &mut items, at)?;
        }
        let Items { theme, made, mut problems, last, .. } = items;
        if made.is_empty()
            && last.is_empty()
            && let Some(problem) = problems.pop()
        {
            return Err(problem);
        }
        self.remarks.extend(problems.into_iter().map(|Stopped(remark)| remark));
        self.made.extend(made.iter().cloned());
        self.untangle()?;
        self.make_all_distinct(frame, &theme, &made)?;
        // "make it six": all of them are spoken of.
        let new = if last.is_empty() { made } else { last };
        self.focus = stays.into_iter().chain(new).collect();
        self.lay_out_all(frame, &theme)?;
        for backdrop in backdrops(&theme) {
            let qualities = backdrop.qualities.clone();
            let theme = vec![backdrop.clone()];
            self.change(&Frame { act: Some(Act::Change), theme, qualities, ..Frame::default() })?;
        }
        if let Some(mood) = theme.iter().find_map(mood_of).or(frame.mood) {
            self.set_mood(mood)?;
        }
        if frame.sun.is_told() { self.take_sun(&frame.sun, frame.mood) } else { Ok(()) }
    }

    /// "a cube, a ball and a cone, each a different colour".
    fn make_all_distinct(&mut self, frame: &Frame, theme: &[Phrase], made: &[String]) -> Done {
        if theme.len() < 2 {
            return Ok(());
        }
        let last = theme.last().filter(|phrase| !phrase.plural && phrase.count.is_none());
        let of_all = frame.qualities.iter().chain(last.iter().flat_map(|it| &it.qualities));
        for quality in of_all {
            if let Quality::Distinct { dimension, more } = quality {
                self.make_distinct(made, *dimension, *more)?;
            }
        }
        Ok(())
    }

    /// "five of those in a circle": those that were there, too.
    fn lay_out_all(&mut self, frame: &Frame, theme: &[Phrase]) -> Done {
        let told = theme.first().map(|phrase| phrase.pattern.clone()).unwrap_or_default();
        let pattern = if frame.pattern.is_empty() { told } else { frame.pattern.clone() };
        if !frame.exact || pattern.is_empty() {
            return Ok(());
        }
        let all = Phrase { is_one: true, plural: true, ..Phrase::of(Head::Thing) };
        let theme = vec![Phrase { determiner: Some(Determiner::All), ..all }];
        let act = Some(Act::Arrange);
        self.arrange(&Frame { act, theme, pattern, ..Frame::default() })
    }

    /// Makes what a description says, around the origin; the ids of what was made.
    pub(crate) fn make(&mut self, phrase: &Phrase) -> Done<Vec<String>> {
        let mut phrase = phrase.clone();
        self.tell_left_out(&phrase);
        self.weigh_against_known(&phrase);
        self.compare_with_last(&mut phrase);
        if phrase.qualities.iter().any(is_impossible) {
            let words = self.words_of(&phrase);
            return Err(Stopped(Remark::Refused(format!(
                "“{words}” cannot be made: a size is more than nothing."
            ))));
        }
        if let Some(known) = self.same_as(&phrase) {
            phrase.like = Some(Box::new(known));
        }
        if let Some(like) = phrase.like.take() {
            let ids = self.find(&like)?;
            let alike = Phrase {
                determiner: Some(Determiner::All),
                plural: true,
                ..Phrase::of(phrase.head.clone())
            };
            let is_thing = phrase.headless || matches!(phrase.head, Head::Thing);
            let kind = if is_thing { ids.clone() } else { self.find(&alike).unwrap_or_default() };
            if ids.iter().all(|id| kind.contains(id)) {
                // "five boxes like the blue one, stacked on it": on the blue one.
                self.context.focus.insert(0, ids.clone());
                return self.more_of(&ids, &phrase);
            }
        }
        if phrase.is_definite() && matches!(phrase.head, Head::Pronoun(_)) {
            let words = self.words_of(&phrase);
            return Err(Stopped(Remark::Missing(words, Box::new(phrase.clone()))));
        }
        match &phrase.head {
            // "a figure": hardly what was made last once more.
            Head::Thing if !phrase.is_one && !phrase.headless && !phrase.word.is_empty() => {
                self.forgiven -= UNTOLD;
                self.make_alike(&phrase)
            }
            Head::Thing | Head::Named(_) | Head::Pronoun(_) | Head::These(_) => {
                self.make_alike(&phrase)
            }
            Head::Light(kind) if !self.is_lamp(&phrase) => self.make_light(&phrase, kind),
            Head::Scenery(kind) => self.make_scenery(&phrase, kind),
            Head::Category(name) => self.make_several_kinds(&phrase, name),
            Head::Unknown(word) => self.make_plain(&phrase, word),
            Head::Part(part) => match catalogue().find(part) {
                Some(object) => {
                    let head = Head::Object { name: object.name().to_owned(), stands_for: None };
                    self.make(&Phrase { head, ..phrase.clone() })
                }
                None => self.make_plain(&phrase, part),
            },
            Head::Scene("fog") => self.fog_of(&phrase).map(|()| Vec::new()),
            Head::Scene("sky" | "background" | "light" | "shadow") => {
                let frame = Frame {
                    theme: vec![phrase.clone()],
                    qualities: phrase.qualities.clone(),
                    ..Frame::default()
                };
                self.change(&frame).map(|()| Vec::new())
            }
            Head::Scene(_) | Head::Everything { .. } => {
                let words = self.words_of(&phrase);
                Err(Stopped(Remark::Refused(format!("I cannot make “{words}”."))))
            }
            Head::Theme(name) => {
                let frame = Frame {
                    act: Some(Act::Create),
                    theme: vec![phrase.clone()],
                    ..Frame::default()
                };
                let _ = name;
                self.stage(&frame).map(|()| Vec::new())
            }
            Head::Shape { .. } | Head::Built(_) | Head::Object { .. } | Head::Light(_) => {
                self.make_counted(&phrase)
            }
        }
    }
}

/// "a cow in tall grass at dusk": the time of day is told of the scene, whatever it is said of.
fn mood_of(phrase: &Phrase) -> Option<&'static str> {
    let targets = phrase.at.iter().filter_map(|place| place.target.as_deref());
    let own = phrase.qualities.iter().find_map(|quality| match quality {
        Quality::Mood(name) if name == EVENING => Some(EVENING),
        _ => None,
    });
    phrase.mood.or(own).or_else(|| targets.chain(&phrase.with).find_map(mood_of))
}

/// "a bottle on a black background": what things stand before.
fn backdrops(theme: &[Phrase]) -> impl Iterator<Item = &Phrase> {
    let places = theme.iter().flat_map(|phrase| &phrase.at);
    places.filter_map(|place| place.target.as_deref()).filter(|target| {
        matches!(target.head, Head::Scene("background" | "sky")) && !target.qualities.is_empty()
    })
}

/// "a lawn with three trees", "a wall with a ladder against it": the trees are things of their own.
fn beside_scenery(theme: &[Phrase]) -> Vec<Phrase> {
    let apart = |phrase: &Phrase| {
        let mut own = phrase.clone();
        let is_thing = |phrase: &Phrase| !matches!(phrase.head, Head::Scene(_));
        let with = match own.head {
            // "a wall with a gap": its own.
            Head::Scenery(_) => {
                let (own_parts, apart): (Vec<Phrase>, Vec<Phrase>) =
                    std::mem::take(&mut own.with).into_iter().partition(is_way_through);
                own.with = own_parts;
                apart
            }
            Head::Scene(_) if own.with.iter().all(is_thing) => std::mem::take(&mut own.with),
            _ => Vec::new(),
        };
        let with: Vec<Phrase> = with.into_iter().map(|company| at_its(company, &own)).collect();
        std::iter::once(own).chain(with)
    };
    theme.iter().flat_map(apart).collect()
}

/// "a wall with a bench in front of it and a tree at one end": of the wall, not of the bench.
fn at_its(mut company: Phrase, owner: &Phrase) -> Phrase {
    if !matches!(owner.head, Head::Scenery(_)) {
        return company;
    }
    let own = Phrase { word: owner.word.clone(), ..Phrase::of(owner.head.clone()) };
    let own = Phrase { determiner: Some(Determiner::Definite), ..own };
    for place in &mut company.at {
        let is_own = match &place.target {
            None => place.relation.is_none() && place.region.is_some_and(Region::is_side),
            Some(target) => matches!(target.head, Head::Pronoun("it")),
        };
        if is_own {
            place.target = Some(Box::new(own.clone()));
        }
    }
    company
}

/// "a red cup next to a blue one": the blue one is a cup, too.
fn of_same_kind(mut theme: Vec<Phrase>) -> Vec<Phrase> {
    for phrase in &mut theme {
        let (head, word) = (phrase.head.clone(), phrase.word.clone());
        for target in phrase.at.iter_mut().filter_map(|place| place.target.as_mut()) {
            if target.is_one && !target.is_definite() && matches!(target.head, Head::Thing) {
                let kind = (head.clone(), word.clone());
                (target.head, target.word, target.is_one) = (kind.0, kind.1, false);
            }
        }
    }
    theme
}

/// Whether it is to be above something.
pub(super) fn hangs(phrase: &Phrase) -> bool {
    phrase.at.iter().any(|place| place.relation == Some(Relation::Above))
}

/// Whether a size is nothing or less.
fn is_impossible(quality: &Quality) -> bool {
    match quality {
        Quality::Measured { amount, .. } => amount.metres().is_some_and(|metres| metres <= 0.0),
        _ => false,
    }
}
