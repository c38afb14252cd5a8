//! What reaches into each other because it is made so, and what does by mistake.

use scene::{NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Sight, Space};

fn cuboid(id: &str, center: [f64; 3], dimensions: [f64; 3]) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": dimensions } })
}

fn cylinder(id: &str, [x, y, z]: [f64; 3], radius: f64, height: f64) -> Value {
    json!({ "id": id, "type": "cylinder", "properties": { "base_center": [x, y, z],
        "top_center": [x, y + height, z], "radius": radius, "capped": true } })
}

/// The pairs that overlap by mistake, on a floor.
fn overlaps(shapes: &[Value]) -> Vec<String> {
    let floor = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } });
    let mut shapes = [&[floor], shapes].concat();
    for shape in &mut shapes {
        shape["properties"]["material"] =
            json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    }
    let camera = json!({ "center": [0, 3, 15], "look_at": [0, 1, 0] });
    let scene = json!({ "version": 1, "shapes": shapes, "camera": camera });
    let scene = Scene::from_json(&scene).unwrap();
    let found = spatial::check(&Space::of(&scene, &NoAssets), &mut |_| Sight::Seen).found;
    let overlaps = found.into_iter().filter(|finding| finding.check == "overlap");
    overlaps.map(|finding| finding.ids.join(" ")).collect()
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
