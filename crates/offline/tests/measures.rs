//! Measures as people say them, and several things along the sides of something.

use scene::{NoAssets, Scene};
use spatial::{Extent, Space};

use crate::stage::Stage;

/// The box around the first thing of a name.
fn extent(stage: &Stage, id: &str) -> Extent {
    let space = Space::of(stage.scene(), &NoAssets);
    let own = space.bodies().iter().filter(|body| space.whole_of(body).unwrap_or(body.id) == id);
    own.map(|body| body.solid.extent()).reduce(Extent::union).unwrap()
}

#[test]
fn two_numbers_with_a_cross_are_measures_of_one_thing() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a rug, 5 x 8", &["1 ~rug"]);
    let size = extent(&stage, "rug").size();
    // In feet: no rug is eight meters long.
    assert!((size.x.max(size.z) - 8.0 * 0.3048).abs() < 0.05, "{size}");
    Stage::over(Scene::default()).expect("cubes, 3 x 4", &["12 box"]);
}

#[test]
fn numbers_share_the_unit_that_fits() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("an oak table 180 long by 90 wide", &["1 ~table"]);
    let size = extent(&stage, "table").size();
    assert!((size.x - 1.8).abs() < 0.02 && (size.z - 0.9).abs() < 0.02, "{size}");
    // It is as high as tables are.
    assert!((0.6..0.9).contains(&size.y), "{size}");
}

#[test]
fn marks_of_feet_and_inches_and_heights_by_the_body_are_measures() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a post 6'2\" tall next to a knee high wall");
    let height = extent(&stage, "post").size().y;
    assert!((height - (6.0 * 0.3048 + 2.0 * 0.0254)).abs() < 0.02, "{height}");
    let wall = extent(&stage, "wall").size();
    assert!((wall.y - 0.5).abs() < 0.02 && wall.x > 4.0, "{wall}");
}

#[test]
fn what_a_colon_follows_is_no_count() {
    Stage::over(Scene::default())
        .expect("A bedsit, 1953: bed and a chair", &["1 ~bed", "1 ~chair"]);
}

#[test]
fn seats_stand_at_the_sides_of_a_table_that_is_long_enough() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("twelve chairs around a table", &["12 ~chair", "1 ~table", "no-overlap"]);
    let table = extent(&stage, "table");
    let chairs = (1..=12).map(|at| if at == 1 { "chair".into() } else { format!("chair_{at}") });
    let far = |chair: &String| {
        let center = extent(&stage, chair).center() - table.center();
        let half = 0.5 * table.size();
        (center.x.abs() - half.x).max(center.z.abs() - half.z)
    };
    assert!(chairs.map(|chair| far(&chair)).all(|far| (0.0..0.8).contains(&far)));
}

#[test]
fn trees_stand_along_both_sides_of_a_road() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("trees on both sides of a road", &["6 ~tree", "1 ~road", "no-overlap"]);
    let road = extent(&stage, "road");
    let trees = ["tree", "tree_2", "tree_3", "tree_4", "tree_5", "tree_6"];
    let centers = trees.map(|tree| extent(&stage, tree).center() - road.center());
    assert!(centers.iter().all(|at| at.x.abs() < 0.5 * road.size().x), "{centers:?}");
    assert_eq!(centers.iter().filter(|at| at.z > 0.5 * road.size().z).count(), 3);
}

#[test]
fn things_lead_from_one_to_another() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("six rocks from a bench to a shed", &["6 ~rock", "1 ~bench", "1 ~shed"]);
    let [from, to] = ["bench", "shed"].map(|id| extent(&stage, id).center().with_y(0.0));
    let rocks = ["rock", "rock_2", "rock_3", "rock_4", "rock_5", "rock_6"];
    for rock in rocks.map(|id| extent(&stage, id).center().with_y(0.0)) {
        let detour = rock.distance(from) + rock.distance(to) - from.distance(to);
        assert!(detour < 0.3, "{rock} lies off the way");
    }
}

#[test]
fn a_measure_of_a_ring_is_that_of_the_ring() {
    for message in ["a circle of eight chairs, 6 m across", "eight chairs in a circle, 3 m radius"]
    {
        let mut stage = Stage::over(Scene::default());
        stage.expect(message, &["8 ~chair", "no-overlap"]);
        let first = extent(&stage, "chair");
        assert!(first.size().y < 1.2, "{message}: {first:?}");
        assert!((first.center().with_y(0.0).length() - 3.0).abs() < 0.1, "{message}: {first:?}");
    }
}

#[test]
fn a_measure_after_what_comes_with_a_thing_is_the_likelier_ones() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a pedestal, 1 m tall, with a mug on it, 15 cm high");
    assert!((extent(&stage, "pedestal").size().y - 1.0).abs() < 0.01);
    assert!((extent(&stage, "mug").size().y - 0.15).abs() < 0.01);
    let mut stage = Stage::over(Scene::default());
    stage.say("a table with four chairs around it, 3 m long");
    assert!((extent(&stage, "table").size().x - 3.0).abs() < 0.01);
}

#[test]
fn gaps_are_between_things() {
    for message in ["four crates in a row, gaps of 2 m", "four crates, 2 m between each"] {
        let mut stage = Stage::over(Scene::default());
        stage.expect(message, &["4 ~crate"]);
        let [one, other] = ["crate", "crate_2"].map(|id| extent(&stage, id));
        let gap = one.center().distance(other.center()) - one.size().x;
        assert!((gap - 2.0).abs() < 0.05, "{message}: {gap}");
    }
}

#[test]
fn twice_that_is_twice_as_far() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("four balls in a row", &["4 sphere"]);
    stage.say("raise the second one half a metre");
    stage.say("and the third one twice that");
    assert!((extent(&stage, "ball_3").min.y - 1.0).abs() < 0.01, "{:?}", extent(&stage, "ball_3"));
}

#[test]
fn a_door_in_a_wall_is_as_large_as_doors_are() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a wall with a door in it");
    let door = extent(&stage, "door");
    assert!(door.size().y > 1.9 && door.min.y.abs() < 0.01, "{door:?}");
}
