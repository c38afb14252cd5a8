//! Two things that exchange their colours, materials or places.

use super::{Done, Planner, Problem};
use crate::language::{Exchanged, Target};
use crate::world::{Body, Material, Thing};

impl Planner {
    /// Gives each of two things what the other has.
    pub(crate) fn exchange(&mut self, target: &Target, what: Exchanged) -> Done {
        let ids = self.resolve(target)?;
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
