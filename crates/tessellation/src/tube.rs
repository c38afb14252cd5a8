//! Tubes along curves.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};
use scene::Piece;

use crate::revolve::{Detail, steps};
use crate::{Placement, Tessellation, Triangles};

/// The most segments along a piece of the curve.
const MAX_STEPS: f64 = 256.0;
/// The most vertices of a tube. A larger one gets a larger tolerance.
const MAX_VERTICES: usize = 200_000;
/// The minimum number of segments around a tube, which is often seen close up.
const MIN_AROUND: usize = 32;

/// A cross section of a tube.
pub(crate) struct Station {
    place: DVec3,
    radius: f64,
    /// Unit vector along the line.
    along: DVec3,
    /// The derivative of the radius along the curve.
    slope: f64,
    /// Unit vector perpendicular to the curve, parallel-transported along it.
    across: DVec3,
}

/// The cross sections, and the number of segments around each.
pub(crate) fn cuts(shape: &scene::Tube, detail: Detail) -> (Vec<Station>, usize) {
    let pieces = shape.pieces();
    let origin = shape.points.get()[0];
    let widest = pieces.iter().flat_map(|piece| piece.0.map(|node| node[3])).fold(0.0, f64::max);
    let mut tolerance = detail.tolerance(widest);
    loop {
        let around = match detail {
            Detail::Within(_) => steps(widest, TAU, 0.5 * tolerance).max(MIN_AROUND),
            Detail::Sides(sides) => sides as usize,
        };
        let stations = stations(&pieces, origin.into(), 0.5 * tolerance, shape.closed);
        if stations.len() * around <= MAX_VERTICES || tolerance > widest {
            return (stations, around);
        }
        tolerance *= 1.5;
    }
}

pub(crate) fn tube(shape: &scene::Tube, detail: Detail) -> Tessellation {
    let origin = shape.points.get()[0];
    let (mut stations, around) = cuts(shape, detail);
    carry_across(&mut stations, shape.closed);
    let circle: Vec<DVec2> = (0..=around)
        .map(|at| DVec2::from_angle(TAU * (at % around) as f64 / around as f64))
        .collect();
    let mut triangles = Triangles::default();
    let mut rows: Vec<u32> = Vec::with_capacity(stations.len());
    for station in &stations {
        rows.push(ring(&mut triangles, station, &circle, DVec2::new(1.0, 0.0), station.slope));
    }
    let strip = |triangles: &mut Triangles, from: u32, to: u32| {
        for step in 0..around as u32 {
            triangles.quad([from + step, from + step + 1, to + step + 1, to + step]);
        }
    };
    for pair in rows.windows(2) {
        strip(&mut triangles, pair[0], pair[1]);
    }
    let (Some(first), Some(last)) = (stations.first(), stations.last()) else {
        return Tessellation { triangles, placement: Placement::at(origin) };
    };
    if shape.closed {
        strip(&mut triangles, rows[rows.len() - 1], rows[0]);
    } else {
        let quarter = around.div_ceil(4);
        for (station, row, side) in [(first, rows[0], -1.0), (last, rows[rows.len() - 1], 1.0)] {
            let mut previous = row;
            for step in 1..=quarter {
                // Exact at the pole, where all vertices have the same position.
                let lean = match step == quarter {
                    true => DVec2::Y,
                    false => DVec2::from_angle(FRAC_PI_2 * step as f64 / quarter as f64),
                };
                let lean = DVec2::new(lean.x, side * lean.y);
                let next = ring(&mut triangles, station, &circle, lean, 0.0);
                if side > 0.0 {
                    strip(&mut triangles, previous, next);
                } else {
                    strip(&mut triangles, next, previous);
                }
                previous = next;
            }
        }
    }
    Tessellation { triangles, placement: Placement::at(origin) }
}

/// Adds a ring of vertices around a station and returns the index of the first one. `lean` is the
/// direction of the vertices from the station: its part across and its part along the curve.
fn ring(
    triangles: &mut Triangles,
    station: &Station,
    circle: &[DVec2],
    lean: DVec2,
    slope: f64,
) -> u32 {
    let first = triangles.positions.len() as u32;
    let other = station.along.cross(station.across);
    for way in circle {
        let outwards = station.across * way.x + other * way.y;
        let lies = outwards * lean.x + station.along * lean.y;
        let normal = (lies - station.along * slope).normalize();
        triangles.vertex(station.place + lies * station.radius, normal);
    }
    first
}

/// Approximates the curve by chords, relative to `origin`, so that they and the surface of the tube
/// are within `tolerance`. The last station of a closed curve is not the first one again.
fn stations(pieces: &[Piece<4>], origin: DVec3, tolerance: f64, closed: bool) -> Vec<Station> {
    let mut stations: Vec<Station> = Vec::new();
    let size: f64 = pieces.iter().map(|piece| chord(piece).length()).sum();
    for piece in pieces {
        let sagging = (piece.sag(1) / tolerance).sqrt();
        let radius = piece.0.map(|node| node[3]).into_iter().fold(0.0, f64::max);
        let turning = steps(radius, turning(piece), tolerance) as f64;
        let count = sagging.max(turning).clamp(1.0, MAX_STEPS).ceil() as usize;
        for step in 0..=count {
            let t = step as f64 / count as f64;
            let [x, y, z, radius] = piece.at(t);
            let [dx, dy, dz, growth] = piece.way(t);
            let way = DVec3::new(dx, dy, dz);
            let station = Station {
                place: DVec3::new(x, y, z) - origin,
                radius,
                along: way.normalize_or(chord(piece).normalize_or(DVec3::Y)),
                slope: if way.length() > 0.0 { growth / way.length() } else { 0.0 },
                across: DVec3::X,
            };
            match stations.last_mut() {
                // At a joint the tangent is the mean of both pieces.
                Some(last) if last.place.distance(station.place) <= 1e-9 * size => {
                    last.along = (last.along + station.along).normalize_or(last.along);
                }
                _ => stations.push(station),
            }
        }
    }
    if closed && stations.len() > 1 {
        let end = stations.pop();
        if let (Some(end), Some(first)) = (end, stations.first_mut()) {
            first.along = (first.along + end.along).normalize_or(first.along);
        }
    }
    stations
}

fn place([x, y, z, _]: [f64; 4]) -> DVec3 {
    DVec3::new(x, y, z)
}

fn chord(piece: &Piece<4>) -> DVec3 {
    place(piece.0[3]) - place(piece.0[0])
}

/// An upper bound of the total turning angle along a piece, in radians.
fn turning(piece: &Piece<4>) -> f64 {
    let [a, b, c, d] = piece.0.map(place);
    let between = |from: DVec3, to: DVec3| match from.length() > 0.0 && to.length() > 0.0 {
        true => from.angle_between(to),
        false => 0.0,
    };
    between(b - a, c - b) + between(c - b, d - c)
}

/// Parallel-transports a vector across the curve from station to station: Wang, Jüttler, Zheng, Liu
/// 2008, "Computation of Rotation Minimizing Frames". The remaining twist of a closed curve is
/// distributed over its length.
fn carry_across(stations: &mut [Station], closed: bool) {
    let Some(first) = stations.first_mut() else { return };
    first.across = first.along.any_orthonormal_vector();
    for at in 1..stations.len() {
        stations[at].across = carried(&stations[at - 1], &stations[at]);
    }
    if !closed {
        return;
    }
    let (Some(first), Some(last)) = (stations.first(), stations.last()) else { return };
    let end = carried(last, first);
    let other = first.along.cross(end);
    let turn = first.across.dot(other).atan2(first.across.dot(end));
    let count = stations.len() as f64;
    for (at, station) in stations.iter_mut().enumerate() {
        let (sin, cos) = (turn * at as f64 / count).sin_cos();
        station.across = station.across * cos + station.along.cross(station.across) * sin;
    }
}

fn carried(from: &Station, to: &Station) -> DVec3 {
    let step = to.place - from.place;
    let mirrored = |vector: DVec3, normal: DVec3| match normal.length_squared() {
        0.0 => vector,
        squared => vector - normal * (2.0 * normal.dot(vector) / squared),
    };
    let across = mirrored(from.across, step);
    let across = mirrored(across, to.along - mirrored(from.along, step));
    let across = across - to.along * across.dot(to.along);
    across.normalize_or(to.along.any_orthonormal_vector())
}
