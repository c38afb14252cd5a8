//! Parts of the scene that things are put in: left, right, in the middle, in a corner.

use glam::DVec3;
use serde_json::json;
use spatial::Extent;

use crate::frames::{Phrase, Place, Region, Relation};
use crate::resolve::Sides;

use super::spot::{ground_of, is_free, level_at};
use crate::plan::planner::{Done, Planner};

impl Planner<'_> {
    /// Moves things aside that stand in each other after they were put on the ground.
    pub(in crate::plan) fn unstack(&mut self, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let clear = world.extent_of(ids).is_none_or(|extent| is_free(world, extent, ids));
        let at = world.extent_of(ids).map(|extent| extent.center());
        if clear { Ok(()) } else { self.put_free(ids, at) }
    }

    /// A thing and what was spoken of besides.
    pub(in crate::plan) fn with_last(&self, mut one: Vec<String>, own: &[String]) -> Vec<String> {
        let other = self.context.focus.iter().flatten().find(|id| {
            !one.contains(id) && !own.contains(id) && self.draft.scene().kind_of(id).is_some()
        });
        one.extend(other.cloned());
        one
    }

    /// The last two things that were spoken of, together or one after the other.
    fn pair_spoken_of(&self, own: &[String]) -> Vec<String> {
        let is_other = |id: &&String| !own.contains(id) && self.draft.scene().kind_of(id).is_some();
        let mut pair: Vec<String> = Vec::new();
        for id in self.context.focus.iter().flatten().filter(is_other) {
            if !pair.contains(id) {
                pair.push(id.clone());
            }
        }
        if pair.len() < 2 {
            let state = self.state();
            let world = state.world();
            let things: Vec<String> = world.contents().map(|thing| thing.id.clone()).collect();
            pair = things.into_iter().filter(|id| !own.contains(id)).collect();
            if pair.len() != 2 {
                pair.clear();
            }
        }
        pair.truncate(2);
        pair
    }

    /// In a ring around things.
    pub(crate) fn place_around(&mut self, ids: &[String], around: &[Phrase]) -> Done {
        let targets = self.find_all(around)?;
        let targets: Vec<String> = targets.into_iter().filter(|id| !ids.contains(id)).collect();
        self.relate(ids, Relation::Around, &targets, &[], None)
    }

    /// Above all that stands on the ground.
    pub(in crate::plan) fn put_in_sky(&mut self, ids: &[String], anew: bool) -> Done {
        if anew {
            self.put_free(ids, None)?;
        }
        self.aloft.extend(ids.iter().cloned());
        let state = self.state();
        let world = state.world();
        let ground = ground_of(world);
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let others = world.contents().filter(|thing| !ids.contains(&thing.id));
        let top = others.map(|thing| thing.extent.max.y).fold(ground, f64::max);
        let rise = top + 0.5 * own.size().max_element().max(1.0) - own.min.y;
        self.shift_by(ids, DVec3::Y * rise.max(0.0))
    }

    /// In a part of the scene.
    pub(in crate::plan) fn put_in_scene(
        &mut self,
        ids: &[String],
        place: &Place,
        anew: bool,
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let ground = ground_of(world);
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let others = world.contents().filter(|thing| !ids.contains(&thing.id));
        let all = others.map(|thing| thing.extent).reduce(Extent::union);
        let floor = world
            .wholes()
            .find(|thing| thing.scenery && thing.extent.size().y <= 1e-3)
            .map(|thing| thing.extent);
        // What else was spoken of last.
        let is_other = |id: &String| !ids.contains(id) && world.find(id).is_some();
        let focus = self.context.focus.iter().find(|list| list.iter().any(is_other));
        let focus = focus.cloned().unwrap_or_default();
        let spoken = world.extent_of(focus.iter().filter(|id| !ids.contains(*id)));
        let center = all.map_or(DVec3::ZERO, |all| all.center());
        let reach = all.map_or(0.0, |all| 0.5 * all.size().x.max(all.size().z));
        let half = 0.5 * own.size();
        let beyond = |direction: DVec3| {
            let far = reach + direction.abs().dot(half) + 0.25 * (1.0 + half.x);
            let far = if all.is_none() { 1.5 } else { far };
            (center + direction * far).with_y(ground)
        };
        let relation = place.relation.map(|relation| match relation {
            Relation::LeftOf | Relation::EdgeLeft => Region::Left,
            Relation::RightOf | Relation::EdgeRight => Region::Right,
            Relation::InFrontOf | Relation::Opposite => Region::Front,
            Relation::Behind => Region::Back,
            Relation::Corner | Relation::Corners => Region::Corner,
            Relation::Above => Region::Above,
            Relation::On | Relation::Under => Region::Ground,
            _ => Region::Middle,
        });
        let region = place.region.or(relation);
        let inwards = match region {
            Some(Region::Left) => Some(-sides.right),
            Some(Region::Right) => Some(sides.right),
            Some(Region::Front) => Some(sides.front),
            Some(Region::Back) => Some(-sides.front),
            Some(Region::Corner | Region::BackRight) => Some(sides.right - sides.front),
            Some(Region::BackLeft) => Some(-sides.right - sides.front),
            Some(Region::FrontRight) => Some(sides.right + sides.front),
            Some(Region::FrontLeft) => Some(sides.front - sides.right),
            _ => None,
        };
        if let Some(way) = inwards.filter(|_| anew)
            && self.put_in_room(ids, way)?
        {
            return Ok(());
        }
        let goal = match region {
            Some(Region::Left) => beyond(-sides.right),
            Some(Region::Right) => beyond(sides.right),
            Some(Region::Front | Region::Outside) => beyond(sides.front),
            Some(Region::Back) => beyond(-sides.front),
            Some(Region::Away) => {
                // Its long side leads away from the viewer.
                if own.size().dot(sides.right.abs()) > own.size().dot(sides.front.abs()) {
                    self.call("rotate", json!({ "ids": ids, "by": [0, 90, 0] }))?;
                }
                let middle = Place { region: Some(Region::Middle), ..Place::default() };
                return self.put_in_scene(ids, &middle, anew);
            }
            Some(Region::Middle) => {
                if anew || all.is_some() {
                    let level = if anew { level_at(world, DVec3::ZERO, ids) } else { ground };
                    let way = DVec3::new(-own.center().x, level - own.min.y, -own.center().z);
                    self.shift_by(ids, way)?;
                    return self.unstack(ids);
                }
                DVec3::Y * ground
            }
            Some(
                corner @ (Region::Corner
                | Region::BackLeft
                | Region::BackRight
                | Region::FrontLeft
                | Region::FrontRight),
            ) => {
                let floor = floor.unwrap_or(Extent {
                    min: center - DVec3::splat(2.0),
                    max: center + DVec3::splat(2.0),
                });
                let area = all.map_or(floor, |all| Extent {
                    min: all.min.max(floor.min),
                    max: all.max.min(floor.max),
                });
                let (own, front) = (area.center(), 0.5 * area.size() - half);
                let across = match corner {
                    Region::BackLeft | Region::FrontLeft => -sides.right,
                    _ => sides.right,
                };
                let along = match corner {
                    Region::FrontLeft | Region::FrontRight => sides.front,
                    _ => -sides.front,
                };
                (own + (across + along) * front.max(DVec3::ZERO)).with_y(ground)
            }
            Some(Region::Ground | Region::Below | Region::Under) => {
                if anew {
                    return self.put_free(ids, None);
                }
                self.shift_by(ids, DVec3::Y * (ground - own.min.y))?;
                return self.unstack(ids);
            }
            Some(Region::Above | Region::Top) => {
                if !focus.is_empty() && spoken.is_some() {
                    let targets: Vec<String> =
                        focus.iter().filter(|id| !ids.contains(*id)).cloned().collect();
                    return self.relate(ids, Relation::On, &targets, &[], None);
                }
                self.aloft.extend(ids.iter().cloned());
                if anew {
                    self.put_free(ids, None)?;
                }
                return self.shift_by(ids, DVec3::Y * 1.5);
            }
            Some(Region::Between) => {
                let pair = self.pair_spoken_of(ids);
                if pair.len() != 2 {
                    return self.put_free(ids, None);
                }
                return self.relate(ids, Relation::Between, &pair, &[], None);
            }
            Some(
                Region::Beside
                | Region::Behind
                | Region::Inside
                | Region::Around
                | Region::Flanking
                | Region::Ends
                | Region::Corners,
            ) => {
                let relation = region.and_then(Relation::of_region).unwrap_or(Relation::NextTo);
                let targets: Vec<String> =
                    focus.iter().filter(|id| !ids.contains(*id)).cloned().collect();
                if targets.is_empty() {
                    return self.put_free(ids, None);
                }
                return self.relate(ids, relation, &targets, &[], None);
            }
            Some(Region::OtherSide) => {
                let mirror = 2.0 * center - own.center();
                mirror.with_y(own.min.y)
            }
            // "there": where something was taken away.
            Some(Region::Here) if self.context.gone.is_some() => {
                self.context.gone.as_ref().map_or(DVec3::ZERO, |gone| gone.foot)
            }
            Some(Region::Former | Region::Here) | None => return self.put_free(ids, None),
        };
        let way = goal - own.center().with_y(own.min.y);
        self.shift_by(ids, way)?;
        self.unstack(ids)?;
        self.let_down_together(ids)
    }
}
