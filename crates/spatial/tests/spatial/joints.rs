//! What reaches into each other because it is made so, and what does by mistake.

use scene::{Kind, NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Sight, Space, facts};

fn cuboid(id: &str, center: [f64; 3], dimensions: [f64; 3]) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": dimensions } })
}

fn cylinder(id: &str, [x, y, z]: [f64; 3], radius: f64, height: f64) -> Value {
    json!({ "id": id, "type": "cylinder", "properties": { "base_center": [x, y, z],
        "top_center": [x, y + height, z], "radius": radius, "capped": true } })
}

fn sphere(id: &str, center: [f64; 3], radius: f64) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": center, "radius": radius } })
}

/// The pairs that overlap by mistake, on a floor. What a tool that made all of it would tell agrees with the check.
fn overlaps(shapes: &[Value]) -> Vec<String> {
    let floor = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } });
    let mut shapes = [&[floor], shapes].concat();
    for shape in &mut shapes {
        shape["properties"]["material"] =
            json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    }
    let camera = json!({ "center": [0, 3, 15], "look_at": [0, 1, 0] });
    let of = |shapes: &[Value]| {
        let scene = json!({ "version": 1, "shapes": shapes, "camera": camera });
        Scene::from_json(&scene).unwrap()
    };
    let (before, after) = (of(&shapes[..1]), of(&shapes));
    let space = Space::of(&after, &NoAssets);
    let found = spatial::check(&space, &mut |_| Sight::Seen).found;
    let overlaps = found.into_iter().filter(|finding| finding.check == "overlap");
    let overlaps: Vec<String> = overlaps.map(|finding| finding.ids.join(" ")).collect();
    let made = after.shapes.iter().map(|shape| (Kind::Shape, shape.id.as_str().to_owned()));
    // Of more than a hundred things facts tell only where they are.
    let made: Vec<(Kind, String)> = made.rev().take(100).collect();
    let told = facts(&Space::of(&before, &NoAssets), &space, &made).unwrap();
    assert_eq!(told.get("new_overlaps").is_some(), !overlaps.is_empty(), "{told} {overlaps:?}");
    overlaps
}

#[test]
fn posts_end_in_their_feet_and_legs_in_the_seat() {
    let lamp = [
        cylinder("foot", [0.0, 0.0, 0.0], 0.09, 0.25),
        cylinder("post", [0.0, 0.0, 0.0], 0.045, 2.7),
    ];
    assert_eq!(overlaps(&lamp), [""; 0]);
    let legs = [[-0.2, -0.2], [0.2, -0.2], [-0.2, 0.2], [0.2, 0.2]];
    let names = ["leg", "leg_2", "leg_3", "leg_4"];
    let mut chair: Vec<Value> = std::iter::zip(names, legs)
        .map(|(id, [x, z])| cylinder(id, [x, 0.0, z], 0.018, 0.45))
        .collect();
    chair.push(cuboid("seat", [0.0, 0.45, 0.0], [0.42, 0.035, 0.42]));
    assert_eq!(overlaps(&chair), [""; 0]);
}

#[test]
fn walls_meet_at_corners_and_bars_of_a_window_cross() {
    let walls = [
        cuboid("back", [0.0, 1.35, -2.5], [5.2, 2.7, 0.1]),
        cuboid("left", [-2.55, 1.35, 0.0], [0.1, 2.7, 7.2]),
        cuboid("sill", [2.55, 0.4, 0.0], [0.16, 0.8, 6.2]),
    ];
    assert_eq!(overlaps(&walls), [""; 0]);
    let window = [
        cuboid("mullion", [0.0, 1.5, 0.0], [0.1, 3.0, 0.1]),
        cuboid("transom", [0.0, 1.8, 0.0], [1.2, 0.1, 0.1]),
    ];
    assert_eq!(overlaps(&window), [""; 0]);
}

#[test]
fn soil_fills_its_pot_and_a_lid_sits_on_its_bin() {
    let pot = [
        cylinder("pot", [0.0, 0.0, 0.0], 0.15, 0.26),
        cylinder("soil", [0.0, 0.2, 0.0], 0.135, 0.065),
    ];
    assert_eq!(overlaps(&pot), [""; 0]);
    let lid = json!({ "id": "lid", "type": "ellipsoid",
        "properties": { "center": [0, 0.86, 0], "radii": [0.33, 0.12, 0.33] } });
    assert_eq!(overlaps(&[cylinder("bin", [0.0, 0.0, 0.0], 0.3, 0.85), lid]), [""; 0]);
}

#[test]
fn trees_are_rooted_in_hills() {
    let hill = json!({ "id": "hill", "type": "ellipsoid",
        "properties": { "center": [0, 2, 0], "radii": [8, 3, 6] } });
    let tree = json!({ "id": "fir", "type": "cone", "properties": { "base_center": [3, 4.2, 2],
        "top_center": [3, 6.2, 2], "base_radius": 1, "top_radius": 0, "capped": true } });
    let root = cylinder("trunk", [3.0, 3.85, 2.0], 0.12, 0.4);
    assert_eq!(overlaps(&[hill, tree, root]), [""; 0]);
}

#[test]
fn a_tower_stands_in_the_eaves_of_a_hall_and_a_door_in_its_step() {
    let roof = |x: f64| {
        json!({ "id": "roof", "type": "cone", "properties": { "base_center": [x, 1.6, 0],
        "top_center": [x, 2.7, 0], "base_radius": 1.75, "top_radius": 0, "capped": true } })
    };
    let hall = cuboid("hall", [0.0, 0.8, 0.0], [2.2, 1.6, 1.8]);
    let tower = |x: f64| cylinder("tower", [x, 0.0, 0.0], 0.55, 3.2);
    assert_eq!(overlaps(&[hall.clone(), roof(0.0), tower(-2.0)]), [""; 0]);
    assert_eq!(overlaps(&[hall, roof(0.0), tower(-1.3)]).len(), 2, "in the hall itself");
    let door = cuboid("door", [0.0, 1.1, 0.05], [1.15, 2.2, 0.12]);
    let step = |height: f64| cuboid("step", [0.0, 0.5 * height, 0.3], [1.6, height, 0.6]);
    assert_eq!(overlaps(&[door.clone(), step(0.18)]), [""; 0]);
    assert_eq!(overlaps(&[door, step(0.9)]).len(), 1);
}

#[test]
fn bushes_mingle_and_needles_grow_around_their_trunk() {
    let bush = |id: &str, x: f64| {
        let sides = (0..6).map(move |at| {
            let angle = f64::from(at) * std::f64::consts::FRAC_PI_3;
            let center = [x + 0.55 * angle.cos(), 0.6, 0.55 * angle.sin()];
            let mut side = sphere(&format!("{id}_side_{at}"), center, 0.6);
            side["group"] = id.into();
            side
        });
        sides.collect::<Vec<Value>>()
    };
    assert_eq!(overlaps(&[bush("one", 0.0), bush("two", 2.0)].concat()), [""; 0]);
    let trunk = json!({ "id": "trunk", "type": "tube", "properties": {
        "points": [[0, 0, 0], [0.1, 0.5, 0], [0, 1, 0]], "radius": [0.06, 0.04, 0.02] } });
    let pad = |leaves: u32, center: [f64; 3]| {
        let mut parts = vec![json!({ "id": "core", "type": "ellipsoid",
            "properties": { "center": center, "radii": [0.2, 0.03, 0.2] } })];
        parts.extend((0..leaves).map(|at| {
            let angle = f64::from(at);
            let [x, y, z] = center;
            json!({ "id": format!("leaf_{at}"), "type": "ellipsoid", "properties": {
                "center": [x + 0.18 * angle.cos(), y + 0.03, z + 0.18 * angle.sin()],
                "radii": [0.05, 0.005, 0.02], "rotation": [20.0 * angle.sin(), 37 * at, 9.0 * angle.cos()] } })
        }));
        parts.iter_mut().for_each(|part| part["group"] = "pad".into());
        parts
    };
    let grown = |leaves: u32| [vec![trunk.clone()], pad(leaves, [0.0, 1.0, 0.0])].concat();
    assert_eq!(overlaps(&grown(40)), [""; 0]);
}

#[test]
fn what_stands_by_itself_and_reaches_into_another_thing_is_told() {
    let crate_at = |id: &str, x: f64| cuboid(id, [x, 0.5, 0.0], [1.0, 1.0, 1.0]);
    assert_eq!(overlaps(&[crate_at("one", 0.0), crate_at("two", 0.8)]).len(), 1);
    // One around the other, on the same floor.
    let around = cuboid("around", [0.0, 0.3, 0.0], [0.6, 0.6, 0.6]);
    let inside = cuboid("inside", [0.0, 0.28, 0.0], [0.56, 0.56, 0.68]);
    assert_eq!(overlaps(&[around, inside]).len(), 1);
    let shell = cuboid("shell", [0.0, 0.4, 0.0], [0.8, 0.8, 0.9]);
    let core = cuboid("core", [0.0, 0.3, 0.0], [0.6, 0.6, 0.6]);
    assert_eq!(overlaps(&[shell, core]), ["core shell"]);
    // A jar that stands on the table half through the edge of a board.
    let board = cuboid("board", [0.0, 0.015, 0.0], [0.62, 0.03, 0.36]);
    let jar = cylinder("jar", [0.29, 0.0, 0.0], 0.06, 0.16);
    let beside = crate_at("crate", 4.0);
    assert_eq!(overlaps(&[board, jar, beside]), ["jar board"]);
    // A ball sunk deep into the block that it stands on, though over its middle.
    let block = cuboid("block", [0.0, 0.5, 0.0], [1.0, 1.0, 1.0]);
    let ball = json!({ "id": "ball", "type": "sphere",
        "properties": { "center": [0, 1.1, 0], "radius": 0.4 } });
    assert_eq!(overlaps(&[block, ball]), ["ball block"]);
    // A sofa that stands through a wall.
    let wall = cuboid("wall", [0.0, 1.35, 0.0], [5.0, 2.7, 0.1]);
    let sofa = cuboid("sofa", [0.0, 0.4, 0.3], [2.0, 0.8, 0.9]);
    assert_eq!(overlaps(&[wall, sofa]).len(), 1);
}
