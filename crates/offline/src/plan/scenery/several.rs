//! Shapes that are told one by one, and small ones among others.

use crate::language::{Noun, Phrase, Place, Relation, ShapeKind, Size};
use crate::plan::acts::variant::in_cubes;
use crate::plan::scenery::template::template;
use crate::plan::{Planner, Problem};
use crate::world::{Form, Thing};

impl Planner {
    /// How much smaller than usual a shape is that is to be "small" where all that stands there is as small as
    /// small ones usually are: smaller than those.
    pub(in crate::plan) fn small_among_others(&self, kind: ShapeKind, phrase: &Phrase) -> f64 {
        let factor = phrase.size.factors.max_element();
        let Ok(plain) = template(kind, &Size::default(), 1.0) else { return 1.0 };
        let usual = plain.bounds().extent();
        if factor >= 1.0 || phrase.size.lengths().next().is_some() {
            return 1.0;
        }
        let alone = |thing: &&Thing| thing.group.is_none() && thing.form().is_some();
        let others: Vec<&Thing> = self.world.objects().filter(alone).collect();
        let mut extents: Vec<f64> = others.iter().map(|thing| thing.bounds().extent()).collect();
        extents.sort_by(f64::total_cmp);
        let common = extents.get(extents.len() / 2).copied().unwrap_or(usual);
        // One small ball after the other: all of them alike.
        let alike = others.iter().all(|thing| thing.type_name() == plain.type_name());
        if others.is_empty() || alike || common > 1.05 * factor * usual {
            return 1.0;
        }
        (common / usual).clamp(0.02, 1.0)
    }

    /// "a ball in front of the dog": one to play with, as large against it as such balls are.
    pub(in crate::plan) fn toy_ball(&self, phrase: &Phrase) -> Option<Phrase> {
        /// Against the height of what it is for.
        const SHARE: f64 = 0.35;
        let ball = phrase.head == Some(Noun::Shape(ShapeKind::Sphere))
            && phrase.words.last().is_some_and(|word| word == "ball")
            && phrase.count.is_none_or(|count| count == 1);
        let plain = phrase.size.is_unsaid() && phrase.name.is_none() && phrase.pattern.is_none();
        let [Place::Relative { relation, target, metres: None }] = phrase.places.as_slice() else {
            return None;
        };
        let beside = matches!(
            relation,
            Relation::Front
                | Relation::Behind
                | Relation::Left
                | Relation::Right
                | Relation::Beside
        );
        if !ball || !plain || !beside {
            return None;
        }
        let ids = self.resolve(target).ok()?;
        self.object_of(&ids)?;
        let height = self.bounds_of(&ids)?.size().y;
        let diameter = (SHARE * height).clamp(0.04, 0.4);
        let mut toy = phrase.clone();
        toy.size.diameter = Some((diameter * 100.0).round() / 100.0);
        let colour = phrase.colours.first().map(|colour| format!("{} ", colour.name));
        toy.name = Some(format!("{}ball", colour.unwrap_or_default()));
        Some(toy)
    }

    /// The form of each of several that are told one by one.
    pub(in crate::plan) fn forms_of_members(
        &self,
        kind: ShapeKind,
        phrase: &Phrase,
        usual: f64,
    ) -> Result<Vec<Form>, Problem> {
        let members = (0..phrase.members.len()).map(|index| phrase.member(index));
        members.map(|own| template(kind, &in_cubes(kind, &own), usual)).collect()
    }
}
