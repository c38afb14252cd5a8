//! Free places on the ground, and things let down onto what is below them.

use glam::{DQuat, DVec3};
use scene::Camera;
use serde_json::json;
use spatial::Extent;

use crate::resolve::{Sides, Thing, World, is_listed, is_way};

use crate::plan::planner::{Done, Planner};

/// Rings of places that are tried.
const RINGS: i32 = 14;

/// The height of the ground: that of the widest floor below the camera, 0 without one.
pub(crate) fn ground_of(world: &World<'_>) -> f64 {
    let eye = world.scene.camera.center.get()[1];
    let is_own = |thing: &&Thing| {
        let whole = thing.part_of.as_ref().and_then(|id| world.find(id));
        whole.is_none_or(|whole| whole.scenery)
    };
    let flat = |thing: &&Thing| is_floor(thing) && thing.extent.max.y <= eye.max(0.01);
    let floors = world.things.iter().filter(flat).filter(is_own);
    let width = |extent: &Extent| extent.size().x.min(extent.size().z);
    let widest =
        floors.map(|thing| thing.extent).max_by(|one, other| width(one).total_cmp(&width(other)));
    widest.map_or(0.0, |floor| floor.max.y)
}

/// The height of the ground at a spot: of a lawn or a yard that lies there, but of no road and no water.
pub(in crate::plan) fn level_at(world: &World<'_>, spot: DVec3, own: &[String]) -> f64 {
    const STEP: f64 = 0.5;
    let ground = ground_of(world);
    let lies = |thing: &&Thing| {
        let Extent { min, max } = thing.extent;
        world.is_ground(thing)
            && !own.contains(&thing.id)
            && (min.x..max.x).contains(&spot.x)
            && (min.z..max.z).contains(&spot.z)
            && max.y < ground + STEP
            && !is_way(thing.extent)
            && !is_listed(thing, "Water")
    };
    world.wholes().filter(lies).map(|thing| thing.extent.max.y).fold(ground, f64::max)
}

/// Whether a thing is ground: flat and there for others to stand on.
pub(in crate::plan) fn is_floor(thing: &Thing) -> bool {
    let size = thing.extent.size();
    thing.scenery && size.y <= 0.05 * size.x.max(size.z)
}

/// Whether a box touches no thing of the scene but floors, walls and `own`.
pub(crate) fn is_free(world: &World<'_>, extent: Extent, own: &[String]) -> bool {
    let slack = DVec3::splat(1e-3);
    let extent = Extent { min: extent.min + slack, max: extent.max - slack };
    world.space.near(extent, 0.0).into_iter().all(|at| {
        let body = &world.space.bodies()[at];
        let is_own = own
            .iter()
            .any(|id| id == body.id || body.group().is_some_and(|group| group.as_str() == id));
        is_own
            || body.shape().is_none()
            || world
                .of_body(at)
                .is_some_and(|thing| thing.scenery && thing.extent.size().min_element() <= 1e-6)
    })
}

/// Whether nothing stands before a box as the viewer sees it: a dog in the yard of a castle or behind it is nowhere to
/// be seen. Where nobody set a camera yet, a stage will look from one of the front corners.
pub(super) fn is_seen(world: &World<'_>, extent: Extent, own: &[String]) -> bool {
    const CORNER: f64 = 35.0;
    let camera = &world.scene.camera;
    let way = -spatial::View::of(camera).forward();
    let turned = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians()) * way;
    let ways = match *camera == Camera::default() {
        true => vec![way, turned(CORNER), turned(-CORNER)],
        false => vec![way],
    };
    let others = world.contents().filter(|thing| !own.contains(&thing.id));
    let others: Vec<Extent> = others.map(|thing| thing.extent).collect();
    let middle = extent.center();
    ways.into_iter().all(|way| !others.iter().any(|thing| is_met(*thing, middle, way)))
}

/// Whether a ray meets a box in front of where it begins.
fn is_met(thing: Extent, from: DVec3, way: DVec3) -> bool {
    let slack = 0.05 * thing.size();
    let (one, other) = ((thing.min + slack - from) / way, (thing.max - slack - from) / way);
    let (near, far) = (one.min(other).max_element(), one.max(other).min_element());
    far > near.max(0.0)
}

/// Places on the ground before everything, from the middle outwards.
fn before(all: Extent, size: DVec3, sides: Sides, ground: f64) -> Vec<DVec3> {
    let (half, own) = (0.5 * all.size(), 0.5 * size);
    let depth = (half + 1.5 * own).dot(sides.front.abs());
    let across = half.dot(sides.right.abs());
    let shares = [0.3, -0.3, 0.0, 0.6, -0.6, 0.9, -0.9];
    let place = |share: f64| all.center() + sides.right * share * across + sides.front * depth;
    shares.into_iter().map(|share| place(share).with_y(ground)).collect()
}

impl Planner<'_> {
    /// Puts new things to the free place on the ground that is nearest to `near` on the viewer's left or
    /// right.
    pub(crate) fn put_free(&mut self, ids: &[String], near: Option<DVec3>) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let ground = ground_of(world);
        let sides = Sides::of(scene);
        let others =
            world.contents().filter(|thing| !ids.contains(&thing.id)).map(|thing| thing.extent);
        let contents = others.reduce(Extent::union);
        let start =
            near.or(contents.map(|all| all.center().with_y(ground))).unwrap_or(DVec3::Y * ground);
        let foot = extent.center().with_y(extent.min.y);
        let size = extent.size();
        let step = (0.5 * size.x.max(size.z)).max(0.15);
        let margin = DVec3::new(0.12, 0.0, 0.12) * size.x.max(size.z).max(0.2);
        let mut spots: Vec<(i32, i32)> =
            (-RINGS..=RINGS).flat_map(|x| (-4..=4).map(move |z| (x, z))).collect();
        // To the side before the front, to the front before the back.
        spots.sort_by_key(|(x, z)| {
            let depth = if *z < 0 { 5 * z * z } else { 3 * z * z };
            (x * x + depth) * 2 - i32::from(*x > 0)
        });
        let shift_to = |(x, z): (i32, i32)| {
            let at = start + sides.right * f64::from(x) * step + sides.front * f64::from(z) * step;
            at.with_y(ground) - foot
        };
        let free = |shift: &DVec3| {
            let moved = extent.moved(*shift);
            let wide = Extent { min: moved.min - margin, max: moved.max + margin };
            is_free(world, wide, ids)
        };
        let seen = |shift: &DVec3| is_seen(world, extent.moved(*shift), ids);
        let before = contents.map(|all| before(all, size, sides, ground)).unwrap_or_default();
        let in_view = |shift: &DVec3| free(shift) && seen(shift);
        let shift = spots.iter().copied().map(shift_to).find(in_view);
        let shift = shift
            .or_else(|| before.into_iter().map(|at| at - foot).find(in_view))
            .or_else(|| spots.iter().copied().map(shift_to).find(free))
            .unwrap_or_else(|| shift_to((0, 0)));
        self.shift_by(ids, shift)
    }

    /// The box around things as they stand now.
    pub(in crate::plan) fn extent_of(&self, ids: &[String]) -> Option<Extent> {
        self.state().world().extent_of(ids)
    }

    /// Moves things by a way, unless it is none.
    pub(crate) fn shift_by(&mut self, ids: &[String], way: DVec3) -> Done {
        if way.length() > 1e-9 && !ids.is_empty() {
            self.call("move", json!({ "ids": ids, "by": way.to_array() }))?;
        }
        Ok(())
    }

    /// Lets each thing that hangs in the air down onto what is below it.
    pub(crate) fn let_down(&mut self, ids: &[String]) -> Done {
        for id in ids {
            let state = self.state();
            let world = state.world();
            let Ok(unit) = world.space.unit(id) else { continue };
            let own = unit.members.iter().copied().collect();
            let fall = world.space.fall(&unit.solid, &own).map(|(way, _)| way);
            let ground = unit.solid.extent().min.y - ground_of(world);
            let way = fall.unwrap_or(ground);
            if way.abs() > 1e-3 && (fall.is_some() || way > 0.0) {
                self.shift_by(std::slice::from_ref(id), DVec3::NEG_Y * way)?;
            }
        }
        Ok(())
    }

    /// Stands new slender things in something upright, their upper parts above it: flowers in a vase.
    pub(in crate::plan) fn stand_in(
        &mut self,
        ids: &[String],
        target: spatial::Extent,
    ) -> Done<bool> {
        const SLENDER: f64 = 2.5;
        const SHOWN: f64 = 1.8;
        let size = target.size();
        let extents: Vec<spatial::Extent> =
            ids.iter().filter_map(|id| self.extent_of(std::slice::from_ref(id))).collect();
        let slender = |extent: &spatial::Extent| {
            let own = extent.size();
            own.y > SLENDER * own.x.max(own.z) && own.y > size.y
        };
        let is_upright = size.y >= 0.8 * size.x.max(size.z);
        if !is_upright || !self.is_new(ids) || extents.is_empty() || !extents.iter().all(slender) {
            return Ok(false);
        }
        let reach = if ids.len() > 1 { 0.15 * size.x.min(size.z) } else { 0.0 };
        for (at, (id, extent)) in ids.iter().zip(&extents).enumerate() {
            let id = std::slice::from_ref(id);
            let by = SHOWN * size.y / extent.size().y;
            self.call("scale", json!({ "ids": id, "by": by, "anchor": "bottom" }))?;
            let turn = std::f64::consts::TAU * at as f64 / ids.len() as f64;
            let way = DVec3::new(turn.cos(), 0.0, turn.sin()) * reach;
            let foot = target.center().with_y(target.min.y + 0.1 * size.y) + way;
            let now = self.extent_of(id).unwrap_or(*extent);
            self.shift_by(id, foot - now.center().with_y(now.min.y))?;
        }
        self.aloft.extend(ids.iter().cloned());
        Ok(true)
    }
}
