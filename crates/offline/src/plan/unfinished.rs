//! What only makes sense with what was said before: a place alone, a change that was not named.

use super::{Done, Planner, Saying};
use crate::language::{
    CameraMove, Change, Clause, Determiner, Intent, Noun, Phrase, Place, Relation, Target, Wanted,
    camera_move,
};
use crate::world::Thing;

impl Planner {
    /// Asks what was left out; what it is about is what the answer is taken for.
    pub(crate) fn ask_for(&mut self, target: &Target, what: Wanted) -> Done {
        let ids = self.resolve(target)?;
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

    /// "on the blue one" after a look at the red one; else where what was spoken of is to be.
    pub(crate) fn whereabouts(&mut self, place: &Place) -> Done {
        let it = Target::of(Phrase::new(Determiner::It));
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
        if self.resolve(target).is_err() && target.0.iter().all(object) {
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
        let named = ["it", "this", "that", "him", "her", "them"];
        let text = clause.text.to_lowercase();
        let bare = !text.split(|c: char| !c.is_alphanumeric()).any(|word| named.contains(&word));
        let camera = |intent: &Intent| matches!(intent, Intent::Camera(_));
        if !bare || !target.0.iter().all(unsaid) || !self.last_intents().iter().all(camera) {
            return None;
        }
        if self.last_intents().is_empty() {
            return None;
        }
        let moves = changes.iter().map(|change| camera_move(change).map(Intent::Camera));
        moves.collect()
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
    pub(super) fn looks_of_ones(&self, target: &Target) -> Option<Vec<Change>> {
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

    /// "the whole room again" after a look at a part of it.
    pub(super) fn is_whole_room(&self, target: &Target) -> bool {
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
