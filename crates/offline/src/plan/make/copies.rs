//! More of what is there.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Frame, Phrase, Quality};
use crate::resolve::{Sides, World};

use crate::plan::planner::{Done, Planner};

impl Planner<'_> {
    /// "make two copies of the box to its left".
    pub(crate) fn copy(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let count = frame.count.map_or(1, |count| count.max(1.0) as usize).min(200);
        let mut made = Vec::new();
        for id in &ids {
            let copies = self.copies_of(id, count)?;
            if frame.places.is_empty() && frame.shift.is_none() {
                made.extend(copies);
                continue;
            }
            for place in &frame.places {
                self.put(&copies, place, true)?;
            }
            if let Some(shift) = &frame.shift {
                let moved = Frame { act: None, shift: Some(shift.clone()), ..Frame::default() };
                self.context.focus.insert(0, copies.clone());
                self.move_things(&moved)?;
            }
            made.extend(copies);
        }
        self.made.extend(made.iter().cloned());
        self.focus = made;
        Ok(())
    }

    /// Copies of a thing side by side, the next one to its right.
    pub(in crate::plan) fn copies_of(&mut self, id: &str, count: usize) -> Done<Vec<String>> {
        let scene = self.scene();
        let world = World::of(&scene);
        let sides = Sides::of(&scene);
        let size = world.find(id).map_or(DVec3::ONE, |thing| thing.extent.size());
        let mut known: Vec<String> = world.wholes().map(|thing| thing.id.clone()).collect();
        drop(world);
        let step = size.x.max(1e-3) * 1.2 + 0.05;
        let mut made = Vec::new();
        for at in 1..=count {
            let offset = sides.right * step * at as f64;
            self.call("duplicate", json!({ "ids": [id], "offset": offset.to_array() }))?;
            let new: Vec<String> = self.since(&known, id).into_iter().skip(1).collect();
            let scene = self.scene();
            let world = World::of(&scene);
            let clear = world
                .extent_of(&new)
                .is_none_or(|extent| crate::plan::layout::spot::is_free(&world, extent, &new));
            drop(world);
            if !clear {
                self.put_free(&new, None)?;
            }
            known.extend(new.iter().cloned());
            made.extend(new);
        }
        Ok(made)
    }

    /// As many more as a description says of what `models` are, with its own qualities.
    pub(crate) fn more_of(&mut self, models: &[String], phrase: &Phrase) -> Done<Vec<String>> {
        let Some(model) = models.first() else { return Ok(Vec::new()) };
        let count = if phrase.count.is_some() || phrase.plural { phrase.number() } else { 1 };
        let made = self.copies_of(model, count.max(1))?;
        let qualities: Vec<Quality> = phrase.qualities.clone();
        self.change_all(&made, &qualities)?;
        Ok(made)
    }
}
