//! What places are told by, made where it is not there yet.

use crate::frames::{Act, Frame, Head, Phrase, Place, Relation};

use super::planner::{Done, Planner, Remark, Stopped};
use super::targets::{SETTING, object_called};

impl Planner<'_> {
    /// The places that things are moved to; what is not there yet is made where they stand: "put it on a
    /// pedestal".
    pub(crate) fn places_to_go(
        &mut self,
        places: &[Place],
        from: Option<glam::DVec3>,
        made: &mut Vec<String>,
    ) -> Done<Vec<Place>> {
        let mut known = Vec::new();
        for place in places {
            // A part of something is not what "a box" means.
            let state = self.state();
            let world = state.world();
            let is_part = |id: &String| world.find(id).is_some_and(|thing| thing.part_of.is_some());
            let is_missing = |target: &Phrase| {
                !target.is_definite()
                    && match self.find(target) {
                        Ok(found) => found.iter().all(is_part),
                        Err(Stopped(remark)) => matches!(remark, Remark::Missing(..)),
                    }
            };
            let makes = place.target.as_deref().is_some_and(is_missing);
            if !makes {
                known.push(place.clone());
                continue;
            }
            let before = made.len();
            known.extend(self.make_targets(vec![place.clone()], made)?);
            let new = made[before..].to_vec();
            let carries = matches!(place.relation, Some(Relation::On | Relation::Inside));
            if let (Some(from), Some(own), true) = (from, self.extent_of(&new), carries) {
                self.shift_by(&new, (from - own.center()).with_y(0.0))?;
            }
        }
        Ok(known)
    }

    /// "a mug on a desk beside a laptop": the laptop is on the desk, too, where that carries such things.
    fn shared_carrier(
        &self,
        before: &Option<Place>,
        relation: Option<Relation>,
        made: &[String],
    ) -> Option<Place> {
        let before = before.as_ref().filter(|place| place.relation == Some(Relation::On))?;
        let is_beside = matches!(
            relation,
            Some(
                Relation::NextTo
                    | Relation::LeftOf
                    | Relation::RightOf
                    | Relation::InFrontOf
                    | Relation::Behind
            )
        );
        let carrier = self.find(before.target.as_deref()?).ok().filter(|_| is_beside)?;
        let (own, target) = (self.extent_of(made)?, self.extent_of(&carrier)?);
        self.bears(&carrier, own, target).then(|| before.clone())
    }

    /// Makes what things are to be put on where it is not there yet: "a ball on a table".
    pub(crate) fn make_targets(
        &mut self,
        places: Vec<Place>,
        made_now: &mut Vec<String>,
    ) -> Done<Vec<Place>> {
        let mut known: Vec<Place> = Vec::new();
        for mut place in places {
            let place_before = known.last().cloned();
            for target in [&mut place.target, &mut place.other] {
                let Some(phrase) = target.as_deref() else { continue };
                let mut phrase = phrase.clone();
                // "on the roof of a house": the house is made first.
                if let Some(whole) = phrase.part_of.take() {
                    phrase.part_of = Some(match whole.is_definite() {
                        true => whole,
                        false => {
                            let made = self.make(&whole)?;
                            let made = self.settle_new(&whole, made, &[], &[])?;
                            made_now.extend(made.iter().cloned());
                            match made.first() {
                                Some(id) => Box::new(crate::plan::make::objects::named(id)),
                                None => whole,
                            }
                        }
                    });
                    *target = Some(Box::new(phrase));
                    continue;
                }
                if phrase.is_definite() && !self.is_missing_setting(&phrase) {
                    continue;
                }
                // "at the foot of the mountains", "on the moon": of scenes the thing of that name.
                if let Head::Theme(_) = phrase.head
                    && let Some(object) = object_called(&phrase.word)
                {
                    phrase.head = Head::Object { name: object, stands_for: None };
                }
                // "traffic lights in the middle of a desert": the whole scene is made.
                if let (Head::Theme(_), false) = (&phrase.head, phrase.is_definite()) {
                    let theme = vec![phrase.clone()];
                    self.stage(&Frame { act: Some(Act::Create), theme, ..Frame::default() })?;
                    *target = None;
                    continue;
                }
                if phrase.is_definite() {
                    let is_scenery = matches!(phrase.head, Head::Scenery(_));
                    self.doubt += if is_scenery { 0.0 } else { SETTING };
                    phrase.determiner = None;
                }
                let scenery = matches!(phrase.head, Head::Scenery(_));
                let made = if scenery
                    || self.is_lamp(&phrase)
                    || matches!(
                        phrase.head,
                        Head::Object { .. } | Head::Shape { .. } | Head::Built(_) | Head::Part(_)
                    ) {
                    let own = self.make_targets(phrase.at.clone(), made_now)?;
                    let made = self.make(&phrase)?;
                    if made.is_empty() {
                        self.context.focus.first().cloned().unwrap_or_default()
                    } else {
                        let own = match self.shared_carrier(&place_before, place.relation, &made) {
                            Some(carrier) if own.is_empty() => vec![carrier],
                            _ => own,
                        };
                        self.settle_new(&phrase, made, &own, &[])?
                    }
                } else {
                    continue;
                };
                self.make_faced(&mut phrase, &made, made_now)?;
                self.look_at_target(&phrase, &made)?;
                self.add_company(&phrase, &made)?;
                if let Some(id) = made.first() {
                    made_now.extend(made.iter().cloned());
                    let known = crate::plan::make::objects::named(id);
                    let head = Head::These(made.clone());
                    *target = Some(Box::new(Phrase { head, plural: made.len() > 1, ..known }));
                }
            }
            known.push(place);
        }
        Ok(known)
    }
}
