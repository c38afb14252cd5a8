//! Piles: things that stand upon each other, a tower whether or not it was made as one.

use super::Resolver;
use super::unit::Unit;
use crate::world::Thing;

/// How close two faces have to be to touch, in metres.
const TOUCH: f64 = 5e-3;

impl Resolver<'_> {
    /// The pile that was spoken of, or the highest; none where nothing stands upon something.
    pub(super) fn pile(&self) -> Option<Vec<Unit<'_>>> {
        let loose = |thing: &&Thing| !thing.is_light() && !thing.is_floor() && !thing.is_wall();
        let units = Unit::gathered(self.world.things.iter().filter(loose), Thing::assembly);
        let carries = |below: &Unit<'_>, above: &Unit<'_>| {
            let (low, high) = (below.bounds, above.bounds);
            let middle = high.center();
            (high.min.y - low.max.y).abs() < TOUCH
                && (low.min.x..=low.max.x).contains(&middle.x)
                && (low.min.z..=low.max.z).contains(&middle.z)
        };
        let carried = |unit: &Unit<'_>| units.iter().any(|below| carries(below, unit));
        let mut piles: Vec<Vec<Unit<'_>>> = Vec::new();
        for foot in units.iter().filter(|unit| !carried(unit)) {
            let mut pile = vec![foot.clone()];
            let mut at = 0;
            while let Some(below) = pile.get(at).cloned() {
                let above = units.iter().filter(|unit| carries(&below, unit)).cloned();
                pile.extend(above);
                at += 1;
                if pile.len() > units.len() {
                    break;
                }
            }
            if pile.len() > 1 {
                piles.push(pile);
            }
        }
        let spoken_of = |pile: &Vec<Unit<'_>>| {
            let things = pile.iter().flat_map(|unit| &unit.things);
            things.into_iter().any(|thing| self.context.focus.contains(&thing.id))
        };
        let highest = |pile: &Vec<Unit<'_>>| {
            pile.iter().map(|unit| unit.bounds.max.y).fold(f64::NEG_INFINITY, f64::max)
        };
        let chosen = piles.iter().position(spoken_of).or_else(|| {
            let best = piles.iter().enumerate();
            best.max_by(|a, b| highest(a.1).total_cmp(&highest(b.1))).map(|(at, _)| at)
        });
        chosen.map(|at| piles.swap_remove(at))
    }
}
