//! Two things that exchange their colours, materials or places.

use crate::language::{Exchanged, Target};
use crate::plan::{Done, Planner, Problem};
use crate::resolve::Lost;
use crate::world::{Body, Material, Thing};

impl Planner {
    /// Gives each of two things what the other has.
    pub(crate) fn exchange(&mut self, target: &Target, what: Exchanged) -> Done {
        let mut ids = self.resolve(target)?;
        if self.wholes(&ids).len() > 2 {
            ids = self.picked(&ids, target)?;
        }
        if let ([one, other], Exchanged::Position) = (self.wholes(&ids).as_slice(), what)
            && one.len() + other.len() > 2
        {
            self.swap_places(one, other);
            self.context.focus = ids;
            return Ok(());
        }
        if let ([one, other], Exchanged::Colour | Exchanged::Material) =
            (self.wholes(&ids).as_slice(), what)
            && one.len() + other.len() > 2
        {
            self.swap_looks(one, other, what)?;
            self.context.focus = ids;
            return Ok(());
        }
        let [first, second] = ids.as_slice() else {
            return Err(Problem::Cannot(format!(
                "I can swap two things, but I found {}: {}.",
                ids.len(),
                crate::answer::list(&ids)
            )));
        };
        match what {
            Exchanged::Colour => {
                let (one, other) = (self.colour_of(first)?, self.colour_of(second)?);
                self.dress(first, |material| material.coloured(other));
                self.dress(second, |material| material.coloured(one));
            }
            Exchanged::Material => {
                let (one, other) = (self.material_of(first)?, self.material_of(second)?);
                self.dress(first, |_| other.clone());
                self.dress(second, |_| one.clone());
            }
            Exchanged::Position if self.swap_in_pile(first, second) => {}
            Exchanged::Position => {
                let foot = |id: &String| self.world.find(id).map(|thing| thing.bounds().foot());
                if let (Some(one), Some(other)) = (foot(first), foot(second)) {
                    for (id, by) in [(first, other - one), (second, one - other)] {
                        if let Some(thing) = self.world.find_mut(id) {
                            thing.moved(by);
                        }
                    }
                }
            }
        }
        self.context.focus = ids;
        Ok(())
    }

    /// Each of two objects in what the other is painted with.
    fn swap_looks(&mut self, one: &[String], other: &[String], what: Exchanged) -> Done {
        let (one, other) = (self.painted(one), self.painted(other));
        let (Some(first), Some(second)) = (one.first(), other.first()) else { return Ok(()) };
        if what == Exchanged::Colour {
            let (here, there) = (self.colour_of(first)?, self.colour_of(second)?);
            one.iter().for_each(|id| self.dress(id, |material| material.coloured(there)));
            other.iter().for_each(|id| self.dress(id, |material| material.coloured(here)));
        } else {
            let (here, there) = (self.material_of(first)?, self.material_of(second)?);
            one.iter().for_each(|id| self.dress(id, |_| there.clone()));
            other.iter().for_each(|id| self.dress(id, |_| here.clone()));
        }
        Ok(())
    }

    /// Each of two objects to where the other stood.
    fn swap_places(&mut self, one: &[String], other: &[String]) {
        let (Some(here), Some(there)) = (self.bounds_of(one), self.bounds_of(other)) else {
            return;
        };
        let by = there.foot() - here.foot();
        for thing in &mut self.world.things {
            if one.contains(&thing.id) {
                thing.moved(by);
            } else if other.contains(&thing.id) {
                thing.moved(-by);
            }
        }
    }

    /// Which two of more, as the person answers when asked.
    fn picked(&self, ids: &[String], target: &Target) -> Result<Vec<String>, Problem> {
        let names = self.names_of(ids);
        let words = target.0.first().map_or_else(String::new, crate::language::Phrase::text);
        match &self.context.answer {
            Some(answer) => self.resolve(answer),
            None => Err(Lost::Ambiguous(words, names).into()),
        }
    }

    /// Two things of which one stands on the other: what was above is below, and the other on it.
    fn swap_in_pile(&mut self, first: &str, second: &str) -> bool {
        let bounds = |planner: &Self, id: &str| planner.world.find(id).map(Thing::bounds);
        let (Some(one), Some(two)) = (bounds(self, first), bounds(self, second)) else {
            return false;
        };
        let upon = |above: crate::world::Bounds, below: crate::world::Bounds| {
            let apart = (above.center() - below.center()).with_y(0.0);
            (above.min.y - below.max.y).abs() < 0.01 && apart.length() < below.extent()
        };
        let (lower, upper) = if upon(two, one) {
            ((first, one), (second, two))
        } else if upon(one, two) {
            ((second, two), (first, one))
        } else {
            return false;
        };
        let down = lower.1.foot() - upper.1.foot();
        let up = lower.1.foot() + glam::DVec3::Y * upper.1.size().y - lower.1.foot();
        for (id, by) in [(upper.0, down), (lower.0, up)] {
            if let Some(thing) = self.world.find_mut(id) {
                thing.moved(by);
            }
        }
        true
    }

    fn dress(&mut self, id: &str, look: impl Fn(&Material) -> Material) {
        if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(id) {
            *material = look(material);
        }
    }

    fn material_of(&self, id: &str) -> Result<Material, Problem> {
        let material = self.world.find(id).and_then(Thing::material).cloned();
        material.ok_or_else(|| Problem::Cannot(format!("{id} is a light; it has no material.")))
    }

    fn colour_of(&self, id: &str) -> Result<glam::DVec3, Problem> {
        let colour = self.material_of(id)?.colour();
        colour.ok_or_else(|| Problem::Cannot(format!("{id} has no colour of its own to swap.")))
    }
}
