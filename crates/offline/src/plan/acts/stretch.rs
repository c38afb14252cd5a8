//! Things laid along others or across them: houses along a street, a beam across two columns.

use glam::DVec3;

use crate::language::{
    Determiner, Noun, Pattern, Phrase, Place, Relation, ShapeKind, Size, Target,
};
use crate::plan::{Planner, Problem};
use crate::world::Bounds;

/// How thick a beam is, of what it spans.
const BEAM: f64 = 0.1;

impl Planner {
    /// "along the street", "across them" in terms of what can be made; none for other places.
    pub(in crate::plan) fn stretched(&self, phrase: &Phrase) -> Result<Option<Phrase>, Problem> {
        let told = phrase.places.iter().enumerate().find_map(|(at, place)| match place {
            Place::Relative { relation, target, metres: None } => {
                let roofs = *relation == Relation::On && self.roofs(phrase, target);
                let stretches = matches!(relation, Relation::Along | Relation::Across) || roofs;
                stretches.then_some((at, *relation, target))
            }
            _ => None,
        });
        let Some((at, relation, target)) = told else { return Ok(None) };
        let ids = self.resolve(target)?;
        let Some(bounds) = self.bounds_of(&ids) else { return Ok(None) };
        let mut made = phrase.clone();
        if relation == Relation::On {
            if let Some(Noun::Later(word)) = &phrase.head {
                made.name = made.name.or(Some(word.clone()));
            }
            made.head = Some(Noun::Shape(ShapeKind::Box));
            made.size = Size::default();
        }
        if relation == Relation::Along {
            self.lay_along(&mut made, at, target, bounds);
        } else {
            span(&mut made, at, target, bounds);
        }
        Ok(Some(made))
    }

    /// "a flat roof on top of the columns": what lies flat on several things that are as high as each other.
    fn roofs(&self, phrase: &Phrase, target: &Target) -> bool {
        const FLAT: [&str; 9] =
            ["flat", "slab", "roof", "board", "plank", "lid", "ceiling", "deck", "plate"];
        let lies = phrase
            .words
            .iter()
            .chain(&phrase.name)
            .any(|word| word.split([' ', '_']).any(|word| FLAT.contains(&word)));
        let shape = match &phrase.head {
            Some(Noun::Shape(ShapeKind::Box)) => true,
            Some(Noun::Later(word)) => FLAT.contains(&word.as_str()),
            _ => false,
        };
        let new =
            phrase.determiner != Determiner::The && phrase.count.is_none_or(|count| count == 1);
        if !lies || !shape || !new || phrase.size.lengths().next().is_some() {
            return false;
        }
        let ids = self.resolve(target).unwrap_or_default();
        let units = self.wholes(&ids);
        let tops: Vec<f64> =
            units.iter().filter_map(|unit| Some(self.bounds_of(unit)?.max.y)).collect();
        let highest = tops.iter().copied().fold(f64::MIN, f64::max);
        tops.len() > 1 && tops.iter().all(|top| highest - top < 0.05)
    }

    /// A row behind what lies across the picture, a file beside what leads into it.
    fn lay_along(&self, made: &mut Phrase, at: usize, target: &Target, bounds: Bounds) {
        let size = bounds.size();
        let right = self.world.camera.right().abs();
        let crosswise = size.dot(right) >= size.dot(self.world.camera.towards().abs());
        let many = made.plural || made.count.is_some_and(|count| count > 1);
        if many && made.pattern.is_none() {
            made.pattern = Some(if crosswise { Pattern::Row } else { Pattern::Column });
        }
        let wall = matches!(target.0.as_slice(), [only] if only.head == Some(Noun::Wall));
        let relation = match (wall, crosswise) {
            (true, _) => Relation::Against,
            (false, true) => Relation::Behind,
            (false, false) => Relation::Left,
        };
        made.places[at] = Place::Relative { relation, target: target.clone(), metres: None };
    }
}

/// As long as what it spans, on top of it.
fn span(made: &mut Phrase, at: usize, target: &Target, bounds: Bounds) {
    let size = bounds.size();
    let beam = made.head == Some(Noun::Shape(ShapeKind::Box));
    if beam && made.size.is_unsaid() {
        let along_x = size.x >= size.z;
        let thickness = (BEAM * size.x.max(size.z)).max(0.02);
        let breadth = size.x.min(size.z).max(thickness);
        made.size.width = Some(if along_x { size.x } else { breadth });
        made.size.depth = Some(if along_x { breadth } else { size.z });
        made.size.height = Some(thickness);
        let middle = bounds.center().with_y(bounds.max.y + thickness / 2.0);
        made.places[at] = Place::At(DVec3::new(middle.x, middle.y, middle.z));
    } else {
        made.places[at] =
            Place::Relative { relation: Relation::On, target: target.clone(), metres: None };
    }
}
