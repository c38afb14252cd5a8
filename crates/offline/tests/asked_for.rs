//! What is asked for: parts that are understood are done, words that mean nothing spoil no others.

use scene::{Environment, Scene};

use crate::stage::Stage;

#[test]
fn what_is_understood_of_a_message_is_done_and_the_rest_told() {
    let mut stage = Stage::over(Scene::default());
    let said = stage
        .say("Two quibbled maples flanking a front door. Red. Keep them zinging under five feet.");
    assert!(said.contains("quibbled") && said.contains("zinging"), "{said}");
    stage.expect("how many maples are there?", &["2 red ~maple", "1 ~door"]);
}

#[test]
fn of_what_is_there_nothing_is_changed_by_a_guess() {
    let mut stage = Stage::with("table");
    stage.expect(
        "blorp the table frobnicated zinging, and remove the quibbled ball of whatnot",
        &["unchanged", "answers"],
    );
}

#[test]
fn no_noun_swallows_what_follows_a_comma() {
    let mut stage = Stage::over(Scene::default());
    stage.expect(
        "three beds in a row, a lamp by each, big window, a kennel",
        &["3 ~bed", "1 ~window", "1 ~kennel"],
    );
}

#[test]
fn the_last_of_several_nouns_tells_what_it_is() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a row of ten fence posts", &["10 ~post in-row", "10 cylinder"]);
}

#[test]
fn an_english_word_is_no_slip_of_another() {
    let mut stage = Stage::over(Scene::default());
    let said = stage.say("a white door ajar, dark stain");
    assert!(said.contains("ajar") && said.contains("stain"), "{said}");
    stage.expect("how many doors are there?", &["1 ~door", "no ~jar", "no ~stein", "no ~mug"]);
}

#[test]
fn of_a_scene_whose_contents_are_told_only_the_setting_is_made() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a campsite: a tent, a table and a canoe", &["1 ~tent", "1 ~canoe", "no ~guitar"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect("an empty campsite", &["no ~tent", "no ~person"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect("a forest with a cabin, a bear and a fox", &["1 ~bear", "5+ ~pine"]);
}

#[test]
fn what_is_spoken_of_as_known_is_made_where_there_is_nothing_yet() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball under the tall trees", &["1 ~ball", "3 ~tree"]);
    let mut stage = Stage::over(Scene::default());
    let said = stage.say("a pond with three rocks on its left bank");
    assert!(said.contains("left bank"), "{said}");
    stage.expect("how many rocks are there?", &["1 ~pond", "3 ~rock"]);
}

#[test]
fn plain_shapes_are_as_large_as_what_they_stand_for() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a driveway with a car", &["1 ~car", "~car on ~driveway"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect("a post 2 m tall", &["cylinder height 1.99..2.01"]);
}

#[test]
fn what_comes_with_a_thing_that_nobody_knows_is_made() {
    let mut stage = Stage::over(Scene::default());
    let said = stage.say("a trailhead with a bench and two rocks");
    assert!(said.contains("trailhead"), "{said}");
    stage.expect("how many rocks are there?", &["1 ~bench", "2 ~rock"]);
}

#[test]
fn an_emptied_scene_is_lit_by_day_unless_the_night_is_told() {
    let brightness = |message: &str| {
        let mut stage = Stage::over(Scene::default());
        stage.say(message);
        let lights = stage.scene().lights.len();
        match &stage.scene().environment {
            Environment::Gradient(sky) => (sky.top_color.get().iter().sum::<f64>(), lights),
            other => panic!("{message}: {other:?}"),
        }
    };
    let (day, night) =
        (brightness("an empty campground"), brightness("an empty campsite at night"));
    assert!(day.0 > 0.5 && night.0 < 0.3, "{day:?} {night:?}");
    assert_eq!((day.1, night.1), (0, 1), "no glow of a fire that is not there, but the moon");
}

#[test]
fn fog_leaves_what_the_camera_looks_at_in_the_end_to_be_seen() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a foggy street with a lamppost");
    let scene = stage.scene();
    let Environment::Gradient(sky) = &scene.environment else { panic!("{:?}", scene.environment) };
    let [from, to] = [scene.camera.center.get(), scene.camera.look_at.get()];
    let distance = (0..3).map(|axis| (from[axis] - to[axis]).powi(2)).sum::<f64>().sqrt();
    let visibility = sky.fog.as_ref().and_then(|fog| fog.visibility.as_ref()).expect("fog").get();
    assert!(
        visibility > 3.0 * distance && visibility < 6.0 * distance,
        "{visibility} of {distance}"
    );
}
