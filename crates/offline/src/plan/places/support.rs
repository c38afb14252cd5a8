//! What carries things: tops of tables and seats, walls to hang things on, room under a table.

use glam::DVec3;

use crate::language::Target;
use crate::plan::Planner;
use crate::plan::places::place::Spot;
use crate::world::{Bounds, Form, Thing};

/// A seat may lie this far below the top of the backrest, in metres; the floor of a house lies deeper.
const DEEPEST_SEAT: f64 = 1.2;

/// How wide the top of a part is that counts as a surface, against the widest part.
const SURFACE_SHARE: f64 = 0.4;

/// How much of a surface a new thing covers that is too large for it.
const FITTING: f64 = 0.45;

/// How many times wider than a plain shape something may be that is put on it.
const LARGEST: f64 = 3.0;

/// The height of the middle of what hangs on a wall, in metres.
const HANGING: f64 = 1.5;

/// The share of the whole that slats cover that are one surface.
const SLATTED: f64 = 0.5;

/// Slats of one height that lie close together are one surface: the seat of a bench.
fn joined_slats(tops: &[Bounds]) -> Vec<Bounds> {
    let area = |top: &Bounds| top.size().x * top.size().z;
    let mut joined: Vec<Bounds> = Vec::new();
    for top in tops {
        let level = |other: &&Bounds| (other.max.y - top.max.y).abs() < 0.01;
        let slats: Vec<&Bounds> = tops.iter().filter(level).collect();
        let around = slats.iter().fold(*top, |all, slat| Bounds {
            min: all.min.min(slat.min),
            max: all.max.max(slat.max),
        });
        let covered: f64 = slats.iter().map(|slat| area(slat)).sum();
        joined.push(if covered >= SLATTED * area(&around) { around } else { *top });
    }
    joined
}

impl Planner {
    /// Under: on the ground below; what is above rises when there is not room enough.
    pub(crate) fn under(
        &mut self,
        ids: &[String],
        other: Bounds,
        bounds: Bounds,
        metres: Option<f64>,
    ) -> Spot {
        // What stands on a table stays there, and what goes under it comes between.
        let ground = self.level_at(other.center(), other);
        let missing = ground + bounds.size().y + metres.unwrap_or(0.0) - other.min.y;
        if missing > 1e-6 {
            // All of it, though only some of its parts were spoken of.
            let group = |id: &String| self.world.find(id).and_then(Thing::assembly);
            let groups: Vec<&str> = ids.iter().filter_map(group).collect();
            let part = |thing: &&Thing| {
                ids.contains(&thing.id) || thing.assembly().is_some_and(|own| groups.contains(&own))
            };
            let whole = self.world.things.iter().filter(part).map(|thing| thing.id.clone());
            let whole: Vec<String> = whole.collect();
            // What goes under it may have stood on it.
            let own = bounds.widened(1e-3);
            let stays = |id: &String| {
                let thing = self.world.find(id).map(Thing::bounds);
                thing.is_none_or(|thing| {
                    own.min.cmple(thing.min).all() && own.max.cmpge(thing.max).all()
                })
            };
            let mut riders = self.riders(other, &whole);
            riders.retain(|id| !stays(id));
            for id in whole.iter().chain(&riders) {
                if let Some(thing) = self.world.find_mut(id) {
                    thing.moved(DVec3::Y * missing);
                }
            }
            self.remark(format!(
                "There was no room below {}, so I raised it by {}.",
                crate::answer::list(ids),
                crate::answer::metres(missing)
            ));
        }
        Spot::at(other.center().with_y(ground) - bounds.foot())
    }

    /// Whether what is meant stands on something other than the ground.
    pub(in crate::plan) fn is_carried(&self, target: &Target) -> bool {
        let ids = self.resolve(target).unwrap_or_default();
        self.bounds_of(&ids)
            .is_some_and(|own| self.level_at(own.center(), own) > self.world.ground() + 0.2)
    }

    pub(crate) fn is_wall(&self, id: &str) -> bool {
        self.world.find(id).is_some_and(Thing::is_wall)
    }

    /// Whether these are several things rather than the parts of one.
    pub(crate) fn are_several(&self, ids: &[String]) -> bool {
        let group = |id: &String| self.world.find(id).and_then(|thing| thing.group.clone());
        let first = ids.first().and_then(group);
        first.is_none() || ids.iter().any(|id| group(id) != first)
    }

    /// The height for what stands beside `other` at this point: that of the table `other` stands
    /// on, where it reaches so far; else the ground.
    pub(crate) fn level_at(&self, point: DVec3, other: Bounds) -> f64 {
        let carries = |thing: &&Thing| {
            let top = thing.bounds();
            let within = top.min.x <= point.x
                && point.x <= top.max.x
                && top.min.z <= point.z
                && point.z <= top.max.z;
            within && (top.max.y - other.min.y).abs() < 0.02
        };
        let ground = self.world.ground();
        if other.min.y > ground + 0.02 && self.world.objects().any(|thing| carries(&thing)) {
            other.min.y
        } else {
            ground
        }
    }

    /// The foot of what stands so near `other` that its middle is on what carries that.
    pub(in crate::plan) fn edge_of_carrier(
        &self,
        way: DVec3,
        other: Bounds,
        touching: f64,
    ) -> Option<DVec3> {
        const AIR: f64 = 0.01;
        let carrier = self.top_below(other)?;
        let room = (carrier.center() - other.center()).dot(way)
            + 0.5 * carrier.size().dot(way.abs())
            - AIR;
        let least = touching + AIR;
        (least <= room).then(|| other.center().with_y(other.min.y) + way * room.min(least + AIR))
    }

    /// In a ring about `other`: cups around a teapot stand on the table, where that reaches so far.
    pub(in crate::plan) fn around(&self, other: Bounds, ring: Bounds) -> Spot {
        let wide = |top: &Bounds| {
            let room = top.size() - ring.size();
            room.x.min(room.z) >= 0.0
        };
        let level = self.top_below(other).filter(wide).map_or(self.world.ground(), |_| other.min.y);
        Spot::at(other.center().with_y(level) - ring.foot())
    }

    /// What a thing stands on that is not the ground.
    pub(in crate::plan) fn top_below(&self, other: Bounds) -> Option<Bounds> {
        let middle = other.center();
        let carries = |top: &Bounds| {
            top.min.x <= middle.x
                && middle.x <= top.max.x
                && top.min.z <= middle.z
                && middle.z <= top.max.z
                && (top.max.y - other.min.y).abs() < 0.02
        };
        let raised = other.min.y > self.world.ground() + 0.02;
        self.world.objects().map(Thing::bounds).find(carries).filter(|_| raised)
    }

    /// The top that things are put on: of a table the table top, of a sofa the seat.
    pub(crate) fn surface(&self, ids: &[String], whole: Bounds) -> Bounds {
        let level = |thing: &&Thing| match thing.form() {
            Some(Form::Box { rotation, .. }) => rotation.x == 0.0 && rotation.z == 0.0,
            Some(Form::Cylinder { base, top, .. }) => (*top - *base).with_y(0.0).length() < 1e-6,
            Some(Form::Cone { base, top, top_radius, .. }) => {
                *top_radius > 0.0 && (*top - *base).with_y(0.0).length() < 1e-6
            }
            Some(Form::Disc { .. }) => true,
            _ => false,
        };
        let things = ids.iter().filter_map(|id| self.world.find(id)).filter(level);
        let tops = joined_slats(&things.map(Thing::bounds).collect::<Vec<_>>());
        let width = |bounds: &Bounds| bounds.size().x.min(bounds.size().z);
        let widest = tops.iter().map(width).fold(0.0, f64::max);
        let wide = tops.into_iter().filter(|top| width(top) >= SURFACE_SHARE * widest);
        let highest = wide.max_by(|a, b| a.max.y.total_cmp(&b.max.y));
        highest.filter(|top| whole.max.y - top.max.y <= DEEPEST_SEAT).unwrap_or(whole)
    }

    /// On what carries things, smaller where a new thing would be too large for it.
    pub(crate) fn upon(
        &mut self,
        ids: &[String],
        whole: Bounds,
        bounds: Bounds,
        own: &[String],
    ) -> Spot {
        let surface = self.surface(ids, whole);
        let (top, size) = (surface.size(), bounds.size());
        let room = top.x.min(top.z);
        // A ball on a smaller box is meant to be so; on a table things fit.
        let bearable = if ids.len() > 1 { 1.15 } else { LARGEST };
        let too_large = size.x.max(size.z) > bearable * room;
        let scale = if own.is_empty() && too_large && !self.size_told {
            // What is a little too large just fits; what is far too large leaves room for others.
            let share = room / size.x.max(size.z);
            if share > FITTING { 0.95 * share } else { FITTING * share }
        } else {
            1.0
        };
        let foot = bounds.foot();
        let small = Bounds {
            min: foot + (bounds.min - foot) * scale,
            max: foot + (bounds.max - foot) * scale,
        };
        // On a plate things may lie as far out as its rim, side by side above what of it reaches round them.
        const PLATE: f64 = 0.5;
        let plate = whole.size().with_y(0.0).max_element() <= PLATE && ids.len() > 1;
        let room = if plate {
            let own = ids.iter().filter_map(|id| self.world.find(id)).map(Thing::bounds);
            let middle = surface.center();
            let round = own.filter(|part| {
                let (low, high) = (middle - part.min, part.max - middle);
                low.x.min(low.z).min(high.x).min(high.z) > 0.0
            });
            let top = round.map(|part| part.max.y).fold(surface.max.y, f64::max);
            Bounds { min: whole.min, max: whole.max.with_y(top) }
        } else {
            surface
        };
        let spot = self.on(room, small, own);
        if scale < 1.0 {
            self.remark("I made it smaller so that it fits there.");
        }
        Spot { scale, ..spot }
    }

    /// On the ground under something: between the legs of a table, beside the trunk of a tree, else
    /// right below it.
    pub(crate) fn below(
        &mut self,
        ids: &[String],
        whole: Bounds,
        bounds: Bounds,
        metres: Option<f64>,
        own: &[String],
    ) -> Spot {
        match self.sheltered(ids, whole, bounds, own).filter(|_| metres.is_none()) {
            Some(offset) => Spot::at(offset),
            None if own.is_empty() && metres.is_none() => self.fitted_under(ids, whole, bounds),
            None => self.under(ids, whole, bounds, metres),
        }
    }

    /// A free place on the ground under one of the parts of an object, near its middle.
    fn sheltered(
        &self,
        ids: &[String],
        whole: Bounds,
        bounds: Bounds,
        own: &[String],
    ) -> Option<DVec3> {
        const RINGS: i32 = 8;
        let parts: Vec<Bounds> =
            ids.iter().filter_map(|id| self.world.find(id).map(Thing::bounds)).collect();
        // What stands on a table is put upon what comes under it.
        let carried = self.level_at(whole.center(), whole) > self.world.ground();
        if parts.len() < 2 || carried {
            return None;
        }
        let middle = whole.center().with_y(self.world.ground()) - bounds.foot();
        let reach = whole.size() * 0.5;
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let around = (1..=RINGS).flat_map(|ring| {
            let share = f64::from(ring) / f64::from(RINGS);
            [towards, right, -right, -towards]
                .map(|way| middle + way * reach.dot(way.abs()) * share)
        });
        let is_covered = |there: Bounds| {
            let center = there.center();
            parts.iter().any(|part| {
                let within = part.min.x <= center.x
                    && center.x <= part.max.x
                    && part.min.z <= center.z
                    && center.z <= part.max.z;
                within && part.min.y >= there.max.y - 1e-6
            })
        };
        std::iter::once(middle).chain(around).find(|offset| {
            let there = bounds.moved(*offset);
            is_covered(there) && self.is_free(there, own)
        })
    }

    /// On the ground under something, smaller where it would not fit.
    fn fitted_under(&mut self, ids: &[String], whole: Bounds, bounds: Bounds) -> Spot {
        let ground = self.level_at(whole.center(), whole);
        let cover = self.surface(ids, whole);
        let room = cover.min.y - ground;
        if room <= 0.02 || self.size_told {
            return self.under(ids, whole, bounds, None);
        }
        let scale = (0.92 * room / bounds.size().y.max(1e-9)).min(1.0);
        if scale < 1.0 {
            self.remark("I made it smaller so that it fits under it.");
        }
        let foot = bounds.foot();
        let small = Bounds {
            min: foot + (bounds.min - foot) * scale,
            max: foot + (bounds.max - foot) * scale,
        };
        let middle = whole.center().with_y(ground) - foot;
        let reach = (whole.size() - small.size()) * 0.5;
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let aside = (0..=6).flat_map(|step| {
            let share = f64::from(step) / 6.0;
            [right, -right, towards, -towards]
                .map(|way| middle + way * reach.dot(way.abs()).max(0.0) * share)
        });
        let free = |offset: &DVec3| self.is_free(small.moved(*offset), &[]);
        Spot { offset: aside.into_iter().find(free).unwrap_or(middle), scale }
    }

    /// With its back at a wall: on the floor, or hung at the height of eyes.
    pub(crate) fn at_wall(
        &self,
        ids: &[String],
        bounds: Bounds,
        own: &[String],
        hung: bool,
    ) -> Spot {
        let behind = -self.world.camera.towards();
        let depth = |thing: &&Thing| thing.bounds().center().dot(behind);
        let walls = ids.iter().filter_map(|id| self.world.find(id));
        let Some(wall) = walls.max_by(|a, b| depth(a).total_cmp(&depth(b))).map(Thing::bounds)
        else {
            return self.free_spot(bounds, own);
        };
        let size = wall.size();
        let normal = if size.x < size.z { DVec3::X } else { DVec3::Z };
        let inwards = normal * (self.world.camera.look_at - wall.center()).dot(normal).signum();
        let along = DVec3::new(normal.z, 0.0, normal.x);
        let half = (bounds.size() * 0.5).dot(normal);
        let face = wall.center().dot(normal) + size.dot(normal) * 0.5 * inwards.dot(normal);
        let mut middle = wall.center() + normal * (face - wall.center().dot(normal));
        middle += inwards * half;
        let highest = (wall.max.y - bounds.size().y).max(self.world.ground());
        let hanging = wall.min.y.max(self.world.ground()) + HANGING - bounds.size().y / 2.0;
        let height = if hung { hanging.min(highest) } else { self.world.ground() };
        let start = middle.with_y(height) - bounds.foot();
        let room = ((size - bounds.size()).dot(along) * 0.5).max(0.0);
        let aside = (0..=40).flat_map(|step| {
            let way = along * room * f64::from(step) / 40.0;
            [start + way, start - way]
        });
        let clear = |offset: &DVec3| {
            // A hair off the wall, which is no obstacle to itself.
            self.is_free(bounds.moved(*offset + inwards * 1e-4), own)
        };
        Spot::at(aside.into_iter().find(clear).unwrap_or(start))
    }
}
