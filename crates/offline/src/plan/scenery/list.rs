//! Lists of things to make, where one is told by the others: "a red sphere and a bigger one".

use catalogue::catalogue;

use crate::language::{
    Assembly, Change, Determiner, LightKind, Noun, Pattern, Phrase, Place, Relation, Target,
};
use crate::plan::Planner;
use crate::plan::scenery::assembly::is_part_of;

/// "a red sphere, then a slightly bigger one": the one is another of what came before.
pub(in crate::plan) fn ones_named(phrases: &[Phrase]) -> Vec<Phrase> {
    let mut named: Vec<Phrase> = Vec::new();
    for phrase in phrases {
        let mut phrase = phrase.clone();
        if let (Some(Noun::Thing), Determiner::A | Determiner::Bare, Some(last)) =
            (&phrase.head, phrase.determiner, named.last())
        {
            phrase.head.clone_from(&last.head);
            if phrase.size.like.is_none() {
                let factors = phrase.size.factors;
                phrase.size = last.size.clone();
                phrase.size.factors *= factors;
            }
        }
        named.push(phrase);
    }
    named
}

/// "a red sphere and a blue cube in a row": the row is of all of them, not of five cubes. Whether
/// each is to stand beside the one before.
pub(in crate::plan) fn in_one_row(phrases: &mut [Phrase]) -> bool {
    let single = |phrase: &Phrase| {
        matches!(phrase.head, Some(Noun::Shape(_) | Noun::Assembly(_)))
            && !phrase.plural
            && phrase.count.is_none()
            && phrase.grid.is_none()
            && phrase.colours.len() < 2
            && phrase.places.is_empty()
    };
    let listed = phrases.len() > 1;
    let shapes = phrases.iter().all(|phrase| matches!(phrase.head, Some(Noun::Shape(_)) | None));
    match phrases.last_mut() {
        Some(last) if listed && last.pattern == Some(Pattern::Row) && single(last) => {
            last.pattern = None;
        }
        // "six plates, a jug and a bowl, side by side": new objects stand so anyway.
        Some(last) if listed && last.pattern == Some(Pattern::Row) && !shapes => {
            let one = !last.plural && last.count.is_none_or(|count| count == 1);
            last.pattern = last.pattern.filter(|_| !one || last.head.is_none());
            return false;
        }
        _ => return false,
    }
    phrases.iter().all(|phrase| single(phrase) && phrase.pattern.is_none())
}

/// "house, red roof, blue door": parts of what was named before them belong to it.
pub(in crate::plan) fn parts_taken_in(phrases: Vec<Phrase>) -> Vec<Phrase> {
    let mut kept: Vec<Phrase> = Vec::new();
    for phrase in phrases {
        match kept.last_mut().filter(|whole| is_its_part(whole, &phrase)) {
            Some(whole) => whole.companions.push(phrase),
            None => kept.push(phrase),
        }
    }
    kept
}

/// A door is a thing of its own as well: it is a part where it is named without an article, or after others.
fn is_its_part(whole: &Phrase, part: &Phrase) -> bool {
    let loose = matches!(part.head, Some(Noun::Later(_)));
    let listed = part.determiner == Determiner::Bare || !whole.companions.is_empty();
    let plain = part.places.is_empty() && part.pattern.is_none() && part.companions.is_empty();
    let lamp = catalogue().find("table lamp").map(|lamp| Noun::Assembly(Assembly(lamp.name())));
    let head = match whole.head {
        Some(Noun::Light(LightKind::Any)) => lamp,
        _ => whole.head.clone(),
    };
    plain && (loose || listed) && is_part_of(head.as_ref(), part)
}

/// "a ball on the left, a cube in the middle and a cone on the right": the sides are those of the middle.
pub(in crate::plan) fn middle_first(phrases: &mut [Phrase]) {
    let side = |phrase: &Phrase| matches!(phrase.places.as_slice(), [Place::Aside(_)]);
    let middle = |phrase: &Phrase| matches!(phrase.places.as_slice(), [Place::Origin]);
    let told = phrases.iter().all(|phrase| side(phrase) || middle(phrase));
    if told && phrases.iter().filter(|phrase| middle(phrase)).count() == 1 {
        phrases.sort_by_key(|phrase| !middle(phrase));
    }
}

/// Whether a place is told by what was just spoken of: "next to it".
pub(in crate::plan) fn is_of_it(place: &Place) -> bool {
    let Place::Relative { target, .. } = place else { return false };
    let of_it = |phrase: &Phrase| matches!(phrase.determiner, Determiner::It | Determiner::Them);
    target.0.iter().any(of_it)
}

/// "an apple and a pear on the table": where the last stands, the others stand, too; unless it is
/// told by one of them ("a house and a car in front of the house").
pub(in crate::plan) fn share_places(phrases: &mut [Phrase], it_carries: bool) {
    let Some((last, others)) = phrases.split_last_mut() else { return };
    let on_one = |place: &Place| match place {
        Place::Relative { relation, target, metres: None } => {
            let shared = matches!(relation, Relation::On | Relation::Inside | Relation::Around);
            // "a cup and a plate on it", after a table that carries both.
            let upon = matches!(relation, Relation::On | Relation::Inside);
            let of_it = it_carries && upon && !others.iter().any(carries);
            let known = |phrase: &Phrase| {
                !phrase.is_new()
                    && (phrase.determiner != Determiner::It || of_it)
                    && !others.iter().any(|other| other.head == phrase.head)
            };
            shared && target.0.iter().all(known)
        }
        _ => false,
    };
    if !last.places.is_empty()
        && last.places.iter().all(on_one)
        && others.iter().all(|other| other.places.is_empty() && other.companions.is_empty())
    {
        let places = last.places.clone();
        for other in others {
            other.places.clone_from(&places);
        }
    }
}

/// Whether what a phrase names is made to carry things.
fn carries(phrase: &Phrase) -> bool {
    let Some(Noun::Assembly(assembly)) = &phrase.head else { return false };
    catalogue().find(assembly.0).is_some_and(|object| object.carries().is_some())
}

/// "sphere red": the things to make, when none is there that it could be said of. None where
/// something that is there was meant.
pub(in crate::plan) fn made_so(target: &Target, changes: &[Change]) -> Option<Vec<Phrase>> {
    let bare = |phrase: &Phrase| {
        let kind = match &phrase.head {
            Some(Noun::Shape(_) | Noun::Assembly(_)) => true,
            Some(Noun::Later(word)) => ["grass", "lawn", "meadow"].contains(&word.as_str()),
            _ => false,
        };
        phrase.determiner == Determiner::Bare && kind && phrase.owner.is_none()
    };
    if !target.0.iter().all(bare) {
        return None;
    }
    let mut phrases = target.0.clone();
    for phrase in &mut phrases {
        for change in changes {
            match change {
                Change::Colour(colour) => phrase.colours = vec![colour.clone()],
                Change::Finish(finish) => phrase.finish = Some(*finish),
                Change::Look(finish, colour) => {
                    phrase.finish = Some(*finish);
                    phrase.colours = vec![colour.clone()];
                }
                Change::Size(size) => phrase.size = (**size).clone(),
                Change::Place(place) => phrase.places.push(place.clone()),
                Change::Shift(shift) if shift.metres.is_none() => {
                    phrase.places.push(Place::Aside(shift.way));
                }
                _ => return None,
            }
        }
    }
    Some(phrases)
}

impl Planner {
    /// "the solar system", "the house with the red roof", where there is nothing yet: to be made.
    pub(in crate::plan) fn first_wish(&self, target: &Target) -> Option<Vec<Phrase>> {
        let buildable = |phrase: &Phrase| {
            matches!(phrase.determiner, Determiner::The | Determiner::Bare)
                && matches!(phrase.head, Some(Noun::Assembly(_) | Noun::Shape(_)))
                && phrase.rank.is_none()
                && phrase.owner.is_none()
        };
        let nothing = self.world.objects().next().is_none();
        let a = |phrase: &Phrase| Phrase { determiner: Determiner::A, ..phrase.clone() };
        (nothing && target.0.iter().all(buildable)).then(|| target.0.iter().map(a).collect())
    }
}
