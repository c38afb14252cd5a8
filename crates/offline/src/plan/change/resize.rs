//! Sizes of things that are there.

use glam::DVec3;
use scene::Geometry;
use serde_json::json;

use crate::frames::{Amount, Dimension, Quality};
use crate::resolve::{is_way, size_along};

use super::stretch::stretched;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// What "bigger" comes to.
const STEP: f64 = 1.35;
/// What is lower than this share of its width is flat.
const FLAT: f64 = 0.05;

/// What is larger by this factor than a thing is not carried by it.
const MAX_RIDER: f64 = 3.0;

/// How a thing grows: by one factor, or by one for each axis.
#[derive(Debug, Clone, Copy)]
enum Growth {
    Whole(f64),
    Axes([f64; 3]),
}

impl Planner<'_> {
    /// Gives things another size; what stands on them stays on them.
    pub(crate) fn resize(&mut self, ids: &[String], quality: &Quality) -> Done {
        let than = match quality {
            Quality::Compared { than: Some(than), .. }
            | Quality::Scaled { than: Some(than), .. } => {
                let mut other = self.find(than)?;
                // "bigger than that" is bigger than it is.
                other.retain(|id| !ids.contains(id));
                self.state().world().extent_of(other.first())
            }
            _ => None,
        };
        let factor = match quality {
            Quality::Scaled { factor, .. } => Some(*factor),
            Quality::Compared { amount: Some(Amount::Times(times)), .. } => Some(*times),
            _ => None,
        };
        if factor.is_some_and(|factor| factor <= 0.0) {
            let why =
                "Things cannot be made so many times their size: a size is more than nothing.";
            return Err(Stopped(Remark::Refused(why.into())));
        }
        if matches!(quality, Quality::Compared { dimension: Dimension::Gap, .. }) {
            let Quality::Compared { more, amount, .. } = quality else { return Ok(()) };
            return self.spread_by(ids, *more, *amount);
        }
        for id in ids {
            let state = self.state();
            let world = state.world();
            let Some(thing) = world.find(id) else { continue };
            let geometry = match thing.bodies.as_slice() {
                [at] => world.space.bodies()[*at].shape().map(|shape| shape.geometry.clone()),
                _ => None,
            };
            let extent = thing.extent;
            // A castle that touches a dog does not stand on it.
            let mut riders = world.riders(std::slice::from_ref(id));
            let most = MAX_RIDER * extent.size().max_element();
            riders.retain(|rider| {
                world.find(rider).is_some_and(|rider| rider.extent.size().max_element() <= most)
            });
            let floats = world.support_of(thing).is_none();
            let growths = growths(quality, extent, than, geometry.as_ref());
            let top = extent.max.y;
            for growth in growths {
                self.grow(id, growth, geometry.as_ref(), floats)?;
            }
            let now = self.state().world().extent_of([id]).map_or(top, |extent| extent.max.y);
            if !riders.is_empty() && (now - top).abs() > 1e-6 {
                self.shift_by(&riders, DVec3::Y * (now - top))?;
            }
        }
        Ok(())
    }

    /// Makes things larger, or smaller, than all others of their kind.
    pub(in crate::plan) fn outdo(&mut self, ids: &[String], superlative: &str) -> Done {
        let (dimension, more) = match superlative {
            "big" => (Dimension::Size, true),
            "small" => (Dimension::Size, false),
            "tall" => (Dimension::Height, true),
            "short" => (Dimension::Height, false),
            "wide" | "long" => (Dimension::Width, true),
            "narrow" => (Dimension::Width, false),
            _ => return Ok(()),
        };
        let state = self.state();
        let world = state.world();
        for id in ids {
            let Some(thing) = world.find(id) else { continue };
            let kin = crate::resolve::Kin::of(thing, world);
            let others = world.contents().filter(|other| other.id != *id && kin.has(other, world));
            let sizes = others.map(|other| size_along(other.extent, dimension));
            let own = size_along(thing.extent, dimension).max(1e-9);
            let (limit, step): (f64, f64) = match more {
                true => (sizes.fold(own, f64::max), 1.25),
                false => (sizes.fold(own, f64::min), 0.8),
            };
            let factor = step * limit / own;
            self.resize(
                std::slice::from_ref(id),
                &Quality::Scaled { dimension, factor, than: None },
            )?;
        }
        Ok(())
    }

    fn grow(
        &mut self,
        id: &str,
        growth: Growth,
        geometry: Option<&Geometry>,
        floats: bool,
    ) -> Done {
        let anchor =
            if floats && self.aloft.iter().any(|aloft| aloft == id) { "center" } else { "bottom" };
        let factors = match growth {
            Growth::Whole(factor) => [factor; 3],
            Growth::Axes(factors) => factors,
        };
        let factors = factors.map(|factor| factor.clamp(1e-3, 1e3));
        let is_even = factors.iter().all(|factor| (factor / factors[0] - 1.0).abs() < 1e-9);
        if is_even {
            if (factors[0] - 1.0).abs() > 1e-9 {
                self.call("scale", json!({ "ids": [id], "by": factors[0], "anchor": anchor }))?;
            }
            return Ok(());
        }
        match geometry.and_then(|geometry| stretched(geometry, factors)) {
            Some(properties) => {
                let updates = json!({ "properties": properties });
                self.call("update_shape", json!({ "id": id, "updates": updates })).map(drop)
            }
            None if matches!(
                geometry,
                Some(
                    Geometry::Box(_)
                        | Geometry::RoundedBox(_)
                        | Geometry::Ellipsoid(_)
                        | Geometry::Quad(_)
                        | Geometry::Triangle(_)
                        | Geometry::Mesh(_)
                        | Geometry::Wedge(_)
                )
            ) =>
            {
                self.call("scale", json!({ "ids": [id], "by": factors, "anchor": anchor }))
                    .map(drop)
            }
            None if matches!(geometry, Some(Geometry::Sphere(_))) => self.as_ellipsoid(id, factors),
            None if geometry.is_none() => self.stretch_parts(id, factors, anchor),
            None => self.grow_evenly(id, factors, anchor),
        }
    }
}

/// What a quality of size comes to for something of this extent.
fn growths(
    quality: &Quality,
    extent: spatial::Extent,
    than: Option<spatial::Extent>,
    geometry: Option<&Geometry>,
) -> Vec<Growth> {
    let along = |dimension: Dimension, factor: f64| along(dimension, factor, extent, geometry);
    // So does one that is to be half as wide as something.
    let is_ball = than.is_some() && matches!(geometry, Some(Geometry::Sphere(_)));
    match quality {
        Quality::Size { dimension, factor } => vec![along(*dimension, *factor)],
        Quality::Measured { dimension, amount } => {
            let Some(metres) = amount.metres().filter(|metres| *metres > 0.0) else {
                return Vec::new();
            };
            let factor = metres / own_measure(*dimension, extent, geometry).max(1e-9);
            // A ball that is to be so high stays a ball.
            vec![match geometry {
                Some(Geometry::Sphere(_)) => Growth::Whole(factor),
                _ => along(*dimension, factor),
            }]
        }
        Quality::Measures(wanted) => {
            let size = extent.size().to_array();
            let factor = |axis: usize| {
                if wanted[axis] > 0.0 { wanted[axis] / size[axis].max(1e-9) } else { 1.0 }
            };
            vec![Growth::Axes([factor(0), factor(1), factor(2)])]
        }
        Quality::Scaled { dimension, factor, .. } => {
            let factor = match than {
                Some(other) => {
                    factor * size_along(other, *dimension)
                        / size_along(extent, *dimension).max(1e-9)
                }
                None => *factor,
            };
            vec![if is_ball { Growth::Whole(factor) } else { along(*dimension, factor) }]
        }
        Quality::Compared { dimension, more, amount, .. } => {
            let own = own_measure(*dimension, extent, geometry);
            let sign = if *more { 1.0 } else { -1.0 };
            let base = than.map_or(own, |other| size_along(other, *dimension));
            let wanted = match amount {
                Some(Amount::Metres(metres) | Amount::Plain(metres)) => base + sign * metres,
                Some(Amount::Percent(percent)) => base * (1.0 + sign * percent / 100.0),
                Some(Amount::Times(times)) if *times < 1.0 && *more => base * (1.0 + times),
                Some(Amount::Times(times)) if *times < 1.0 => base * (1.0 - times),
                Some(Amount::Times(times)) => base * times.powf(sign),
                Some(Amount::Degree(degree)) => base * STEP.powf(sign * degree),
                Some(Amount::Degrees(_)) | None => base * STEP.powf(sign),
            };
            // "lower than the houses" asks nothing of what is.
            let is_so = than.is_some() && amount.is_none() && (own < wanted) != *more;
            let factor = if is_so { 1.0 } else { (wanted / own.max(1e-9)).max(0.05) };
            vec![if is_ball { Growth::Whole(factor) } else { along(*dimension, factor) }]
        }
        _ => Vec::new(),
    }
}

fn own_measure(dimension: Dimension, extent: spatial::Extent, geometry: Option<&Geometry>) -> f64 {
    match (geometry, dimension) {
        (Some(Geometry::Torus(torus)), Dimension::Thickness) => torus.thickness.get(),
        (Some(Geometry::Torus(torus)), Dimension::TubeRadius) => 0.5 * torus.thickness.get(),
        (Some(Geometry::Torus(torus)), Dimension::Radius | Dimension::RingRadius) => {
            torus.radius.get()
        }
        (
            Some(Geometry::Cylinder(_) | Geometry::Cone(_) | Geometry::Capsule(_)),
            Dimension::Length,
        ) => extent.size().y,
        _ => size_along(extent, dimension),
    }
}

/// A factor along a dimension as factors along the axes.
fn along(
    dimension: Dimension,
    factor: f64,
    extent: spatial::Extent,
    geometry: Option<&Geometry>,
) -> Growth {
    let size = extent.size();
    let upright =
        matches!(geometry, Some(Geometry::Cylinder(_) | Geometry::Cone(_) | Geometry::Capsule(_)));
    match dimension {
        _ if matches!(geometry, Some(Geometry::Sphere(_)))
            && !matches!(dimension, Dimension::Height | Dimension::Width | Dimension::Depth) =>
        {
            Growth::Whole(factor)
        }
        Dimension::Height => Growth::Axes([1.0, factor, 1.0]),
        Dimension::Width if upright => Growth::Axes([factor, 1.0, factor]),
        Dimension::Width if is_way(extent) && size.z < size.x => Growth::Axes([1.0, 1.0, factor]),
        Dimension::Width => Growth::Axes([factor, 1.0, 1.0]),
        Dimension::Depth => Growth::Axes([1.0, 1.0, factor]),
        Dimension::Length if upright => Growth::Axes([1.0, factor, 1.0]),
        Dimension::Length if size.x >= size.z => Growth::Axes([factor, 1.0, 1.0]),
        Dimension::Length => Growth::Axes([1.0, 1.0, factor]),
        Dimension::Radius | Dimension::Diameter
            if geometry.is_some() && !matches!(geometry, Some(Geometry::Torus(_))) =>
        {
            Growth::Axes([factor, 1.0, factor])
        }
        Dimension::Thickness if upright => Growth::Axes([factor, 1.0, factor]),
        Dimension::Thickness | Dimension::TubeRadius
            if matches!(geometry, Some(Geometry::Torus(_))) =>
        {
            Growth::Axes([1.0, factor, 1.0])
        }
        Dimension::Thickness => {
            let thin = size.min_element();
            let axis = (0..3).find(|axis| size[*axis] <= thin + 1e-9).unwrap_or(1);
            let mut factors = [1.0; 3];
            factors[axis] = factor;
            Growth::Axes(factors)
        }
        // A rug that is made larger gets no thicker.
        _ if size.y < FLAT * size.x.min(size.z) => Growth::Axes([factor, 1.0, factor]),
        _ => Growth::Whole(factor),
    }
}
