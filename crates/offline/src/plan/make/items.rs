//! The things of a list made one after the other, each in its place.

use crate::frames::{Frame, Head, Layout, Phrase, Place, Quality, Region, Relation};

use crate::plan::planner::{Done, Planner, Stopped};
use crate::plan::wish::is_checked;

/// How many fill a sky.
const FILLING: f64 = 14.0;

/// A list while it is made.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// What is asked for.
    pub(super) theme: Vec<Phrase>,
    /// Where all of it goes; what that is told by is made once.
    pub(super) places: Vec<Place>,
    pub(super) made: Vec<String>,
    /// What was made last.
    pub(super) last: Vec<String>,
    /// What sides without a word of whose are told of: "a tree, gifts under it, a star on top".
    pub(super) anchor: Vec<String>,
    pub(super) problems: Vec<Stopped>,
}

impl Planner<'_> {
    /// Makes one of a list. What cannot be made is left out, and said so.
    pub(super) fn make_item(&mut self, frame: &Frame, items: &mut Items, at: usize) -> Done {
        let mut phrase = with_what_is_told_of_all(items.theme[at].clone(), frame);
        let is_own = items.theme[at].at.iter().all(|place| !is_of_anchor(place));
        let Some(places) = self.places_of_item(items, at) else { return Ok(()) };
        if phrase.at.is_empty() && matches!(phrase.head, Head::Light(_)) {
            phrase.at.clone_from(&places);
        }
        let lights = self.made.len();
        self.count_along(&mut phrase, &places);
        if self.grown_over(&phrase, &places)? {
            return Ok(());
        }
        let made = match self.enclose(&phrase, &places, &frame.around)? {
            Some(id) => vec![id],
            None => match self.make(&phrase) {
                Ok(made) if made.is_empty() => made,
                Ok(made) => self.settle_item(frame, items, phrase.clone(), made, &places)?,
                Err(stopped) => {
                    items.problems.push(stopped);
                    items.made.extend(self.company_alone(&phrase));
                    return Ok(());
                }
            },
        };
        let looks: Vec<Quality> =
            phrase.qualities.iter().filter(|quality| is_checked(quality)).cloned().collect();
        if !looks.is_empty() && phrase.each.is_empty() && !made.is_empty() {
            self.looks.push((made.clone(), looks));
        }
        // Lights and floors have their place already.
        if made.is_empty() {
            items.last = self.made[lights.min(self.made.len())..].to_vec();
        } else {
            self.context.focus.insert(0, made.clone());
            items.last.clone_from(&made);
        }
        if is_own || items.anchor.is_empty() {
            items.anchor.clone_from(&items.last);
        }
        items.made.extend(made);
        Ok(())
    }

    /// Where one of a list goes, with what that is told by made; `None` where it cannot be made.
    fn places_of_item(&mut self, items: &mut Items, at: usize) -> Option<Vec<Place>> {
        let own = &items.theme[at].at;
        let is_shared = !items.places.is_empty() && own.is_empty();
        let places = if is_shared {
            items.places.clone()
        } else if own.is_empty() {
            self.shared_places(items, at)?
        } else {
            let anchor = &items.anchor;
            own.iter().map(|place| at_anchor(place, anchor)).collect()
        };
        let kept = self.draft.clone();
        let places = match self.make_targets(places, &mut items.made) {
            Ok(places) => places,
            Err(stopped) => {
                self.draft = kept;
                let stays_without = self.stands_without(&stopped);
                items.problems.push(stopped);
                if !stays_without {
                    return None;
                }
                Vec::new()
            }
        };
        if is_shared {
            items.places.clone_from(&places);
        }
        Some(places)
    }

    /// What is said of the place last holds for all: "a cup and a plate on the table". What all are on is made once,
    /// before the first of them.
    fn shared_places(&mut self, items: &mut Items, at: usize) -> Option<Vec<Place>> {
        let later = items.theme[at..].iter().find(|later| !later.at.is_empty());
        // "a table, then a chair next to the table": what is asked for is no setting of the rest.
        let is_asked = |target: &Phrase| {
            let mut rest = items.theme[at..].iter();
            rest.any(|own| target.head == own.head && target.word == own.word)
        };
        let of_own = |later: &Phrase| {
            later.at.iter().filter_map(|place| place.target.as_deref()).any(is_asked)
        };
        let shared = later
            .filter(|later| at + 1 < items.theme.len() && shares_place(later) && !of_own(later));
        let shared = shared.map(|later| later.at.clone()).unwrap_or_default();
        match self.make_targets(shared, &mut items.made) {
            Ok(known) => {
                for later in items.theme[at..].iter_mut().filter(|_| !known.is_empty()) {
                    if later.at.iter().any(|place| !place.target_is_known()) {
                        later.at.clone_from(&known);
                    }
                }
                Some(known)
            }
            Err(stopped) => {
                items.problems.push(stopped);
                None
            }
        }
    }

    /// Puts what was made in its place, with what comes with it.
    fn settle_item(
        &mut self,
        frame: &Frame,
        items: &mut Items,
        mut phrase: Phrase,
        mut made: Vec<String>,
        places: &[Place],
    ) -> Done<Vec<String>> {
        if !frame.around.is_empty() {
            self.place_around(&made, &frame.around)?;
        } else if !frame.inside.is_empty() {
            let place = Place::by(Relation::Inside, frame.inside.first().cloned());
            made = self.settle_new(&phrase, made, &[place], &items.last)?;
        } else {
            made = self.settle_or_stand(&phrase, made, places, &items.last, &mut items.problems)?;
        }
        self.make_faced(&mut phrase, &made, &mut items.made)?;
        self.look_at_target(&phrase, &made)?;
        self.add_company(&phrase, &made)?;
        for (at, (id, member)) in made.iter().zip(&phrase.each).enumerate() {
            // "one big and a small one in front of it".
            let before = at.checked_sub(1).map(|before| vec![made[before].clone()]);
            for place in &member.places {
                self.context.focus.splice(0..0, before.clone());
                self.put(std::slice::from_ref(id), place, false)?;
            }
        }
        Ok(made)
    }
}

/// One of a list with what is told of the whole.
fn with_what_is_told_of_all(mut phrase: Phrase, frame: &Frame) -> Phrase {
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
    phrase
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

/// Whether a place is a side of what was named before: "on top", but no "on the left", which may be the scene's.
fn is_of_anchor(place: &Place) -> bool {
    let side = matches!(
        place.region,
        Some(
            Region::Top
                | Region::Above
                | Region::Under
                | Region::Below
                | Region::Behind
                | Region::Around
        )
    );
    let of_it = |target: &Phrase| matches!(target.head, Head::Pronoun("it"));
    side && place.relation.is_none() && place.target.is_none()
        || place.target.as_deref().is_some_and(of_it)
}

/// "a tree, gifts under it, a star on top": on top of the tree.
fn at_anchor(place: &Place, anchor: &[String]) -> Place {
    let is_told = place.target.is_some() || anchor.is_empty() || !is_of_anchor(place);
    let target = Phrase { plural: anchor.len() > 1, ..Phrase::of(Head::These(anchor.to_vec())) };
    let target = Some(Box::new(target));
    if is_told { place.clone() } else { Place { target, ..place.clone() } }
}
