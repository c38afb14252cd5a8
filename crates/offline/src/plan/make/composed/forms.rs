//! What composed things are made of, by their measures: around the origin, standing on it, open towards the viewer.

use glam::DVec3;

use super::maze::maze;
use super::pieces::{
    Opening, Piece, Role, Side, block, line, panel, sheet, stretches, thick_wall, wall,
};
use super::told::Told;

/// Floors lie this much above the ground, so that they are seen on it.
const LIFT: f64 = 0.01;
/// The walls of something round are so many panels, of which those before it are left out.
const ROUND: usize = 24;
const OPEN: usize = 7;
/// From one post of a fence to the next.
const POST_STEP: f64 = 2.0;
/// How deep a step and a landing are, in metres.
const TREAD: f64 = 0.28;
const LANDING: f64 = 1.2;

/// The pieces of a kind.
pub(super) fn pieces(kind: &str, told: &Told) -> Vec<Piece> {
    match kind {
        "maze" => maze(told),
        "steps" => steps(told),
        "wall" => {
            let [wide, high, deep] = told.edges;
            let (from, to) = (DVec3::X * -0.5 * wide, DVec3::X * 0.5 * wide);
            thick_wall("wall", from, to, [high, deep], &told.openings)
        }
        _ if told.round => rotunda(told),
        _ => room(told),
    }
}

/// A floor and three walls; the side to the viewer is open.
fn room(told: &Told) -> Vec<Piece> {
    let [wide, high, deep] = told.edges;
    let corner = |x: f64, z: f64| DVec3::new(0.5 * wide * x, 0.0, 0.5 * deep * z);
    let of = |side: Side| -> Vec<Opening> {
        told.openings.iter().copied().filter(|opening| opening.side == side).collect()
    };
    let mut all = vec![sheet(Role::Floor, [wide, deep], LIFT)];
    all.extend(wall("back wall", corner(-1.0, -1.0), corner(1.0, -1.0), high, &of(Side::Back)));
    all.extend(wall("left wall", corner(-1.0, 1.0), corner(-1.0, -1.0), high, &of(Side::Left)));
    all.extend(wall("right wall", corner(1.0, -1.0), corner(1.0, 1.0), high, &of(Side::Right)));
    if told.ceiling {
        all.push(sheet(Role::Ceiling, [wide, deep], high));
    }
    all
}

/// A round room: the panels towards the viewer are left out, and those of an entrance at the back.
fn rotunda(told: &Told) -> Vec<Piece> {
    let [wide, high, _] = told.edges;
    let radius = 0.5 * wide;
    let spot = |at: usize| {
        let turn = std::f64::consts::TAU * at as f64 / ROUND as f64;
        DVec3::new(radius * turn.sin(), 0.0, radius * turn.cos())
    };
    let floor =
        serde_json::json!({ "center": [0.0, LIFT, 0.0], "normal": [0, 1, 0], "radius": radius });
    let floor =
        Piece { name: "floor".to_owned(), role: Role::Floor, shape: "disc", properties: floor };
    let mut all = vec![floor];
    let is_open = |at: usize| at < OPEN / 2 + 1 || at + OPEN / 2 + 1 > ROUND;
    for at in (0..ROUND).filter(|at| !is_open(*at)) {
        let (from, to) = (spot(at), spot(at + 1));
        let is_entrance = at == ROUND / 2 && !told.openings.is_empty();
        let openings = if is_entrance { told.openings.get(..1).unwrap_or_default() } else { &[] };
        let length = from.distance(to);
        let way = (to - from) / length.max(1e-9);
        for [at, long, low, high] in stretches(length, high, openings) {
            all.push(panel("wall", from + way * at + DVec3::Y * low, way * long, high));
        }
    }
    all
}

/// Steps that lead up away from the viewer, each a box from the ground, and a landing behind the last.
fn steps(told: &Told) -> Vec<Piece> {
    let [wide, ..] = told.edges;
    let depth = TREAD * told.steps as f64 + if told.landing { LANDING } else { 0.0 };
    let front = 0.5 * depth;
    let mut all: Vec<Piece> = (0..told.steps)
        .map(|at| {
            let foot = DVec3::Z * (front - TREAD * (at as f64 + 0.5));
            let edges = DVec3::new(wide, told.rise * (at as f64 + 1.0), TREAD);
            block("step", Role::Step, foot, edges)
        })
        .collect();
    if told.landing {
        let foot = DVec3::Z * (0.5 * LANDING - front);
        let edges = DVec3::new(wide, told.rise * told.steps as f64, LANDING);
        all.push(block("landing", Role::Landing, foot, edges));
    }
    all
}

/// All sides of a rectangle: the front, the right, the back, the left.
pub(super) const ALL: [usize; 4] = [0, 1, 2, 3];

/// A fence, a hedge or a wall along sides of a rectangle; its openings are in the front.
pub(super) fn around(
    [wide, deep]: [f64; 2],
    [high, thick]: [f64; 2],
    openings: &[Opening],
    rails: bool,
    sides: &[usize],
) -> Vec<Piece> {
    let spot = |x: f64, z: f64| DVec3::new(0.5 * wide * x, 0.0, 0.5 * deep * z);
    let corners = [spot(-1.0, 1.0), spot(1.0, 1.0), spot(1.0, -1.0), spot(-1.0, -1.0)];
    let names = ["front", "right", "back", "left"];
    let mut all = Vec::new();
    for (at, name) in names.into_iter().enumerate().filter(|(at, _)| sides.contains(at)) {
        let (from, to) = (corners[at], corners[(at + 1) % 4]);
        let openings = if at == 0 { openings } else { &[] };
        if rails {
            all.extend(railing(name, from, to, [high, thick], openings));
            continue;
        }
        // Each wall reaches over the end of the one before.
        let reach = (to - from).normalize_or(DVec3::X) * 0.5 * thick;
        all.extend(thick_wall(name, from - reach, to - reach, [high, thick], openings));
    }
    all
}

/// Posts with two rails between them.
fn railing(
    name: &str,
    from: DVec3,
    to: DVec3,
    [high, thick]: [f64; 2],
    openings: &[Opening],
) -> Vec<Piece> {
    let (way, length, across) = line(from, to);
    let mut all = Vec::new();
    let open: Vec<Opening> =
        openings.iter().map(|opening| Opening { high: f64::MAX, ..*opening }).collect();
    let runs = stretches(length, high, &open);
    let last = runs.len();
    for (run, [at, long, ..]) in runs.into_iter().enumerate() {
        let count = (long / POST_STEP).ceil().max(1.0) as usize;
        // The post at the end of a side is the first of the next.
        let posts = if run + 1 == last { count } else { count + 1 };
        for post in 0..posts {
            let foot = from + way * (at + long * post as f64 / count as f64);
            let edges = DVec3::new(1.4 * thick, high, 1.4 * thick);
            all.push(block(&format!("{name} post"), Role::Wall, foot, edges));
        }
        for level in [0.4, 0.8] {
            let foot = from + way * (at + 0.5 * long) + DVec3::Y * (level * high);
            let edges = way.abs() * long + across * 0.5 * thick + DVec3::Y * 0.12 * high;
            all.push(block(&format!("{name} rail"), Role::Wall, foot, edges));
        }
    }
    all
}
