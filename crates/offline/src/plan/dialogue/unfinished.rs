//! What only makes sense with what was said before: a place alone, a change that was not named.

use crate::colour::Colour;
use crate::history::Deed;
use crate::language::{
    CameraMove, Change, Clause, Comparison, Determiner, Intent, Noun, Phrase, Place, Relation,
    Target, Wanted, Way, camera_move,
};
use crate::plan::{Done, Planner, Saying};
use crate::world::Thing;

impl Planner {
    /// What a clause means with what was said before it; none where it says all by itself.
    pub(in crate::plan) fn meant_with_the_last(
        &self,
        clause: &Clause,
        intents: &[Intent],
    ) -> Option<Vec<Intent>> {
        self.camera_again(clause, intents)
            .or_else(|| self.sky_again(intents))
            .or_else(|| self.shade_again(clause, intents))
            .or_else(|| self.dressed_again(intents))
            .or_else(|| self.said_as_well(clause, intents))
            .or_else(|| self.removed_again(clause, intents))
            .or_else(|| self.placed_as_named(intents))
            .or_else(|| self.given_in_another_look(intents))
    }

    /// Asks what was left out; what it is about is what the answer is taken for.
    pub(crate) fn ask_for(&mut self, target: &Target, what: Wanted) -> Done {
        let mut ids = self.resolve(target)?;
        if ids.iter().any(|id| self.is_plain_object(id))
            && target.0.iter().any(|phrase| phrase.determiner == Determiner::Everything)
        {
            ids.retain(|id| self.is_plain_object(id));
        }
        let names = crate::answer::list(&self.names_of(&ids));
        self.context.focus = ids;
        let question = match what {
            Wanted::Colour => format!("Which colour shall {names} get?"),
            Wanted::Material => format!("What shall {names} be made of?"),
            Wanted::Place => format!("Where shall I move {names} to?"),
            Wanted::Size => format!("How big shall {names} be?"),
        };
        self.sayings.push(Saying::Answer(question));
        Ok(())
    }

    /// "pink", after it was asked which colour all of them shall get.
    pub(in crate::plan) fn for_all_asked(&self, intents: &[Intent]) -> Vec<Intent> {
        let mut intents = intents.to_vec();
        let asked = matches!(self.last_intents().as_slice(), [Intent::Wanting { .. }]);
        let unsaid =
            |phrase: &Phrase| phrase.determiner == Determiner::It && phrase.words.is_empty();
        if let ([Intent::Change { target, .. }], true) = (intents.as_mut_slice(), asked)
            && target.0.iter().all(unsaid)
        {
            *target = Target::of(Phrase::new(Determiner::Focus));
        }
        intents
    }

    /// "on the blue one" after a look at the red one; else where what was spoken of is to be.
    pub(crate) fn whereabouts(&mut self, place: &Place) -> Done {
        let it = Target::of(Phrase::new(Determiner::It));
        if let (Place::OtherSide(None), [Intent::Camera(CameraMove::From(way, of))]) =
            (place, self.last_intents().as_slice())
        {
            let across = way.with_y(-way.y) * -1.0;
            return self.move_camera(&CameraMove::From(across, of.clone()));
        }
        let Place::Relative { relation, target, .. } = place else {
            return self.change(&it, &[Change::Place(place.clone())]);
        };
        if matches!(relation, Relation::On | Relation::Beside)
            && self.looked_last()
            && let Some(done) = self.repeat(target)
        {
            return done;
        }
        let object = |phrase: &Phrase| matches!(phrase.head, Some(Noun::Assembly(_)));
        let aside = !matches!(
            relation,
            Relation::On | Relation::Under | Relation::Inside | Relation::Above
        );
        if aside && self.resolve(target).is_err() && target.0.iter().all(object) {
            // "next to the sea", where there is none: it is what is to be made.
            let beside = Place::Relative { relation: Relation::Beside, target: it, metres: None };
            let focus = self.context.focus.clone();
            let mut made = target.0.clone();
            for phrase in &mut made {
                phrase.determiner = Determiner::A;
                phrase.places = vec![beside.clone()];
            }
            self.create(&made)?;
            self.context.focus = focus;
            return Ok(());
        }
        self.change(&it, &[Change::Place(place.clone())])
    }

    /// Whether the last wish was a look at something.
    fn looked_last(&self) -> bool {
        self.last_intents().iter().any(|intent| {
            matches!(
                intent,
                Intent::Camera(
                    CameraMove::LookAt(_)
                        | CameraMove::Close(_)
                        | CameraMove::Show(_)
                        | CameraMove::From(_, Some(_))
                )
            )
        })
    }

    /// "a bit higher up", "lower" after the camera was moved: the camera once more.
    pub(crate) fn camera_again(&self, clause: &Clause, intents: &[Intent]) -> Option<Vec<Intent>> {
        let [Intent::Change { target, changes }] = intents else { return None };
        let unsaid =
            |phrase: &Phrase| phrase.determiner == Determiner::It && phrase.words.is_empty();
        let bare = !names_it(&clause.text);
        let camera = |intent: &Intent| matches!(intent, Intent::Camera(_));
        let last = self.last_intents();
        let looked = !last.is_empty() && last.iter().all(camera) || self.only_looked();
        if !bare || !target.0.iter().all(unsaid) || !looked {
            return None;
        }
        let moves = changes.iter().map(|change| camera_move(change).map(Intent::Camera));
        moves.collect()
    }

    /// Whether the last message moved the camera and nothing else, in whatever words.
    fn only_looked(&self) -> bool {
        let same = |deed: &&Deed| self.previous.as_ref() == Some(&deed.said);
        self.last
            .as_ref()
            .filter(same)
            .is_some_and(|deed| deed.ids.is_empty() && deed.before.camera != self.world.camera)
    }

    /// "actually, keep it pink" after the sky was coloured: the sky once more.
    pub(in crate::plan) fn sky_again(&self, intents: &[Intent]) -> Option<Vec<Intent>> {
        let [Intent::Change { target, changes }] = intents else { return None };
        let [Change::Colour(colour)] = changes.as_slice() else { return None };
        let it = |phrase: &Phrase| phrase.determiner == Determiner::It;
        let sky = |intent: &Intent| matches!(intent, Intent::Surround { colour: Some(_), .. });
        let last = self.last_intents();
        let coloured = !last.is_empty() && last.iter().all(sky);
        (coloured && target.0.iter().all(it))
            .then(|| vec![Intent::Surround { mood: None, colour: Some(colour.clone()) }])
    }

    /// "darker" after something was painted: its colour, rather than the light.
    pub(in crate::plan) fn shade_again(
        &self,
        clause: &Clause,
        intents: &[Intent],
    ) -> Option<Vec<Intent>> {
        let [Intent::Expose(factor)] = intents else { return None };
        let text = clause.text.to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        let all = ["light", "lights", "lighting", "scene", "room", "it", "everything", "picture"];
        let shade = |word: &str| ["darker", "lighter", "brighter"].contains(&word);
        // "that's too dark" tells of what was painted, "make it darker" of the light.
        let complains = words.clone().any(|word| word == "too");
        let complaint =
            |word: &str| complains && ["dark", "bright", "light", "pale"].contains(&word);
        let of_all =
            |word: &str| all.contains(&word) && !(complains && ["it", "light"].contains(&word));
        let bare = !words.clone().any(of_all) && words.any(|word| shade(word) || complaint(word));
        let painted = |intent: &Intent| match intent {
            Intent::Change { changes, .. } => {
                changes.iter().all(|change| matches!(change, Change::Colour(_) | Change::Look(..)))
            }
            _ => false,
        };
        let last = self.last_intents();
        if !bare || last.is_empty() || !last.iter().all(painted) {
            return None;
        }
        let comparison = if *factor > 1.0 { Comparison::Lighter } else { Comparison::Darker };
        let changes = vec![Change::Compare { comparison, degree: None, factor: None }];
        Some(vec![Intent::Change { target: Target::of(Phrase::new(Determiner::Focus)), changes }])
    }

    /// "table as well": of the table that is there, where there is one.
    pub(in crate::plan) fn said_as_well(
        &self,
        clause: &Clause,
        intents: &[Intent],
    ) -> Option<Vec<Intent>> {
        let [Intent::Create(phrases)] = intents else { return None };
        let text = clause.text.to_lowercase();
        let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let also = ["as well", "too", "also"].iter().any(|word| text.ends_with(word));
        let bare = |phrase: &Phrase| {
            phrase.determiner == Determiner::Bare
                && phrase.count.is_none()
                && phrase.pattern.is_none()
                && phrase.places.is_empty()
        };
        if !also || !phrases.iter().all(bare) {
            return None;
        }
        let there = phrases.iter().map(|phrase| Phrase {
            determiner: if phrase.plural { Determiner::All } else { Determiner::The },
            ..phrase.clone()
        });
        let target = Target(there.collect());
        self.resolve(&target).is_ok().then(|| vec![Intent::Answer(target)])
    }

    /// "red flags" after some flags were made: those.
    pub(in crate::plan) fn dressed_again(&self, intents: &[Intent]) -> Option<Vec<Intent>> {
        let [Intent::Create(phrases)] = intents else { return None };
        let [phrase] = phrases.as_slice() else { return None };
        let last = self.last_intents();
        let [Intent::Create(before)] = last.as_slice() else { return None };
        let [before] = before.as_slice() else { return None };
        let bare = phrase.determiner == Determiner::Bare
            && phrase.plural
            && phrase.count.is_none()
            && phrase.pattern.is_none()
            && phrase.places.is_empty()
            && phrase.companions.is_empty()
            && phrase.size.is_unsaid();
        let plain = before.colours.is_empty() && before.finish.is_none();
        let mut changes: Vec<Change> = phrase.colours.iter().cloned().map(Change::Colour).collect();
        changes.extend(phrase.finish.map(Change::Finish));
        let several = self.wholes(&self.context.focus).len() > 1;
        let same = phrase.head == before.head && several;
        let them = Target::of(Phrase::new(Determiner::Focus));
        (bare && plain && same && !changes.is_empty() && self.acted.is_none())
            .then(|| vec![Intent::Change { target: them, changes }])
    }

    /// "a red one" after a hat was given: the hat is to be red.
    fn given_in_another_look(&self, intents: &[Intent]) -> Option<Vec<Intent>> {
        let last = self.last_intents();
        let [Intent::Furnish { target, parts }] = last.as_slice() else { return None };
        let ([part], [Intent::Create(phrases) | Intent::Answer(Target(phrases))]) =
            (parts.as_slice(), intents)
        else {
            return None;
        };
        let [phrase] = phrases.as_slice() else { return None };
        let one = matches!(phrase.determiner, Determiner::A | Determiner::Bare)
            && matches!(phrase.head, Some(Noun::Thing) | None)
            && phrase.count.is_none_or(|count| count == 1);
        let looks = !phrase.colours.is_empty() || phrase.finish.is_some();
        if !one || !looks || !phrase.places.is_empty() {
            return None;
        }
        let part =
            Phrase { colours: phrase.colours.clone(), finish: phrase.finish, ..part.clone() };
        Some(vec![Intent::Furnish { target: target.clone(), parts: vec![part] }])
    }

    /// "red one next to the green one", where there is a red one: it goes there.
    pub(in crate::plan) fn placed_as_named(&self, intents: &[Intent]) -> Option<Vec<Intent>> {
        let [Intent::Create(phrases)] = intents else { return None };
        let [phrase] = phrases.as_slice() else { return None };
        let [place] = phrase.places.as_slice() else { return None };
        let bare = phrase.determiner == Determiner::Bare && phrase.head == Some(Noun::Thing);
        if !bare || phrase.count.is_some() || phrase.plural || phrase.colours.is_empty() {
            return None;
        }
        let there = Phrase { determiner: Determiner::The, places: Vec::new(), ..phrase.clone() };
        let target = Target::of(there);
        let place = Change::Place(place.clone());
        self.resolve(&target).ok().map(|_| vec![Intent::Change { target, changes: vec![place] }])
    }

    /// "and another one" after some were taken away: one more of them goes.
    pub(in crate::plan) fn removed_again(
        &self,
        clause: &Clause,
        intents: &[Intent],
    ) -> Option<Vec<Intent>> {
        let [Intent::Create(phrases)] = intents else { return None };
        let [phrase] = phrases.as_slice() else { return None };
        let more = phrase.determiner == Determiner::Another && phrase.head == Some(Noun::Thing);
        let bare = more && !phrase.has_adjective() && phrase.places.is_empty();
        let first = clause.text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let verbless = ["and", "another", "one", "now", "then", "two"].contains(&first.as_str());
        let last = self.last_intents();
        let [Intent::Remove(target)] = last.as_slice() else { return None };
        let [model] = target.0.as_slice() else { return None };
        if !(bare && verbless) {
            return None;
        }
        let kind = model.head.clone().filter(|noun| *noun != Noun::Thing);
        let mut gone = Phrase::new(Determiner::Bare);
        gone.head = Some(kind.or_else(|| self.context.kind.clone())?);
        gone.count = Some(phrase.count.unwrap_or(1));
        Some(vec![Intent::Remove(Target::of(gone))])
    }

    /// Whether the last message asked where something could stand.
    pub(crate) fn asked_for_room(&self) -> bool {
        let room =
            |intent: &Intent| matches!(intent, Intent::Ask(crate::language::Question::Room(_)));
        self.last_intents().iter().any(room)
    }

    pub(crate) fn is_of_kind(&self, thing: &Thing, kind: &Noun) -> bool {
        let mut all = Phrase::new(Determiner::All);
        (all.head, all.plural) = (Some(kind.clone()), true);
        self.resolve(&Target::of(all)).is_ok_and(|ids| ids.contains(&thing.id))
    }

    /// "yellow ones", "red, green and blue ones": how what was spoken of is to look.
    pub(in crate::plan) fn looks_of_ones(&self, target: &Target) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        for phrase in &target.0 {
            let ones = phrase.head == Some(Noun::Thing) && phrase.plural || target.0.len() > 1;
            let bare = phrase.determiner == Determiner::Bare && phrase.places.is_empty();
            if !ones || !bare || phrase.count.is_some() || phrase.rank.is_some() {
                return None;
            }
            changes.extend(phrase.colours.iter().cloned().map(Change::Colour));
            changes.extend(phrase.finish.map(Change::Finish));
        }
        (!changes.is_empty() && !self.context.focus.is_empty()).then_some(changes)
    }

    /// "the roof in dark grey", where the roof is red; "the red ball in blue": what is meant, and how it is to look.
    pub(in crate::plan) fn looks_of_known(
        &self,
        target: &Target,
        said: &str,
    ) -> Option<(Target, Vec<Change>)> {
        let [phrase] = target.0.as_slice() else { return None };
        let told =
            matches!(phrase.determiner, Determiner::The | Determiner::Rest | Determiner::All);
        let said = said.to_lowercase();
        // "the ship in black" is no "black ship", though some of it is black.
        let behind = |colour: &&Colour| said.contains(&format!(" in {}", colour.name));
        let wished = phrase.colours.iter().rev().find(behind);
        let first = || phrase.colours.first().filter(|_| phrase.colours.len() == 1);
        let colour = wished.or_else(first);
        let mut plain = Phrase { finish: None, ..phrase.clone() };
        plain.colours.retain(|own| Some(own) != colour);
        let plain = Target::of(plain);
        let mut changes: Vec<Change> = colour.cloned().map(Change::Colour).into_iter().collect();
        changes.extend(phrase.finish.map(Change::Finish));
        let other =
            (wished.is_some() || self.resolve(target).is_err()) && self.resolve(&plain).is_ok();
        (told && !changes.is_empty() && other).then_some((plain, changes))
    }

    /// "a red one" after "a ball": how the one that was just made is to look.
    pub(in crate::plan) fn looks_of_last(
        &self,
        phrases: &[Phrase],
        said: &str,
    ) -> Option<Vec<Change>> {
        let [phrase] = phrases else { return None };
        let plain = phrase.determiner == Determiner::A
            && phrase.places.is_empty()
            && phrase.companions.is_empty()
            && phrase.size.is_unsaid()
            && phrase.rank.is_none()
            && phrase.count.is_none_or(|count| count == 1);
        let one = phrase.head == Some(Noun::Thing) && said.to_lowercase().starts_with("a ");
        let looks = phrase.colours.len() + usize::from(phrase.finish.is_some()) == 1;
        let deed = self.last.as_ref().filter(|deed| self.all_made_by(deed))?;
        let unsaid = match self.last_intents().as_slice() {
            [Intent::Create(made)] => made.iter().all(|made| {
                made.colours.is_empty() && made.finish.is_none() && made.count.is_none()
            }),
            _ => false,
        };
        if !plain || !one || !looks || !unsaid || self.wholes(&deed.ids).len() != 1 {
            return None;
        }
        let colours = phrase.colours.iter().cloned().map(Change::Colour);
        Some(colours.chain(phrase.finish.map(Change::Finish)).collect())
    }

    /// "orange too" after "make the blue one gold": the orange one, where there is one.
    pub(in crate::plan) fn of_that_colour_too(
        &self,
        target: &Target,
        changes: &[Change],
        said: &str,
    ) -> Option<Target> {
        let [Change::Colour(colour)] = changes else { return None };
        let it = |phrase: &Phrase| phrase.determiner == Determiner::It;
        let last = said.trim_end_matches(['.', '!']).rsplit(' ').next()?;
        if !target.0.iter().all(it) || !["too", "also"].contains(&last.to_lowercase().as_str()) {
            return None;
        }
        let by_colour = |intent: &Intent| match intent {
            Intent::Change { target, .. } => target.0.iter().all(|phrase| {
                !phrase.colours.is_empty() && matches!(phrase.head, None | Some(Noun::Thing))
            }),
            _ => false,
        };
        let mut meant = Phrase::new(Determiner::The);
        meant.head = Some(Noun::Thing);
        meant.colours.push(colour.clone());
        let other = Target::of(meant);
        let told = self.last_intents().iter().any(by_colour);
        (told && self.resolve(&other).is_ok()).then_some(other)
    }

    /// "10 cm higher" of a table: it gets taller, as a lamp that hangs would rise.
    pub(in crate::plan) fn taller(
        &self,
        target: &Target,
        changes: &[Change],
        said: &str,
    ) -> Option<Change> {
        let [Change::Shift(shift)] = changes else { return None };
        let metres = shift.metres.filter(|_| shift.way == Way::Up)?;
        let compared = said.to_lowercase().contains("higher");
        let ids = self.resolve(target).ok().filter(|_| compared)?;
        let carries = self.object_of(&ids).is_some_and(|object| object.carries().is_some());
        (carries && self.stand_on_ground(&ids))
            .then_some(Change::Grow { comparison: Comparison::Taller, metres })
    }

    /// "red ones" after "with two cushions": what was just made of it, else all that was spoken of.
    pub(in crate::plan) fn ones_meant(&self) -> Target {
        let last = self.context.made.last().cloned().unwrap_or_default();
        let deed =
            self.last.as_ref().is_some_and(|deed| last.iter().all(|id| deed.ids.contains(id)));
        if deed && self.wholes(&last).len() > 1 {
            return Target(last.into_iter().map(Phrase::named).collect());
        }
        Target::of(Phrase { plural: true, ..Phrase::new(Determiner::Them) })
    }

    /// "two of them" after one was made: so many of it. None where there are as many.
    pub(in crate::plan) fn so_many_of_it(&mut self, target: &Target) -> Option<Done> {
        let [phrase] = target.0.as_slice() else { return None };
        let count = phrase.count.filter(|_| phrase.determiner == Determiner::Them)?;
        let it = Target::of(Phrase::new(Determiner::It));
        let ids = self.resolve(&it).ok()?;
        let one = self.wholes(&ids).len() == 1 && count > 1 && phrase.share.is_none();
        one.then(|| self.multiply(&it, count, None))
    }

    /// "2 m tall", "40 cm": how big what was spoken of is to be, where that is all that was said.
    pub(in crate::plan) fn size_of_it(&self, target: &Target) -> Option<Vec<Change>> {
        let [phrase] = target.0.as_slice() else { return None };
        let bare = phrase.determiner == Determiner::Bare && phrase.head.is_none();
        let plain = phrase.colours.is_empty() && phrase.finish.is_none() && phrase.count.is_none();
        let measured = phrase.size.lengths().next().is_some();
        (bare && plain && measured && phrase.rank.is_none() && !self.context.focus.is_empty())
            .then(|| vec![Change::Size(Box::new(phrase.size.clone()))])
    }

    /// "the whole room again" after a look at a part of it.
    pub(in crate::plan) fn is_whole_room(&self, target: &Target) -> bool {
        let scene = |phrase: &Phrase| {
            let words = phrase.text();
            phrase.head == Some(Noun::Scene)
                || ["room", "scene", "picture", "garden", "table", "view"]
                    .iter()
                    .any(|word| words.ends_with(word))
        };
        let missing = self.resolve(target).is_err();
        let camera = |intent: &Intent| matches!(intent, Intent::Camera(_));
        let last = self.last_intents();
        missing && target.0.iter().all(scene) && !last.is_empty() && last.iter().all(camera)
    }
}

/// Whether a wish says "it" of something; "that is too high, a bit lower" does not.
fn names_it(text: &str) -> bool {
    const NAMED: [&str; 6] = ["it", "this", "that", "him", "her", "them"];
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let stated = words.get(at + 1).is_some_and(|next| ["is", "s", "was"].contains(next));
        NAMED.contains(word) && !stated
    })
}
