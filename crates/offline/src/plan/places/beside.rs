//! Places by the side of things: across from where something stands, all around it, on a part of
//! its top.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::language::{Place, Relation, Target, Way};
use crate::plan::places::place::{Spot, WAYS};
use crate::plan::{Planner, Problem};
use crate::world::{Bounds, Thing};

impl Planner {
    /// Across a thing from where what moves, or what was spoken of, stands.
    pub(in crate::plan) fn opposite(
        &mut self,
        of: Option<&Target>,
        bounds: Bounds,
        own: &[String],
    ) -> Result<Spot, Problem> {
        let unknown = || Problem::Cannot("Say on the other side of what, please.".to_owned());
        let anchor = match of {
            Some(target) => target.clone(),
            None => match self.placed_by() {
                Some(target) => target,
                None => self.beside_what(own).ok_or_else(unknown)?,
            },
        };
        let mut ids = self.resolve(&anchor)?;
        ids.retain(|id| !own.contains(id));
        let Some(middle) = self.bounds_of(&ids) else { return Err(unknown()) };
        let new = own.is_empty();
        let here = if new {
            let beside: Vec<String> =
                self.context.focus.iter().filter(|id| !ids.contains(id)).cloned().collect();
            // "on the armchair's other side", after a lamp was put beside it.
            let neighbours = if beside.is_empty() { self.neighbours(&ids, middle) } else { beside };
            self.bounds_of(&neighbours)
        } else {
            Some(bounds)
        };
        let from = here.map_or(self.world.camera.right(), |here| here.center() - middle.center());
        let from = from.with_y(0.0);
        let half = middle.size() * 0.5;
        // The side it stands at: where it is farther out, measured in sizes of the thing.
        let across = (from.x / half.x.max(1e-3)).abs() >= (from.z / half.z.max(1e-3)).abs();
        let way = if across { DVec3::X * -from.x.signum() } else { DVec3::Z * -from.z.signum() };
        Ok(self.beside(way, middle, bounds, None, own))
    }

    /// What the thing that is meant stands by: the nearest that is as large.
    pub(in crate::plan) fn beside_what(&self, own: &[String]) -> Option<Target> {
        let ids = if own.is_empty() { self.context.focus.as_slice() } else { own };
        let bounds = self.bounds_of(ids)?;
        let all: Vec<String> = self.world.objects().map(|thing| thing.id.clone()).collect();
        let units = self.wholes(&all).into_iter().filter(|unit| !ids.contains(&unit[0]));
        let near = units.filter_map(|unit| {
            let other = self.bounds_of(&unit)?;
            let large = other.extent() >= 0.6 * bounds.extent() && other.size().y > 0.05;
            let gap =
                (other.center() - bounds.center()).abs() - (other.size() + bounds.size()) * 0.5;
            large.then_some((unit, gap.max(DVec3::ZERO).length()))
        });
        let (unit, _) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Target(unit.into_iter().map(crate::language::Phrase::named).collect()))
    }

    /// The nearest thing that stands by others.
    pub(in crate::plan) fn neighbours(&self, ids: &[String], bounds: Bounds) -> Vec<String> {
        let away = |thing: &&Thing| (thing.bounds().center() - bounds.center()).length();
        let others = self.world.objects().filter(|thing| !ids.contains(&thing.id));
        let nearest = others.min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.map(|thing| thing.id.clone()).into_iter().collect()
    }

    /// The free place nearest to `other`, all around it.
    pub(in crate::plan) fn close_by(
        &self,
        other: Bounds,
        bounds: Bounds,
        own: &[String],
    ) -> Option<Spot> {
        let half = (other.size() + bounds.size()) * 0.5;
        let gap = 0.1 * bounds.extent().min(other.extent()).max(0.2);
        let rings = (0..8).map(|ring| gap * (1.0 + f64::from(ring)));
        let around = rings.flat_map(|air| {
            (0..WAYS).map(move |way| {
                let angle = TAU * way as f64 / WAYS as f64;
                let way = DVec3::new(angle.cos(), 0.0, angle.sin());
                // On the outline of the box round it.
                let (x, z) = (half.x + air, half.z + air);
                let reach = (x / way.x.abs().max(1e-6)).min(z / way.z.abs().max(1e-6));
                way * reach
            })
        });
        let feet = around.map(|way| {
            let foot = other.center().with_y(self.world.ground()) + way;
            foot.with_y(self.level_at(foot, other)) - bounds.foot()
        });
        let mut free = feet.filter(|offset| self.is_free(bounds.moved(*offset), own));
        free.next().map(Spot::at)
    }

    /// Whether what is moved stands on what it is to be at a side of: "to the left side of the
    /// table" is a part of its top.
    pub(in crate::plan) fn stands_upon(
        &self,
        bounds: Bounds,
        ids: &[String],
        other: Bounds,
        own: &[String],
    ) -> bool {
        let top = self.surface(ids, other);
        let middle = bounds.center();
        !own.is_empty()
            && (bounds.min.y - top.max.y).abs() < 0.02
            && (top.min.x..=top.max.x).contains(&middle.x)
            && (top.min.z..=top.max.z).contains(&middle.z)
    }

    /// What something is to stand on, where that is told beside another place.
    fn carrier_among(&self, places: &[Place]) -> Result<Option<Vec<String>>, Problem> {
        let upon = |place: &&Place| match place {
            Place::Relative { relation: Relation::On, metres: None, .. } => {
                !self.is_on_floor(place)
            }
            _ => false,
        };
        let Some(Place::Relative { target, .. }) = places.iter().find(upon) else {
            return Ok(None);
        };
        let ids = self.resolve(target)?;
        Ok((!ids.iter().any(|id| self.is_wall(id))).then_some(ids))
    }

    /// "on the table beside the ball", where only one of the balls is on the table: that one.
    pub(in crate::plan) fn among_what_is_carried(
        &self,
        target: &Target,
        places: &[Place],
    ) -> Target {
        let upon = |place: &&Place| {
            matches!(place, Place::Relative { relation: Relation::On, metres: None, .. })
        };
        let carrier = places.iter().find(upon).filter(|_| self.resolve(target).is_err());
        let Some(carrier) = carrier else { return target.clone() };
        let mut told = target.clone();
        for phrase in &mut told.0 {
            phrase.places.push(carrier.clone());
        }
        if self.resolve(&told).is_ok() { told } else { target.clone() }
    }

    /// "on the table, on the right side": on that half of its top.
    pub(in crate::plan) fn upon_that_side(
        &mut self,
        places: &[Place],
        way: Way,
        bounds: Bounds,
        own: &[String],
    ) -> Result<Option<Spot>, Problem> {
        let Some(ids) = self.carrier_among(places)? else { return Ok(None) };
        let level = !matches!(way, Way::Up | Way::Down);
        let Some(whole) = self.bounds_of(&ids).filter(|_| level) else { return Ok(None) };
        let spot = self.upon(&ids, whole, bounds, own);
        let foot = bounds.foot();
        let small = Bounds {
            min: foot + (bounds.min - foot) * spot.scale,
            max: foot + (bounds.max - foot) * spot.scale,
        };
        let way = self.direction(way);
        let by = self.on_that_side(&ids, whole, small.moved(spot.offset), way).offset;
        // Further out, or nearer to the front or back, where something stands already.
        let top = self.surface(&ids, whole);
        let room = ((top.size() - small.size()) * 0.5).max(DVec3::ZERO);
        let across = DVec3::new(way.z, 0.0, -way.x);
        let edge = way * room.dot(way.abs());
        let places = [0.0, 0.5, -0.5, 0.9, -0.9].into_iter().flat_map(|share| {
            let along = across * room.dot(across.abs()) * share;
            let out = top.center() + edge * 0.95 - small.moved(spot.offset).center();
            [by + along, out.with_y(0.0) + along]
        });
        let at = |by: DVec3| Spot { offset: spot.offset + by, ..spot };
        let free = |by: &DVec3| self.is_free(small.moved(spot.offset + *by), own);
        Ok(Some(places.into_iter().find(free).map_or(spot, at)))
    }

    /// Above, clear of it.
    pub(in crate::plan) fn above(
        &self,
        other: Bounds,
        bounds: Bounds,
        metres: Option<f64>,
    ) -> Spot {
        let gap = metres.unwrap_or(0.5 * bounds.size().y.max(0.5));
        Spot::at(other.center().with_y(other.max.y + gap) - bounds.foot())
    }

    /// In the middle of a hollow thing, as large as fits.
    pub(in crate::plan) fn inside(&mut self, other: Bounds, bounds: Bounds) -> Spot {
        // A box inside a ball has to be smaller by sqrt(3) to stay within.
        let fit = other.size().min_element() * 0.55 / bounds.extent().max(1e-9);
        let scale = fit.min(1.0);
        if scale < 1.0 {
            self.remark("I made it smaller so that it fits inside.");
        }
        let foot = bounds.foot();
        let center = foot + (bounds.center() - foot) * scale;
        Spot { offset: other.center() - center, scale }
    }

    /// Half way to the edge of what carries it.
    pub(in crate::plan) fn on_that_side(
        &self,
        ids: &[String],
        other: Bounds,
        bounds: Bounds,
        way: DVec3,
    ) -> Spot {
        let top = self.surface(ids, other);
        let half = (top.size() - bounds.size()) * 0.5;
        let reach = (0.5 * top.size().dot(way.abs()) * 0.55).min(half.dot(way.abs()).max(0.0));
        let to = top.center() + way * reach;
        let by = (to - bounds.center()).dot(way);
        Spot::at(way * by)
    }
}
