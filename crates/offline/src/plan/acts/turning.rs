//! Turning things to face something, setting them upright, moving them away from something, making
//! them as big as each other.

use glam::DVec3;

use crate::language::{Angle, Change, Degree, Determiner, Intent, Noun, Target};
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Bounds};

impl Planner {
    /// Turns each thing about the vertical so that it faces the middle of `target`.
    pub(crate) fn face(&mut self, ids: &[String], target: &Target) -> Done {
        let each_other = target.0.iter().all(|phrase| phrase.determiner == Determiner::Focus);
        if each_other {
            return self.face_each_other(ids);
        }
        let at_viewer = target.0.iter().all(|phrase| phrase.head == Some(Noun::Camera));
        let goal = if at_viewer {
            Some(self.world.camera.center)
        } else {
            self.bounds_of(&self.resolve(target)?).map(Bounds::center)
        };
        let Some(goal) = goal else { return Ok(()) };
        self.face_point(ids, goal)
    }

    /// Turns each thing so that it faces the middle of them all.
    fn face_each_other(&mut self, ids: &[String]) -> Done {
        match self.bounds_of(ids) {
            Some(bounds) => self.face_point(ids, bounds.center()),
            None => Ok(()),
        }
    }

    fn face_point(&mut self, ids: &[String], goal: DVec3) -> Done {
        for unit in self.wholes(ids) {
            let Some(bounds) = self.bounds_of(&unit) else { continue };
            let way = (goal - bounds.center()).with_y(0.0);
            let Some(way) = way.try_normalize() else { continue };
            let front = self.front_of(&unit);
            let degrees = (front.z * way.x - front.x * way.z).atan2(front.dot(way)).to_degrees();
            if degrees.abs() > 0.1 {
                self.rotate(&unit, Angle { axis: DVec3::Y, degrees })?;
            }
        }
        Ok(())
    }

    /// Sets flat things on their edge, facing the viewer; what is high already stays.
    pub(crate) fn set_upright(&mut self, ids: &[String]) -> Done {
        for unit in self.wholes(ids) {
            let Some(bounds) = self.bounds_of(&unit) else { continue };
            let size = bounds.size();
            if size.y >= 0.9 * size.x.max(size.z) {
                continue;
            }
            // A rod is stood on its end, a ring or a plate on its edge.
            let flat = size.y < 0.9 * size.x.min(size.z);
            let axis = if flat || size.x < size.z { DVec3::X } else { DVec3::Z };
            self.rotate(&unit, Angle { axis, degrees: 90.0 })?;
        }
        Ok(())
    }

    /// Takes back how things were tilted or turned: what the last step did to them, else what stands askew.
    pub(crate) fn straighten(&mut self, ids: &[String]) -> Done {
        let turns = |intent: &Intent| match intent {
            Intent::Change { changes, .. } => {
                changes.iter().any(|change| matches!(change, Change::Rotate(_)))
            }
            _ => false,
        };
        let turned = self.last_intents().iter().any(turns);
        for unit in self.wholes(ids) {
            let Some(foot) = self.bounds_of(&unit).map(Bounds::foot) else { continue };
            let before = self.last.clone().map(|deed| deed.before).filter(|before| {
                turned
                    && unit.iter().all(|id| before.find(id).is_some())
                    && unit.iter().any(|id| before.find(id) != self.world.find(id))
            });
            for thing in self.world.things.iter_mut().filter(|thing| unit.contains(&thing.id)) {
                let Body::Shape { form, .. } = &mut thing.body else { continue };
                let old = before.as_ref().and_then(|before| before.find(&thing.id)?.form());
                match old {
                    Some(old) => form.clone_from(old),
                    None => form.set_straight(),
                }
            }
            // It stays where it stands now.
            let Some(now) = self.bounds_of(&unit).map(Bounds::foot) else { continue };
            for thing in self.world.things.iter_mut().filter(|thing| unit.contains(&thing.id)) {
                thing.moved(foot - now);
            }
        }
        Ok(())
    }

    /// Moves things straight away from something, on the ground.
    pub(crate) fn move_away(
        &mut self,
        ids: &[String],
        target: &Target,
        metres: Option<f64>,
        degree: Option<Degree>,
    ) -> Done {
        let from = self.resolve(target)?;
        let (Some(from), Some(bounds)) = (self.bounds_of(&from), self.bounds_of(ids)) else {
            return Ok(());
        };
        let way = (bounds.center() - from.center()).with_y(0.0);
        let way = way.try_normalize().unwrap_or_else(|| self.world.camera.right());
        // Along the axis it mostly stands at: results stay tidy.
        let way = if way.x.abs() >= way.z.abs() {
            DVec3::X * way.x.signum()
        } else {
            DVec3::Z * way.z.signum()
        };
        let usual = (0.5 * bounds.extent()).clamp(0.2, 5.0)
            * match degree {
                Some(Degree::Slight) => 0.5,
                Some(Degree::Strong) => 2.0,
                None => 1.0,
            };
        let metres = metres.unwrap_or(usual);
        // Towards it no further than they touch.
        let apart = (bounds.center() - from.center()).dot(way).abs()
            - (bounds.size() + from.size()).dot(way.abs()) / 2.0;
        if metres < 0.0 && -metres > apart {
            self.remark("There is no more room between them; they touch now.");
        }
        self.move_all(ids, bounds, way * metres.max(-apart.max(0.0)));
        Ok(())
    }

    /// Makes things as big as the biggest of them.
    pub(crate) fn make_same_size(&mut self, ids: &[String]) -> Done {
        let units = self.wholes(ids);
        let extents: Vec<f64> =
            units.iter().map(|unit| self.bounds_of(unit).map_or(0.0, Bounds::extent)).collect();
        let biggest = extents.iter().copied().fold(0.0, f64::max);
        if units.len() < 2 {
            return Err(Problem::Cannot(
                "There is only one thing; say as big as what it is to be.".to_owned(),
            ));
        }
        for (unit, extent) in units.iter().zip(extents) {
            if extent > 1e-6 && (biggest / extent - 1.0).abs() > 1e-6 {
                self.scale_by(unit, DVec3::splat(biggest / extent))?;
            }
        }
        Ok(())
    }
}
