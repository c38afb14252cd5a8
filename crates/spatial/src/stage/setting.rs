//! Where a stage seems to be: in a gray studio, or on a lawn under the sky.

use std::collections::HashMap;

use catalogue::catalogue;
use scene::{Environment, stem};
use serde_json::json;

use crate::solid::Solid;
use crate::space::Space;

use super::own::own;

/// The kinds of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Studio,
    Outdoors,
}

/// What is smaller, in metres, is a toy or an ornament wherever its likes are at home.
const TOY: f64 = 0.35;

/// What makes the difference between settings, all linear.
pub(super) struct Look {
    /// Reflectance of the ground.
    pub(super) ground: [f64; 3],
    /// What the key light emits.
    pub(super) key: [f64; 3],
    /// What the fill light emits.
    pub(super) fill: [f64; 3],
    /// The backdrop straight above.
    top: [f64; 3],
    /// The backdrop straight below.
    bottom: [f64; 3],
}

impl Setting {
    pub(super) const ALL: [Self; 2] = [Self::Studio, Self::Outdoors];

    /// The setting for what is to be seen: outdoors where anything of it is at home there.
    pub(super) fn of(space: &Space<'_>) -> Self {
        // Of many copies each name is looked up once.
        let mut kinds: HashMap<&str, bool> = HashMap::new();
        let mut units: HashMap<&str, Vec<&Solid>> = HashMap::new();
        for body in own(space) {
            let name = body.group().map_or(body.id, |group| group.as_str());
            if *kinds.entry(stem(name)).or_insert_with_key(|kind| is_outdoors(kind)) {
                units.entry(name).or_default().push(&body.solid);
            }
        }
        let outdoors = units.values().any(|solids| {
            let whole = Solid::union(solids.iter().copied());
            whole.is_some_and(|whole| whole.extent().size().max_element() >= TOY)
        });
        if outdoors { Self::Outdoors } else { Self::Studio }
    }

    pub(super) fn look(self) -> Look {
        match self {
            // The ground is as bright far away as the backdrop at the horizon: 0.7 * (5/6 top + 1/6 bottom) =
            // (top + bottom) / 2, so that no line parts the two.
            Self::Studio => Look {
                ground: [0.7, 0.7, 0.7],
                key: [6.2, 6.0, 5.6],
                fill: [0.9, 0.95, 1.05],
                top: [0.46, 0.5, 0.55],
                bottom: [0.1, 0.109, 0.12],
            },
            // Grass under a clear sky: the sun is warm and strong, and the sky fills the shadows.
            Self::Outdoors => Look {
                ground: [0.17, 0.27, 0.08],
                key: [10.5, 9.9, 8.8],
                fill: [0.5, 0.55, 0.65],
                top: [0.4, 0.58, 0.9],
                bottom: [0.7, 0.78, 0.86],
            },
        }
    }

    /// What lies behind, and lights a little from all around.
    pub(super) fn backdrop(self) -> Option<Environment> {
        let Look { top, bottom, .. } = self.look();
        let backdrop = json!({ "type": "gradient", "top_color": top, "bottom_color": bottom });
        Environment::from_json(&backdrop).ok()
    }

    /// The setting whose backdrop this is.
    pub(super) fn of_backdrop(environment: &Environment) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.backdrop().as_ref() == Some(environment))
    }
}

/// Whether what bears a name of this stem is at home under the sky. English says last what a thing is: an old oak tree
/// is a tree, a tree house is a house.
fn is_outdoors(stem: &str) -> bool {
    let words: Vec<&str> = stem.split('_').collect();
    let ends = (0..words.len()).map(|from| words[from..].join(" "));
    let known =
        ends.filter_map(|end| catalogue().find(&end).or_else(|| catalogue().stand_in(&end)));
    known.take(1).any(|object| object.is_outdoors())
}
