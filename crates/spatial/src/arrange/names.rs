//! New names for copies.

use std::collections::HashSet;

use scene::{Id, LONGEST_ID, Scene};

/// The names of a scene, and those given since.
#[derive(Debug)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    pub(crate) fn of(scene: &Scene) -> Self {
        let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
        let lights = scene.lights.iter().map(|light| light.id.as_str());
        Self(shapes.chain(lights).chain(scene.group_ids()).map(str::to_owned).collect())
    }

    /// `ball_2` for the second copy of `ball`, or the next number that is free; a number at the end
    /// of the name is counted on.
    pub(crate) fn copy_of(&mut self, name: &str, number: u64) -> Option<Id> {
        let digits = name.len() - name.trim_end_matches(|end: char| end.is_ascii_digit()).len();
        let (stem, first) = match name[..name.len() - digits].strip_suffix('_') {
            Some(stem) if digits > 0 && !stem.is_empty() => {
                (stem, name[name.len() - digits..].parse::<u64>().unwrap_or(1))
            }
            _ => (name, 1),
        };
        // Long names lose their end, not the number.
        let stem: String = stem.chars().take(LONGEST_ID - 21).collect();
        let start = first.saturating_add(number.saturating_sub(1));
        let free = (start..=u64::MAX)
            .map(|number| format!("{stem}_{number}"))
            .find(|name| !self.0.contains(name))?;
        self.0.insert(free.clone());
        Id::new(&free)
    }
}
