//! Shapes that the tracer intersects as triangles.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use serde_json::{Value, json};
use tessellation::{COARSE, FINE, MeshKey};

use crate::support::{
    area, assert_sound_normals, assert_watertight, corners, is_balanced, shape, triangles, volume,
};

/// Points on a circle in the x-y plane.
fn circle(count: u32, radius: f64, middle: [f64; 2]) -> Vec<[f64; 2]> {
    let at = |step: u32| (TAU * f64::from(step) / f64::from(count)).sin_cos();
    (0..count).map(at).map(|(y, x)| [middle[0] + radius * x, middle[1] + radius * y]).collect()
}

fn star(spikes: u32) -> Vec<[f64; 2]> {
    let outer = circle(spikes, 1.0, [0.0; 2]);
    let turned = |[x, y]: [f64; 2]| {
        let (sin, cos) = (PI / f64::from(spikes)).sin_cos();
        [0.4 * (x * cos - y * sin), 0.4 * (x * sin + y * cos)]
    };
    outer.iter().flat_map(|point| [*point, turned(*point)]).collect()
}

#[track_caller]
fn assert_measures(kind: &str, properties: &Value, expected: [f64; 2], slack: f64) {
    let geometry = shape(kind, properties);
    for share in [FINE, COARSE] {
        let triangles = triangles(&geometry, share).triangles;
        assert_watertight(kind, &triangles);
        assert_sound_normals(kind, &triangles);
        let measured = [area(&triangles), volume(&triangles)];
        for (is, expected) in measured.into_iter().zip(expected) {
            let off = (is / expected - 1.0).abs();
            let slack = slack.max(if share == FINE { 2e-3 } else { 2e-2 });
            assert!(off < slack, "{kind} to {share}: {is} for {expected}");
        }
    }
}

#[test]
fn a_straight_tube_is_a_capsule() {
    for curve in ["straight", "smooth"] {
        let tube =
            json!({ "points": [[1, 2, 3], [1, 4, 3], [1, 5, 3]], "radius": 0.5, "curve": curve });
        let expected = [TAU * 0.5 * 3.0 + PI, PI * 0.25 * 3.0 + PI / 6.0];
        assert_measures("tube", &tube, expected, 0.0);
    }
    let bezier = json!({ "points": [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0]], "radius": 0.5,
                         "curve": "bezier" });
    let expected = [TAU * 0.5 * 3.0 + PI, PI * 0.25 * 3.0 + PI / 6.0];
    assert_measures("tube", &bezier, expected, 0.0);
}

#[test]
fn a_tube_through_a_circle_is_a_ring() {
    let points: Vec<[f64; 3]> =
        circle(32, 2.0, [0.0; 2]).into_iter().map(|[x, y]| [x, 0.3 * x, y]).collect();
    let flat: Vec<[f64; 3]> = points.iter().map(|[x, _, z]| [*x, 0.0, *z]).collect();
    let ring = json!({ "points": flat, "radius": 0.5, "closed": true });
    assert_measures("tube", &ring, [TAU * TAU, TAU * 2.0 * PI * 0.25], 2e-3);
    // For any tilt, the last ring of vertices meets the first.
    let tilted = json!({ "points": points, "radius": 0.5, "closed": true });
    assert_watertight("tilted", &triangles(&shape("tube", &tilted), FINE).triangles);
}

#[test]
fn a_thinning_tube_thins_evenly() {
    let horn = json!({ "points": [[0, 0, 0], [0, 2, 0]], "radius": [1, 0.5], "curve": "straight" });
    let triangles = triangles(&shape("tube", &horn), FINE).triangles;
    assert_watertight("horn", &triangles);
    let cone = PI / 3.0 * 2.0 * (1.0 + 0.5 + 0.25);
    let ends = 2.0 / 3.0 * PI * (1.0 + 0.125);
    assert!((volume(&triangles) / (cone + ends) - 1.0).abs() < 2e-3);
}

#[test]
fn tubes_of_any_line_are_closed_and_stay_within_their_boxes() {
    let mut state = 7_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 4.0 - 2.0
    };
    for trial in 0..60 {
        let curve = ["smooth", "straight", "bezier"][trial % 3];
        let closed = trial % 2 == 0;
        let count = if curve == "bezier" && !closed { 7 } else { 6 };
        let points: Vec<[f64; 3]> = (0..count).map(|_| [next(), next(), next()]).collect();
        let radii: Vec<f64> = (0..count).map(|_| 0.05 + 0.05 * next().abs()).collect();
        let tube = json!({ "points": points, "radius": radii, "curve": curve, "closed": closed });
        let geometry = shape("tube", &tube);
        let placed = triangles(&geometry, COARSE).in_world();
        assert_watertight(&tube.to_string(), &placed);
        let bounds = geometry.bounds().unwrap();
        let size = DVec3::from(bounds.size()).max_element();
        for corner in corners(&placed).flatten() {
            let beyond = (DVec3::from(bounds.min) - corner).max(corner - DVec3::from(bounds.max));
            assert!(beyond.max_element() < 2e-3 * size, "{tube}: {corner} {bounds:?}");
        }
    }
}

#[test]
fn turned_profiles_have_the_measures_of_what_they_make() {
    let can = json!({ "base_center": [1, 2, 3], "profile": [[0, 0], [0.5, 0], [0.5, 2], [0, 2]] });
    let cylinder = [TAU * 0.5 * 2.5, PI * 0.25 * 2.0];
    assert_measures("lathe", &can, cylinder, 0.0);
    let upside_down = json!({ "base_center": [1, 2, 3], "rotation": [20, 30, 40],
                              "profile": [[0, 2], [0.5, 2], [0.5, 0], [0, 0]] });
    assert_measures("lathe", &upside_down, cylinder, 0.0);
    // A profile that ends at its beginning makes a ring, also clockwise.
    for reversed in [false, true] {
        let mut profile = circle(96, 0.5, [2.0, 1.0]);
        profile.push(profile[0]);
        if reversed {
            profile.reverse();
        }
        let ring = json!({ "base_center": [0, 0, 0], "profile": profile });
        assert_measures("lathe", &ring, [TAU * TAU, TAU * 2.0 * PI * 0.25], 2e-3);
        let mut coarse = circle(16, 0.5, [2.0, 1.0]);
        coarse.push(coarse[0]);
        let smooth = json!({ "base_center": [0, 0, 0], "profile": coarse, "smooth": true });
        assert_measures("lathe", &smooth, [TAU * TAU, TAU * 2.0 * PI * 0.25], 1e-2);
    }
}

#[test]
fn a_vase_is_open_and_faces_outwards() {
    let vase =
        json!({ "base_center": [0, 0, 0], "profile": [[0, 0], [0.5, 0], [0.8, 0.6], [0.3, 1.4]] });
    let triangles = triangles(&shape("lathe", &vase), FINE).triangles;
    assert_sound_normals("vase", &triangles);
    for [a, b, c] in corners(&triangles) {
        let normal = (b - a).cross(c - a);
        let middle = (a + b + c) / 3.0 - DVec3::Y * 0.5;
        assert!(normal.dot(middle) > 0.0, "{middle}");
    }
}

#[test]
fn extrusions_have_the_measures_of_their_outlines() {
    let slab = json!({ "center": [1, 2, 3], "outline": [[0, 0], [0, 2], [3, 2], [3, 0]], "depth": 0.5,
                       "rotation": [10, 20, 30] });
    assert_measures("extrusion", &slab, [2.0 * 6.0 + 0.5 * 10.0, 3.0], 1e-6);
    // Duplicate corners, and the first one repeated at the end.
    let idle = json!({ "center": [0, 0, 0], "depth": 0.5,
        "outline": [[0, 0], [1, 0], [1, 0], [3, 0], [3, 2], [0, 2], [0, 1], [0, 0]] });
    assert_measures("extrusion", &idle, [2.0 * 6.0 + 0.5 * 10.0, 3.0], 1e-6);
    let holed = json!({ "center": [0, 0, 0], "outline": [[0, 0], [4, 0], [4, 3], [0, 3]], "depth": 1,
        "holes": [[[1, 1], [2, 1], [2, 2], [1, 2]], [[3, 1], [3, 2], [3.5, 1.5]]] });
    let rim = 14.0 + 4.0 + 1.0 + 2.0 * 0.5f64.sqrt();
    assert_measures("extrusion", &holed, [2.0 * 10.75 + rim, 10.75], 1e-6);
    let star = json!({ "center": [0, 0, 0], "outline": star(7), "depth": 0.3 });
    let spike = (PI / 7.0).sin() * 0.4;
    let edge = (1.0 - 0.4 * (PI / 7.0).cos()).hypot(spike);
    assert_measures(
        "extrusion",
        &star,
        [2.0 * 7.0 * spike + 0.3 * 14.0 * edge, 0.3 * 7.0 * spike],
        1e-6,
    );
}

#[test]
fn wedges_and_prisms_have_the_measures_of_textbooks() {
    let wedge = json!({ "center": [1, 2, 3], "dimensions": [3, 4, 2], "rotation": [10, 20, 30] });
    // Two triangles, the bottom, the back and the slope.
    assert_measures("wedge", &wedge, [12.0 + 6.0 + 8.0 + 10.0, 12.0], 1e-6);
    for sides in [3, 4, 6, 64] {
        let prism = json!({ "center": [1, 2, 3], "radius": 2, "height": 1.5, "sides": sides, "rotation": [5, 6, 7] });
        let n = f64::from(sides);
        let (polygon, edge) = (2.0 * n * (TAU / n).sin(), 4.0 * (PI / n).sin());
        assert_measures("prism", &prism, [2.0 * polygon + n * edge * 1.5, polygon * 1.5], 1e-6);
    }
    // One side faces the front.
    let prism =
        shape("prism", &json!({ "center": [0, 0, 0], "radius": 1, "height": 1, "sides": 6 }));
    let front = prism.bounds().unwrap().max[2];
    assert!((front - (PI / 6.0).cos()).abs() < 1e-9, "{front}");
}

#[test]
fn every_letter_of_the_font_is_closed() {
    let ranges =
        [0x21..=0x7e, 0xa1..=0x24f, 0x370..=0x3ff, 0x400..=0x52f, 0x1e00..=0x1eff, 0x2010..=0x27bf];
    let mut drawn = 0;
    let mut broken = Vec::new();
    for letter in ranges.into_iter().flatten().filter_map(char::from_u32) {
        let text = json!({ "text": letter.to_string(), "base_center": [0, 0, 0], "size": 1, "depth": 0.2 });
        let shape_json = json!({ "id": "a", "type": "text", "properties": text });
        let Ok(scene) = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape_json] }))
        else {
            continue;
        };
        let triangles = triangles(&scene.shapes[0].geometry, 1e-3).triangles;
        if triangles.triangles.is_empty() {
            continue;
        }
        drawn += 1;
        if !is_balanced(&triangles) || volume(&triangles) <= 0.0 {
            broken.push(letter);
        }
    }
    assert!(drawn > 1500, "only {drawn}");
    assert!(broken.is_empty(), "{} of {drawn}: {broken:?}", broken.len());
}

#[test]
fn words_stand_on_their_line_in_the_middle() {
    let words = |text: &str| {
        let text = json!({ "text": text, "base_center": [1, 2, 3], "size": 0.5, "depth": 0.2 });
        shape("text", &text)
    };
    let bounds = words("HIH").bounds().unwrap();
    assert!((bounds.min[1] - 2.0).abs() < 1e-9 && (bounds.max[1] - 2.5).abs() < 1e-9, "{bounds:?}");
    assert!((bounds.center()[0] - 1.0).abs() < 0.03, "{bounds:?}");
    assert!((bounds.min[2] - 2.9).abs() < 1e-9 && (bounds.max[2] - 3.1).abs() < 1e-9, "{bounds:?}");
    let lines = words("HH\nHH").bounds().unwrap();
    assert!((lines.min[1] - 2.0).abs() < 1e-9 && lines.max[1] > 2.9, "{lines:?}");
    // Kerned letters are closer.
    let [together, apart] = ["AV", "HH"].map(|text| words(text).bounds().unwrap().size()[0]);
    assert!(together < apart, "{together} {apart}");
}

#[test]
fn land_goes_through_its_heights() {
    let rows = json!([[0, 1, 0], [2, 3, 1], [0, 1, -1]]);
    for smooth in [false, true] {
        let land =
            json!({ "center": [0, 0, 0], "sides": [4, 2], "heights": rows, "smooth": smooth });
        let triangles = triangles(&shape("height_field", &land), FINE).triangles;
        assert_sound_normals("land", &triangles);
        let at = |x: f32, z: f32| {
            let here = |p: &&[f32; 3]| (p[0] - x).abs() < 1e-6 && (p[2] - z).abs() < 1e-6;
            triangles.positions.iter().find(here).map(|p| p[1])
        };
        assert_eq!(at(-2.0, -1.0), Some(0.0));
        assert_eq!(at(0.0, 0.0), Some(3.0));
        assert_eq!(at(2.0, 1.0), Some(-1.0));
        assert_eq!(at(2.0, 0.0), Some(1.0));
    }
    let flat = json!({ "center": [0, 0, 0], "sides": [4, 2], "heights": [[1, 1], [1, 1]] });
    assert!((area(&triangles(&shape("height_field", &flat), FINE).triangles) - 8.0).abs() < 1e-4);
}

#[test]
fn land_of_noise_rises_as_high_as_it_is_told() {
    let land = |seed: u32| {
        let noise = json!({ "seed": seed, "height": 2, "feature_size": 3 });
        shape("height_field", &json!({ "center": [0, 5, 0], "sides": [20, 10], "noise": noise }))
    };
    let bounds = land(1).bounds().unwrap();
    assert!(bounds.min[1] >= 5.0 && bounds.max[1] <= 7.0 && bounds.size()[1] > 1.2, "{bounds:?}");
    assert_eq!((bounds.min[0], bounds.max[2]), (-10.0, 5.0));
    assert_ne!(land(1).bounds(), land(2).bounds());
}

#[test]
fn a_form_is_the_same_wherever_it_stands() {
    let name = |kind: &str, properties: &Value| MeshKey::of(&shape(kind, properties)).unwrap().name;
    let can = |center: [f64; 3], rotation: [f64; 3], height: f64| {
        let profile = json!([[0, 0], [0.5, 0], [0.5, height], [0, height]]);
        name("lathe", &json!({ "base_center": center, "profile": profile, "rotation": rotation }))
    };
    assert_eq!(can([0.0; 3], [0.0; 3], 1.0), can([1.0, 2.0, 3.0], [10.0, 20.0, 30.0], 1.0));
    assert_ne!(can([0.0; 3], [0.0; 3], 1.0), can([0.0; 3], [0.0; 3], 2.0));
    let cord = |by: f64| {
        let points = json!([[0.1 + by, 0, 0], [1.3 + by, 1, 0], [2.7 + by, 0, 1]]);
        name("tube", &json!({ "points": points, "radius": 0.1 }))
    };
    assert_eq!(cord(0.0), cord(7.3));
    assert!(MeshKey::is_name(&cord(0.0)) && !MeshKey::is_name("meshes/knot.ply"));
    assert!(MeshKey::of(&shape("sphere", &json!({ "center": [0, 0, 0], "radius": 1 }))).is_none());
}
