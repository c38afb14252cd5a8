//! No part of a message vanishes: what can be done is done, the rest is told.

use scene::{Geometry, Scene};
use spatial::{Space, StageRule, stage_edits};

use crate::stage::Stage;

#[test]
fn of_a_list_what_is_there_goes() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball, a cube and a cone", &["1 sphere", "1 cube", "1 cone"]);
    let said = stage.say("no ball, no dragon and no cone");
    assert!(said.contains("dragon"), "{said}");
    stage.expect("how many things are there?", &["1 cube", "no sphere", "no cone"]);
}

#[test]
fn what_there_is_not_to_be_and_is_not_takes_nothing_away() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with a ball on it", &["1 ~table", "1 sphere"]);
    stage.expect("no bottle", &["1 ~table", "1 sphere", "no ~bottle"]);
}

#[test]
fn a_place_after_a_quality_is_where_it_goes() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table and a ball", &["1 ~table", "1 sphere"]);
    let placed = ["sphere shrank", "sphere on ~table", "~table kept"];
    stage.expect("make the ball much smaller on the table", &placed);
}

#[test]
fn a_second_clause_may_leave_out_its_verb() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball and a cube", &["1 sphere", "1 cube"]);
    let both = "make the ball much bigger, the cube blue";
    stage.expect(both, &["sphere grew", "1 blue cube", "no blue sphere"]);
}

#[test]
fn what_should_be_something_else_becomes_it() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a cube, a cone and a ball", &["1 cube", "1 cone", "1 sphere"]);
    stage.expect("no, the last one should be a pyramid", &["no sphere", "1 ~pyramid", "1 cube"]);
    stage.expect("not a cone, it should be a box", &["1 ~pyramid"]);
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball and a cube", &["1 sphere", "1 cube"]);
    stage.expect("let the ball roll around the cube", &["sphere unchanged", "cube unchanged"]);
    stage.expect("make a video of the ball", &["sphere unchanged", "cube unchanged"]);
}

#[test]
fn so_many_times_smaller_is_smaller() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a chair", &["1 ~chair"]);
    stage.expect("make the chair 2 times smaller", &["~chair shrank"]);
}

#[test]
fn it_after_something_unknown_is_nothing() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball and a cube", &["1 sphere", "1 cube"]);
    let lost = "move the dragon to the right and rotate it by 45 degrees";
    stage.expect(lost, &["sphere unchanged", "cube unchanged"]);
}

#[test]
fn put_down_is_straight_down() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table", &["1 ~table"]);
    stage.expect("a ball on it, on the left side", &["sphere on ~table"]);
    stage.expect("raise the ball by 20 cm", &["sphere moved up 0.15..0.25"]);
    stage.expect("put it down on the table", &["sphere on ~table", "sphere moved down 0.15..0.25"]);
}

#[test]
fn what_is_for_tables_goes_on_the_table_before_it() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a desk, a laptop and a mug", &["~laptop on ~desk", "~mug on ~desk"]);
}

#[test]
fn the_lens_is_set_by_its_numbers() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball", &["1 sphere"]);
    stage.say("use an 85 mm lens at f/2.8");
    let camera = &stage.scene().camera;
    assert!((camera.vfov.get() - 16.07).abs() < 0.05, "{}", camera.vfov.get());
    let aperture = camera.aperture.get();
    assert!((aperture - 0.085 / 2.8).abs() < 1e-3, "{aperture}");
}

#[test]
fn a_lens_that_is_told_with_what_is_made_is_for_a_picture_of_it() {
    for message in [
        "a perfume bottle on a stone slab, 85 mm lens, shallow depth of field",
        "a perfume bottle on a stone slab with a shallow depth of field and an 85 mm lens",
    ] {
        let mut stage = Stage::over(Scene::default());
        stage.say(message);
        let scene = stage.scene();
        let space = spatial::Space::of(scene, &scene::NoAssets);
        let bottle = space.unit("perfume_bottle").expect("it is there").solid.extent();
        let camera = &scene.camera;
        let distance = bottle.center().distance(camera.center.get().into());
        let looks = glam::DVec3::from(camera.look_at.get()).distance(camera.center.get().into());
        let focus = camera.focus_distance.map_or(looks, |distance| distance.get());
        assert!(distance < 4.0 && (focus / distance - 1.0).abs() < 0.2, "{distance} m, {focus} m");
        assert!((camera.vfov.get() - 16.07).abs() < 0.05, "{message}: {}", camera.vfov.get());
        let aperture = camera.aperture.get();
        assert!(aperture > 0.0 && aperture < 0.1 * distance, "{aperture} m at {distance} m");
    }
}

#[test]
fn what_was_sharp_stays_so_when_the_camera_moves() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a perfume bottle on a stone slab, 85 mm lens, shallow depth of field");
    let sharp = |scene: &Scene| {
        let [center, look_at] = [scene.camera.center.get(), scene.camera.look_at.get()];
        let (center, look_at) = (glam::DVec3::from(center), glam::DVec3::from(look_at));
        let distance = scene.camera.focus_distance.map_or(center.distance(look_at), |it| it.get());
        (center, center + (look_at - center).normalize() * distance)
    };
    let (before, focus) = sharp(stage.scene());
    for message in ["move the camera back a bit", "look from the left", "go closer"] {
        stage.say(message);
        let (now, focus_now) = sharp(stage.scene());
        let moved = now.distance(before);
        assert!(moved > 0.01 && focus_now.distance(focus) < 0.3, "{message}: {focus} {focus_now}");
    }
}

#[test]
fn names_are_written_alike_before_things_towards_the_camera() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a cone, a cylinder and a tiny ball with labels", &["3 text"]);
    let space = Space::of(stage.scene(), &scene::NoAssets);
    let extent = |id: &str| space.unit(id).expect("it is there").solid.extent();
    let labels = ["cone_label", "cylinder_label", "ball_label"];
    for (at, one) in labels.iter().enumerate() {
        for other in &labels[..at] {
            assert!(extent(one).distance(extent(other)) > 0.0, "{one} meets {other}");
        }
    }
    let facing = |id: &str| match &stage.scene().shape(id).expect("a label").geometry {
        Geometry::Text(text) => (text.size.get(), text.rotation.get()),
        other => panic!("{id} is {other:?}"),
    };
    assert!(labels.iter().all(|label| facing(label) == facing("cone_label")));
    let camera = staged(stage.scene()).camera;
    let way = glam::DVec3::from(camera.center.get()) - glam::DVec3::from(camera.look_at.get());
    let [_, turned, _] = facing("cone_label").1;
    assert!((turned - way.x.atan2(way.z).to_degrees()).abs() < 1.0, "{turned}");
}

#[test]
fn words_spelled_by_ear_are_heard() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a castel and a tree", &["1 ~castle", "1 ~tree"]);
    stage.expect("make it nite", &["environment dark", "no ~kite"]);
}

#[test]
fn what_a_thing_is_made_with_is_labelled_part_by_part() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("the solar system with the names of the planets", &["8 text"]);
    let mut stage = Stage::over(Scene::default());
    stage.say("the solar system");
    stage.expect("label the planets", &["8 text"]);
}

#[test]
fn weather_told_behind_a_place_is_made_with_it() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a volcano by the sea in the rain", &["1 ~volcano", "1 ~sea"]);
    assert_ne!(stage.scene().environment, with_stage_only().environment);
}

/// The scene as a server has it, with ground, lights and camera that come with its first things.
fn staged(scene: &Scene) -> Scene {
    let mut draft = scene::SceneManager::new(scene.clone()).draft();
    let nothing = Scene::default();
    let [before, after] = [&nothing, scene].map(|all| Space::of(all, &scene::NoAssets));
    for edit in stage_edits(&before, &after, StageRule { begins: true, by_hand: false }) {
        assert!(draft.apply(&edit).is_ok(), "the stage is valid");
    }
    draft.scene().clone()
}

fn with_stage_only() -> Scene {
    let mut stage = Stage::over(Scene::default());
    stage.say("a volcano by the sea");
    stage.scene().clone()
}
