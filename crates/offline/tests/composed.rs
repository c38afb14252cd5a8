//! Composed things: rooms by their measures, passages, mazes, steps, walls with openings, fences that close.

use scene::{NoAssets, Scene};
use spatial::{Extent, Space};

use crate::stage::Stage;

/// The boxes of the parts of a thing.
fn parts(stage: &Stage, id: &str) -> Vec<Extent> {
    let space = Space::of(stage.scene(), &NoAssets);
    let own = space.bodies().iter().filter(|body| space.whole_of(body).unwrap_or(body.id) == id);
    own.map(|body| body.solid.extent()).collect()
}

fn extent(stage: &Stage, id: &str) -> Extent {
    parts(stage, id).into_iter().reduce(Extent::union).unwrap()
}

/// What a message makes over nothing.
fn stage_of(message: &str, expectations: &[&str]) -> Stage {
    let mut stage = Stage::over(Scene::default());
    stage.expect(message, expectations);
    stage
}

#[test]
fn a_room_that_is_measured_is_plain_and_so_large() {
    let stage = stage_of("a hall 9 m x 6 m, 4 m ceiling, two doorways", &["1 thing", "no ~sofa"]);
    let size = extent(&stage, "hall").size();
    assert!((size.x - 9.0).abs() < 0.1 && (size.z - 6.0).abs() < 0.1, "{size}");
    assert!((size.y - 4.0).abs() < 0.1, "{size}");
    // A floor, two walls, and of the third three stretches with the heads of two doorways.
    assert_eq!(parts(&stage, "hall").len(), 3 + 3 + 2);
    // One that is not measured is furnished.
    stage_of("a living room", &["1 ~sofa", "5+ thing"]);
}

#[test]
fn the_walls_and_the_floor_of_a_room_look_as_told() {
    let stage = stage_of("a room 5 m by 4 m with green walls and a marble floor", &[]);
    let of = |name: &str| stage.scene().shapes.iter().find(|shape| shape.id.as_str() == name);
    let (floor, wall) = (of("room_floor").unwrap(), of("room_back_wall").unwrap());
    assert!(format!("{:?}", floor.material).contains("marble"), "{:?}", floor.material);
    assert_ne!(floor.material, wall.material);
}

#[test]
fn things_of_a_passage_stand_inside_of_it() {
    let stage =
        stage_of("a hallway with columns on both sides, four a side", &["8 ~column", "no-overlap"]);
    let hall = extent(&stage, "hallway");
    let columns = (1..=8).map(|at| if at == 1 { "column".into() } else { format!("column_{at}") });
    let at: Vec<_> = columns.map(|id| extent(&stage, &id).center() - hall.center()).collect();
    let half = 0.5 * hall.size();
    assert!(at.iter().all(|at| at.x.abs() < half.x && at.z.abs() < half.z), "{at:?}");
    assert_eq!(at.iter().filter(|at| at.x < 0.0).count(), 4);
}

#[test]
fn what_is_at_the_far_end_of_a_passage_stands_in_it() {
    let stage = stage_of("a corridor. A wardrobe at the far end", &["1 ~wardrobe"]);
    let (passage, own) = (extent(&stage, "corridor"), extent(&stage, "wardrobe"));
    assert!(own.min.z - passage.min.z < 0.3 && own.min.z > passage.min.z, "{own:?}");
}

#[test]
fn steps_are_as_many_and_as_high_as_told() {
    let stage = stage_of("a stairway, 7 steps, 25 cm rise, a landing at the top", &["1 thing"]);
    assert_eq!(parts(&stage, "stairway").len(), 8);
    assert!((extent(&stage, "stairway").size().y - 7.0 * 0.25).abs() < 1e-6);
}

#[test]
fn steps_that_the_next_sentence_tells_are_those_of_the_staircase() {
    let stage = stage_of("a staircase. Six steps.", &["1 thing"]);
    assert_eq!(parts(&stage, "staircase").len(), 6);
}

#[test]
fn what_reaches_to_a_ceiling_that_is_not_there_is_made() {
    let mut stage = stage_of("a table", &[]);
    let said = stage.say("a wardrobe in a corner, up to the ceiling");
    assert!(said.contains("wardrobe") && said.contains("ceiling"), "{said}");
    stage.expect("how many wardrobes are there?", &["1 ~wardrobe"]);
}

#[test]
fn a_maze_has_as_many_cells_as_told() {
    let stage = stage_of("a maze, 5 by 3", &["1 thing"]);
    let size = extent(&stage, "maze").size();
    assert!((size.x / size.z - 5.0 / 3.0).abs() < 0.05, "{size}");
}

#[test]
fn a_fence_closes_around_all_that_is_meant() {
    let mut stage = stage_of("a shed and a well", &["1 ~shed", "1 ~well"]);
    stage.expect("a hedge around all of it, with a gap", &["1 ~hedge", "no-overlap"]);
    let hedge = extent(&stage, "hedge");
    for id in ["shed", "well"] {
        let own = extent(&stage, id);
        let inside = own.min.cmpgt(hedge.min) & own.max.cmplt(hedge.max);
        assert!(inside.x && inside.z, "{own:?} {hedge:?}");
    }
    // Three sides, and the front one parted.
    assert_eq!(parts(&stage, "hedge").len(), 5);
    stage.expect("two goats inside the hedge, one outside", &["3 ~goat"]);
    let hedge = hedge.center();
    let far = |id: &str| (extent(&stage, id).center() - hedge).with_y(0.0).length();
    assert!(far("goat_3") > far("goat") && far("goat_3") > far("goat_2"));
    let mut stage = stage_of("a tent", &[]);
    stage.expect("surround it with a fence", &["1 ~fence"]);
    assert!(extent(&stage, "fence").size().x > extent(&stage, "tent").size().x + 1.0);
}

#[test]
fn a_wall_has_the_gap_that_is_told() {
    let stage = stage_of("a brick wall with a doorway", &["1 ~wall"]);
    // Two stretches and what is above the doorway.
    assert_eq!(parts(&stage, "wall").len(), 3);
}

#[test]
fn another_room_is_plain_too_and_stands_apart() {
    let mut stage = stage_of("a room 6 m by 5 m", &["1 thing"]);
    stage.expect("add another room", &["no ~sofa"]);
    let (first, second) = (extent(&stage, "room"), extent(&stage, "room_2"));
    let apart = (second.center() - first.center()).abs() - 0.5 * (first.size() + second.size());
    assert!(apart.x.max(apart.z) > 0.0, "{first:?} {second:?}");
}

#[test]
fn a_moat_lies_around_a_castle() {
    let stage = stage_of("a castle with a moat around it", &["1 ~castle", "1 ~moat"]);
    let (castle, moat) = (extent(&stage, "castle"), extent(&stage, "moat"));
    assert!(moat.min.x < castle.min.x && moat.max.z > castle.max.z && moat.size().y < 0.2);
}

#[test]
fn a_hedge_lines_the_sides_of_a_lawn() {
    let stage = stage_of("a lawn with a hedge down both sides", &["1 ~lawn", "1 ~hedge"]);
    let (lawn, hedge) = (extent(&stage, "lawn"), parts(&stage, "hedge"));
    assert_eq!(hedge.len(), 2);
    assert!(hedge.iter().all(|side| (side.size().z - lawn.size().z).abs() < 1.0));
}
