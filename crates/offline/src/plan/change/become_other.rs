//! One thing in the place of another.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Frame, Head, Phrase, Quality};
use crate::looks;
use crate::resolve::Kin;

use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// Things are seldom replaced by what is named without an article.
const UNSURE: f32 = 0.8;

impl Planner<'_> {
    /// "replace the ball by a cube", "turn it into a tree".
    pub(crate) fn become_other(&mut self, frame: &Frame) -> Done {
        // "replace the studio by a sea": of a scene nobody named the things in it.
        if let Some(scene) = frame.theme.iter().find(|phrase| matches!(phrase.head, Head::Theme(_)))
        {
            let words = self.words_of(scene);
            return Err(Stopped(Remark::Missing(words, Box::new(scene.clone()))));
        }
        let ids = self.theme(frame)?;
        let Some(other) = frame.other.first() else { return self.change(frame) };
        if other.is_definite() {
            let swapped = Frame {
                other: frame.other.clone(),
                theme: frame.theme.clone(),
                ..Frame::default()
            };
            return self.swap(&swapped);
        }
        // "for a round one": the object that is called so, where there is one.
        let named = self.object_of_form(&ids, other);
        let other = named.as_ref().unwrap_or(other);
        // "replace the ball by a blue one": only the looks change.
        if matches!(other.head, Head::Thing) && !other.qualities.is_empty() {
            self.change_all(&ids, &other.qualities)?;
            self.focus = ids;
            return Ok(());
        }
        if other.determiner.is_none() && !other.plural {
            self.doubt += UNSURE;
        }
        let mut made = Vec::new();
        for id in ids {
            let state = self.state();
            let world = state.world();
            let Some(old) = world.find(&id) else { continue };
            let (extent, colour) = (old.extent, world.colour(old));
            let was_shape = old.bodies.len() == 1;
            let riders = world.riders(std::slice::from_ref(&id));
            let sized = other.qualities.iter().any(|quality| {
                matches!(
                    quality,
                    Quality::Measured { .. } | Quality::Size { .. } | Quality::Measures(_)
                )
            });
            let coloured = other.qualities.iter().any(|quality| {
                matches!(
                    quality,
                    Quality::Colour(_) | Quality::Material { .. } | Quality::Texture { .. }
                )
            });
            self.take_away(std::slice::from_ref(&id))?;
            let one = Phrase { count: None, plural: false, ..other.clone() };
            let new = self.make_one(&one)?;
            let state = self.state();
            let world = state.world();
            let own = world.extent_of([&new]).unwrap_or(extent);
            // A pyramid is as plain as a cone, whatever it is made of.
            let is_plain = world.find(&new).is_some_and(|new| {
                let materials = world.materials(new);
                materials.iter().all(|(_, material, _)| *material == materials[0].1)
            });
            let is_shape = matches!(other.head, Head::Shape { .. }) || (was_shape && is_plain);
            if is_shape && !sized {
                let factor = extent.size().max_element() / own.size().max_element().max(1e-9);
                self.call("scale", json!({ "ids": [new], "by": factor.clamp(1e-3, 1e3) }))?;
            }
            if is_shape
                && !coloured
                && let Some(rgb) = colour
            {
                self.repaint(&new, &|material| Some(looks::recoloured(material, rgb)))?;
            }
            let own = self.state().world().extent_of([&new]).unwrap_or(extent);
            let foot = |extent: spatial::Extent| extent.center().with_y(extent.min.y);
            self.shift_by(std::slice::from_ref(&new), foot(extent) - foot(own))?;
            let rise = own.size().y - extent.size().y;
            if rise.abs() > 1e-6 {
                self.shift_by(&riders, DVec3::Y * rise)?;
            }
            // "the chairs with stools": one for one, unless a number is told.
            let told = other.count.filter(|count| *count > 1.0 && made.is_empty());
            if let Some(count) = told {
                made.extend(self.copies_of(&new, (count as usize).min(50) - 1)?);
            }
            made.push(new);
        }
        self.made.extend(made.iter().cloned());
        self.focus = made;
        Ok(())
    }

    /// The object that is called by the form that is wished and what the thing is called: a round table.
    fn object_of_form(&self, ids: &[String], other: &Phrase) -> Option<Phrase> {
        let form = other.qualities.iter().find_map(|quality| match quality {
            Quality::Form(form) => Some(*form),
            _ => None,
        })?;
        let state = self.state();
        let world = state.world();
        let kin =
            Kin::of(world.find(ids.first().filter(|_| matches!(other.head, Head::Thing))?)?, world);
        let object = catalogue::catalogue().find(&format!("{form} {}", kin.noun()?))?;
        let head = Head::Object { name: object.name().to_owned(), stands_for: None };
        let is_form = |quality: &Quality| matches!(quality, Quality::Form(_));
        let mut whole = Phrase { head, word: object.name().to_owned(), ..other.clone() };
        whole.qualities.retain(|quality| !is_form(quality));
        Some(whole)
    }
}
