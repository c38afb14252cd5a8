//! New things: shapes, objects, lights, whole scenes, one or several of them.

use catalogue::catalogue;

use crate::frames::{Act, Determiner, Frame, Head, Layout, Phrase, Place, Quality, Relation};

use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// How many fill a sky.
const FILLING: f64 = 14.0;
/// An adjective that is told of the scene, whatever it is said of: "dusk, a warm light in the windows".
const EVENING: &str = "sunset";
/// What it costs to make a thing of which nobody told what it is.
const UNTOLD: f32 = 0.5;

impl Planner<'_> {
    /// "a red ball on a table and two chairs".
    pub(crate) fn create(&mut self, frame: &Frame) -> Done {
        let mut made_now: Vec<String> = Vec::new();
        let is_scene = frame.theme.iter().any(|phrase| matches!(phrase.head, Head::Theme(_)));
        if is_scene
            && frame.theme.first().is_some_and(|phrase| matches!(phrase.head, Head::Theme(_)))
        {
            return self.stage(frame);
        }
        let mut last: Vec<String> = Vec::new();
        let theme = self.on_what_was_spoken_of(&beside_scenery(&frame.theme));
        let theme = of_same_kind(self.with_own_parts(&theme));
        let theme = self.one_for_each(&theme, &frame.places)?;
        let (mut theme, stays) = match (frame.exact, frame.total) {
            (true, _) => self.exactly(theme, frame)?,
            (false, true) => (self.what_lacks(theme), Vec::new()),
            (false, false) => (theme, Vec::new()),
        };
        let count = theme.len();
        let mut problems: Vec<Stopped> = Vec::new();
        // What all go to is made once.
        let mut frame_places = frame.places.clone();
        for at in 0..count {
            let mut phrase = theme[at].clone();
            if phrase.pattern.is_empty() {
                phrase.pattern = frame.pattern.clone();
            }
            phrase.qualities.extend(frame.qualities.iter().cloned());
            // "fill the sky with kites".
            let fills = frame.inside.iter().any(|whole| matches!(whole.head, Head::Scene("sky")));
            if fills && phrase.plural && phrase.count.is_none() {
                phrase.count = Some(FILLING);
                phrase.pattern.layout.get_or_insert(Layout::Scatter);
            }
            if let Some(name) = &frame.name {
                phrase.name.get_or_insert_with(|| name.clone());
            }
            // What is said of the place last holds for all: "a cup and a plate on the table".
            let own = !phrase.at.is_empty();
            let is_shared = !frame.places.is_empty() && !own;
            let places = if is_shared {
                frame_places.clone()
            } else if own {
                phrase.at.clone()
            } else {
                let later = theme[at..].iter().find(|later| !later.at.is_empty());
                let shared = later
                    .filter(|later| at + 1 < count && shares_place(later))
                    .map(|later| later.at.clone());
                // What all are on is made once, before the first of them.
                let shared = shared.unwrap_or_default();
                match self.make_targets(shared, &mut made_now) {
                    Ok(known) if !known.is_empty() => {
                        for later in &mut theme[at..] {
                            if later.at.iter().any(|place| !place.target_is_known()) {
                                later.at.clone_from(&known);
                            }
                        }
                        known
                    }
                    Ok(known) => known,
                    Err(stopped) => {
                        problems.push(stopped);
                        continue;
                    }
                }
            };
            let kept = self.draft.clone();
            let places = match self.make_targets(places, &mut made_now) {
                Ok(places) => places,
                Err(stopped) => {
                    self.draft = kept;
                    let stays_without = self.stands_without(&stopped);
                    problems.push(stopped);
                    if !stays_without {
                        continue;
                    }
                    Vec::new()
                }
            };
            if is_shared {
                frame_places.clone_from(&places);
            }
            if phrase.at.is_empty() && matches!(phrase.head, Head::Light(_)) {
                phrase.at.clone_from(&places);
            }
            let lights = self.made.len();
            self.count_along(&mut phrase, &places);
            if self.grown_over(&phrase, &places)? {
                continue;
            }
            // What cannot be made is left out, and said so.
            let mut made = match self.make(&phrase) {
                Ok(made) => made,
                Err(stopped) => {
                    problems.push(stopped);
                    made_now.extend(self.company_alone(&phrase));
                    continue;
                }
            };
            if !made.is_empty() {
                let first = last.is_empty();
                if !frame.around.is_empty() {
                    self.place_around(&made, &frame.around)?;
                } else if !frame.inside.is_empty() {
                    let target = frame.inside.clone();
                    let place = related(Relation::Inside, target.first().cloned());
                    made = self.settle_new(&phrase, made, &[place], &last)?;
                } else {
                    let beside = if first { &[][..] } else { &last };
                    made = self.settle_or_stand(&phrase, made, &places, beside, &mut problems)?;
                }
                self.make_faced(&mut phrase, &made, &mut made_now)?;
                self.look_at_target(&phrase, &made)?;
                self.add_company(&phrase, &made)?;
                let all = made.clone();
                for (at, (id, member)) in all.iter().zip(&phrase.each).enumerate() {
                    // "one big and a small one in front of it".
                    let before = at.checked_sub(1).map(|before| vec![all[before].clone()]);
                    for place in &member.places {
                        self.context.focus.splice(0..0, before.clone());
                        self.put(std::slice::from_ref(id), place, false)?;
                    }
                }
            }
            // Lights and floors have their place already.
            if made.is_empty() {
                last = self.made[lights.min(self.made.len())..].to_vec();
            } else {
                self.context.focus.insert(0, made.clone());
                last.clone_from(&made);
            }
            made_now.extend(made);
        }
        if made_now.is_empty()
            && last.is_empty()
            && let Some(problem) = problems.pop()
        {
            return Err(problem);
        }
        self.remarks.extend(problems.into_iter().map(|Stopped(remark)| remark));
        self.made.extend(made_now.iter().cloned());
        // "a cube, a ball and a cone, each a different colour".
        if count > 1 {
            let last = theme.last().filter(|phrase| !phrase.plural && phrase.count.is_none());
            let of_all = frame.qualities.iter().chain(last.iter().flat_map(|it| &it.qualities));
            for quality in of_all {
                if let Quality::Distinct { dimension, more } = quality {
                    self.make_distinct(&made_now, *dimension, *more)?;
                }
            }
        }
        // "make it six": all of them are spoken of.
        let new = if last.is_empty() { made_now } else { last };
        self.focus = stays.into_iter().chain(new).collect();
        // "five of those in a circle": those that were there, too.
        let told = theme.first().map(|phrase| phrase.pattern.clone()).unwrap_or_default();
        let pattern = if frame.pattern.is_empty() { told } else { frame.pattern.clone() };
        if frame.exact && !pattern.is_empty() {
            let all = Phrase { is_one: true, plural: true, ..Phrase::of(Head::Thing) };
            let theme = vec![Phrase { determiner: Some(Determiner::All), ..all }];
            let act = Some(Act::Arrange);
            self.arrange(&Frame { act, theme, pattern, ..Frame::default() })?;
        }
        for backdrop in backdrops(&theme) {
            let qualities = backdrop.qualities.clone();
            let theme = vec![backdrop.clone()];
            self.change(&Frame { act: Some(Act::Change), theme, qualities, ..Frame::default() })?;
        }
        if let Some(mood) = theme.iter().find_map(mood_of).or(frame.mood) {
            self.set_mood(mood)?;
        }
        if frame.sun.is_told() {
            self.take_sun(&frame.sun, frame.mood)?;
        }
        Ok(())
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
            Head::Shape { .. } | Head::Object { .. } | Head::Light(_) => self.make_counted(&phrase),
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
            Head::Scenery(_) => std::mem::take(&mut own.with),
            Head::Scene(_) if own.with.iter().all(is_thing) => std::mem::take(&mut own.with),
            _ => Vec::new(),
        };
        std::iter::once(own).chain(with)
    };
    theme.iter().flat_map(apart).collect()
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

/// Whether the place of the last of several holds for those before: "a cup and a plate on the table".
fn shares_place(phrase: &Phrase) -> bool {
    phrase.at.iter().all(|place| {
        place.target.as_ref().is_some_and(|target| {
            let carries = matches!(place.relation, Some(Relation::On | Relation::Inside));
            !matches!(target.head, Head::Pronoun(_)) && (target.is_definite() || carries)
        })
    })
}

/// A place in relation to something.
pub(crate) fn related(relation: Relation, target: Option<Phrase>) -> Place {
    Place {
        relation: Some(relation),
        target: target.map(Box::new),
        other: None,
        region: None,
        gap: None,
        point: None,
        coordinate: None,
        height: None,
        each_side: false,
    }
}
