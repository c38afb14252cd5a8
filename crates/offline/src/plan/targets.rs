//! What things are put on when it is not there yet, and parts that are no things of their own.

use crate::frames::{Act, Frame, Head, Phrase, Place, Quality, Region, Relation};

use super::planner::{Done, Planner, Remark, Stopped};

/// What it costs to make what was said to be there.
pub(super) const SETTING: f32 = 0.8;

/// The object of the catalogue that is called by a word or its singular.
pub(super) fn object_called(word: &str) -> Option<String> {
    let words = crate::resolve::singulars(word);
    let mut objects = words.iter().filter_map(|word| catalogue::catalogue().find(word));
    objects.next().map(|object| object.name().to_owned())
}

impl Planner<'_> {
    /// "the solar system", "show me the moon": what is only named, or to be seen, and is not there, is made.
    pub(super) fn named_setting(&mut self, frame: &Frame) -> Option<Frame> {
        let is_look = frame.act == Some(Act::Camera);
        let named = match (frame.act, frame.theme.as_slice(), frame.view.look.as_slice()) {
            (None, [named, ..], _) => named,
            (_, _, [named]) if is_look && frame.view.zoom.is_none() => named,
            _ => return None,
        };
        // Of a word that may be mistyped nobody knows what is meant.
        let is_spelt = self.words_of(named).to_lowercase().contains(&named.word);
        // "a macro of a strawberry": of a new one.
        let is_new = || {
            let makes =
                matches!(named.head, Head::Object { .. } | Head::Shape { .. } | Head::Theme(_));
            is_look && makes && !named.is_definite() && self.find(named).is_err()
        };
        if !is_spelt || !(self.is_missing_setting(named) || is_new()) {
            return None;
        }
        self.doubt += SETTING;
        let mut theme = vec![Phrase { determiner: None, ..named.clone() }];
        theme.extend(frame.theme.iter().skip(1).cloned());
        let (places, tokens) = (frame.places.clone(), frame.tokens);
        Some(Frame { act: Some(Act::Create), theme, places, tokens, ..Frame::default() })
    }

    /// "The sun, the earth and the moon in a row" where there is nothing yet: what is spoken of as known is made first.
    pub(super) fn made_first(&mut self, frame: &Frame) -> Done {
        let is_told = match frame.act {
            Some(Act::Move) => !frame.places.is_empty(),
            Some(Act::Arrange | Act::Align | Act::Distribute | Act::Face) => true,
            _ => false,
        };
        let is_bare = self.state().world().contents().next().is_none();
        if !is_told || !is_bare || !frame.theme.iter().all(|phrase| self.is_missing_setting(phrase))
        {
            return Ok(());
        }
        self.doubt += SETTING;
        let new = |phrase: &Phrase| Phrase { determiner: None, ..phrase.clone() };
        let theme = frame.theme.iter().map(new).collect();
        self.create(&Frame { act: Some(Act::Create), theme, ..Frame::default() })
    }

    /// Whether a thing that is spoken of as known is not there and can be made: "by the sea".
    pub(super) fn is_missing_setting(&self, phrase: &Phrase) -> bool {
        // Where there is nothing yet, nothing else can be meant: "two chairs under the tall trees".
        let is_back = matches!(phrase.head, Head::Scenery("wall"))
            && matches!(phrase.superlative, Some("back" | "far"));
        let is_picked = phrase.superlative.is_some() && !is_back
            || phrase.ordinal.is_some()
            || phrase.age.is_some()
            || phrase.part_of.is_some()
            || phrase.other
            || phrase.qualities.iter().any(is_measure);
        let is_first = !is_picked && self.known.world().contents().next().is_none();
        let is_bare = (phrase.is_bare() || is_back) && phrase.count.is_none() && !phrase.plural;
        let is_bare = is_bare || is_first;
        // "two tyres on the wall".
        let is_wall = matches!(phrase.head, Head::Scenery("wall"));
        let is_shape = is_first && matches!(phrase.head, Head::Shape { .. } | Head::Light(_));
        let is_thing =
            is_wall || is_shape || matches!(phrase.head, Head::Object { .. } | Head::Theme(_));
        is_bare
            && is_thing
            && phrase.determiner == Some(crate::frames::Determiner::Definite)
            && (is_wall
                || is_shape
                || matches!(phrase.head, Head::Object { .. })
                || object_called(&phrase.word).is_some())
            && matches!(self.find(phrase), Err(Stopped(Remark::Missing(..))))
    }

    /// "i want three pigs" where one was spoken of: two more like it.
    pub(super) fn what_lacks(&self, theme: Vec<Phrase>) -> Vec<Phrase> {
        let lacking = |phrase: Phrase| {
            let Some(count) = phrase.count.filter(|_| phrase.at.is_empty()) else { return phrase };
            let all = Phrase { count: None, plural: true, of_them: None, ..phrase.clone() };
            let there = match phrase.head {
                Head::Thing => self.find(&Phrase::it()),
                _ => self.find(&all),
            };
            let there = there.unwrap_or_default();
            let spoken = there.first().is_some_and(|one| {
                self.context.focus.first().is_some_and(|last| last.contains(one))
            });
            let lacks = count - there.len() as f64;
            if !spoken || lacks < 1.0 {
                return phrase;
            }
            let like = Some(Box::new(crate::plan::make::objects::named(&there[0])));
            Phrase { count: Some(lacks), head: Head::Thing, like, of_them: None, ..phrase }
        };
        theme.into_iter().map(lacking).collect()
    }

    /// "three are enough", "fewer lemons, only two", "double the tables": what is more than that is taken away, what
    /// lacks is made. What is left to make, and what is there.
    pub(super) fn exactly(
        &mut self,
        theme: Vec<Phrase>,
        frame: &Frame,
    ) -> Done<(Vec<Phrase>, Vec<String>)> {
        let (mut whole, mut stays) = (Vec::new(), Vec::new());
        let theme = match frame.number {
            Some(_) if theme.is_empty() => vec![Phrase::them()],
            _ => theme,
        };
        for phrase in theme {
            let told = phrase.count.or(frame.count).map(|count| count.max(0.0) as usize);
            if told.is_none() && frame.number.is_none() {
                whole.push(phrase);
                continue;
            }
            let all = Phrase {
                count: None,
                plural: true,
                determiner: Some(crate::frames::Determiner::All),
                at: Vec::new(),
                ..phrase.clone()
            };
            let found = self.find(&all);
            let there = if frame.number.is_some() { found? } else { found.unwrap_or_default() };
            let count = frame.number.map(|number| number.of(there.len())).or(told).unwrap_or(1);
            if there.is_empty() {
                whole.push(Phrase { count: Some(count as f64), plural: count > 1, ..phrase });
                continue;
            }
            if there.len() > count {
                self.take_away(&there[count..])?;
                self.context.gone = None;
                self.context.focus.insert(0, there[..count].to_vec());
            } else if there.len() < count {
                let like = Some(Box::new(crate::plan::make::objects::named(&there[0])));
                let count = Some((count - there.len()) as f64);
                whole.push(Phrase { count, head: Head::Thing, like, of_them: None, ..phrase });
            }
            stays.extend(there.into_iter().take(count));
        }
        Ok((whole, stays))
    }

    /// "a ball on each of them": one for each; "a lamp at each end": as many as there are ends.
    pub(super) fn one_for_each(&self, theme: &[Phrase], places: &[Place]) -> Done<Vec<Phrase>> {
        let mut whole: Vec<Phrase> = Vec::new();
        for phrase in theme {
            let own = if phrase.at.is_empty() { places } else { &phrase.at };
            let single = phrase.count.is_none() && !phrase.plural;
            let sides = own.iter().find_map(|place| match (place.relation, place.region) {
                (Some(Relation::Flanking | Relation::Ends), _) | (_, Some(Region::Flanking)) => {
                    Some(2.0)
                }
                (Some(Relation::Corners), _) => Some(4.0),
                _ => None,
            });
            let each = own.iter().position(|place| {
                place.target.as_ref().is_some_and(|target| target.singly && target.is_definite())
            });
            match (each, sides) {
                (Some(at), _) => {
                    let target = own[at].target.as_deref().cloned().unwrap_or_else(Phrase::it);
                    // "three shelves, five jars on each": of those that are asked for together with it.
                    if let Some(owner) = whole.iter_mut().rfind(|owner| means(&target, owner)) {
                        let mut company = Phrase { at: own.to_vec(), ..phrase.clone() };
                        company.at[at].target = Some(Box::new(Phrase::it()));
                        owner.with.push(company);
                        continue;
                    }
                    let all = self.find(&Phrase { plural: true, ..target })?;
                    for id in self.tops_of(all) {
                        let mut places = own.to_vec();
                        places[at].target = Some(Box::new(crate::plan::make::objects::named(&id)));
                        whole.push(Phrase { at: places, ..phrase.clone() });
                    }
                }
                (None, Some(count)) if single => {
                    let mut told = phrase.clone();
                    told.at.iter_mut().for_each(|place| place.each_side = false);
                    whole.push(Phrase { count: Some(count), plural: true, ..told });
                }
                _ => whole.push(phrase.clone()),
            }
        }
        Ok(whole)
    }

    /// "a flag on every tower" of a castle: of parts that stand on each other, the highest.
    fn tops_of(&self, ids: Vec<String>) -> Vec<String> {
        let state = self.state();
        let world = state.world();
        let parts: Vec<_> = ids.iter().filter_map(|id| world.find(id)).collect();
        if parts.len() < ids.len() || parts.iter().any(|part| part.part_of.is_none()) {
            return ids;
        }
        let mut tops: Vec<(spatial::Extent, &crate::resolve::Thing)> = Vec::new();
        let mut by_width = parts.clone();
        let width = |extent: spatial::Extent| extent.size().x.max(extent.size().z);
        by_width.sort_by(|one, other| width(other.extent).total_cmp(&width(one.extent)));
        for part in by_width {
            let over = |extent: &spatial::Extent| {
                let apart = (extent.center() - part.extent.center()).abs();
                apart.x.max(apart.z) < 0.5 * (width(*extent) + width(part.extent))
            };
            match tops.iter_mut().find(|(whole, _)| over(whole)) {
                // What is slender, as a mast, carries nothing.
                Some((whole, top)) => {
                    let carries = width(part.extent) > 0.4 * width(*whole);
                    if carries && part.extent.max.y > top.extent.max.y {
                        *top = part;
                    }
                }
                None => tops.push((part.extent, part)),
            }
        }
        tops.into_iter().map(|(_, top)| top.id.clone()).collect()
    }

    /// "a tree with a brown trunk and a green crown": the crown is the tree's.
    pub(super) fn with_own_parts(&self, theme: &[Phrase]) -> Vec<Phrase> {
        let mut whole: Vec<Phrase> = Vec::new();
        for phrase in theme {
            let owner = whole.last_mut().filter(|owner| {
                let Head::Object { name, .. } = &owner.head else { return false };
                let object = catalogue::catalogue().find(name);
                (!owner.with.is_empty() || matches!(phrase.head, Head::Part(_)))
                    && phrase.at.is_empty()
                    && object.is_some_and(|object| {
                        crate::plan::make::objects::is_part_of(object, phrase)
                    })
            });
            match owner {
                Some(owner) => owner.with.push(phrase.clone()),
                None => whole.push(phrase.clone()),
            }
        }
        whole
    }
}

/// What is measured is seldom what something else is told by: "a rocket on the launch pad, 12 m tall".
fn is_measure(quality: &Quality) -> bool {
    matches!(quality, Quality::Measured { .. } | Quality::Measures(_))
}

/// Whether what is told of each is told of several that are asked for before: "on each", "on each table".
fn means(target: &Phrase, owner: &Phrase) -> bool {
    let is_any = matches!(target.head, Head::Everything { .. } | Head::Pronoun(_));
    let is_called = || {
        let called = |word: &String| word.split(' ').next_back() == Some(target.word.as_str());
        crate::resolve::singulars(&owner.word).iter().any(called)
    };
    owner.plural && (is_any || is_called())
}
