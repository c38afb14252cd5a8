//! New names for copies.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use scene::{Id, MAX_ID_LENGTH, Scene};

/// The names of a scene, and those given since.
#[derive(Debug)]
pub(crate) struct Names {
    taken: HashSet<String>,
    /// Numbers after a stem that are known to be taken, so that many copies do not each try them all.
    tried: HashMap<String, RangeInclusive<u64>>,
}

impl Names {
    pub(crate) fn of(scene: &Scene) -> Self {
        Self { taken: HashSet::new(), tried: HashMap::new() }.and(scene)
    }

    /// With the names of another scene.
    pub(crate) fn and(mut self, scene: &Scene) -> Self {
        let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
        let lights = scene.lights.iter().map(|light| light.id.as_str());
        self.taken.extend(shapes.chain(lights).chain(scene.group_ids()).map(str::to_owned));
        self
    }

    /// Whether something bears this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes this name if it is free.
    pub(crate) fn take(&mut self, id: &Id) -> bool {
        self.taken.insert(id.as_str().to_owned())
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
        let stem: String = stem.chars().take(MAX_ID_LENGTH - 21).collect();
        let start = first.saturating_add(number.saturating_sub(1));
        let tried = self.tried.get(&stem).filter(|tried| tried.contains(&start));
        let (begin, untried) = match tried {
            Some(tried) => (*tried.start(), tried.end().saturating_add(1)),
            None => (start, start),
        };
        let mut numbered = (untried..=u64::MAX).map(|number| (number, format!("{stem}_{number}")));
        let (number, free) = numbered.find(|(_, name)| !self.taken.contains(name))?;
        self.tried.insert(stem, begin..=number);
        self.taken.insert(free.clone());
        Id::new(&free)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_counted_on_past_all_that_are_taken() {
        let ball = |id: &str| json!({ "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
        let shapes = ["ball", "ball_2", "ball_3", "ball_5", "cup_7"].map(ball);
        let scene = Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap();
        let mut names = Names::of(&scene);
        let mut next = |name: &str, number: u64| {
            names.copy_of(name, number).map(|id| id.as_str().to_owned()).unwrap()
        };
        assert_eq!(next("ball", 2), "ball_4");
        assert_eq!(next("ball", 3), "ball_6");
        assert_eq!(next("ball_2", 2), "ball_7");
        // A number beyond what was tried is taken as it is, and so is one before.
        assert_eq!(next("ball", 20), "ball_20");
        assert_eq!(next("ball", 8), "ball_8");
        assert_eq!(next("ball", 2), "ball_9");
        assert_eq!((next("cup_7", 2), next("cup", 2)), ("cup_8".into(), "cup_2".into()));
    }
}
