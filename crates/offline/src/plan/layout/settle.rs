//! New things in the places that are told of them, or where there is room.

use serde_json::json;

use crate::frames::{Layout, Phrase, Place, Quality, Region};
use crate::plan::planner::{Done, Planner};

use super::joined::{is_beside, joined};
use super::spot::is_free;

impl Planner<'_> {
    /// Puts new things where they are wished, or where there is room. What nobody gave a size is made
    /// to fit.
    pub(crate) fn settle_new(
        &mut self,
        phrase: &Phrase,
        ids: Vec<String>,
        places: &[Place],
        beside: &[String],
    ) -> Done<Vec<String>> {
        let sized = phrase.qualities.iter().any(|quality| {
            matches!(
                quality,
                Quality::Measured { .. }
                    | Quality::Measures(_)
                    | Quality::Scaled { .. }
                    | Quality::Same { .. }
            )
        });
        let is_shape = matches!(phrase.head, crate::frames::Head::Shape { .. });
        let places: Vec<Place> = places
            .iter()
            .filter(|place| {
                place.region != Some(Region::Here)
                    || place.target.is_some()
                    || self.context.gone.is_some()
            })
            .cloned()
            .collect();
        let is_strewn = phrase.pattern.layout == Some(Layout::Scatter);
        if places.is_empty() && is_strewn && self.strew_in_room(&ids)? {
            return Ok(ids);
        }
        if places.is_empty() {
            match beside.last().filter(|last| !self.hangs_free(last)) {
                Some(last) => {
                    let args =
                        json!({ "ids": ids, "relation": "right_of", "to": [last], "gap": 0.2 });
                    self.call("place", args)?;
                    let state = self.state();
                    let world = state.world();
                    let clear =
                        world.extent_of(&ids).is_none_or(|extent| is_free(world, extent, &ids));
                    if !clear {
                        self.put_free(&ids, None)?;
                    } else {
                        self.let_down(ids.get(..1).unwrap_or_default())?;
                    }
                }
                None => self.put_free(&ids, None)?,
            }
            return Ok(ids);
        }
        // Against a wall it goes last, from where the other places took it.
        let mut places = joined(&places);
        places.sort_by_key(|place| self.walls_of(place).is_some());
        for (at, place) in places.iter().enumerate() {
            if at == 0 && is_shape && !sized {
                self.make_fit(&ids, place)?;
            }
            if phrase.pattern.layout == Some(Layout::Scatter) && self.strew(&ids, place)? {
                continue;
            }
            // "on a cliff by the sea": the cliff is by the sea.
            let carrier = at.checked_sub(1).and_then(|before| self.new_carrier(&places[before]));
            match carrier.filter(|carrier| is_beside(place) && !self.rides(place, carrier)) {
                Some(mut whole) => {
                    whole.extend(ids.iter().cloned());
                    self.put(&whole, place, true)?;
                }
                None => self.put(&ids, place, at == 0)?,
            }
        }
        Ok(ids)
    }
}
