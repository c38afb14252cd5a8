//! Words that the lexicon has not: nouns of WordNet, adjectives by their endings, numbers with units.

use scene::Scene;

use crate::stage::Stage;

#[test]
fn what_nobody_made_is_the_nearest_and_told_so() {
    let mut stage = Stage::over(Scene::default());
    let answer = stage.say("a meerkat next to a wooden box");
    assert!(answer.contains("meerkat") && answer.contains("cat stands in"), "{answer}");
    stage.expect("make the meerkat grey", &["1 grey ~meerkat", "box unchanged"]);
    stage.expect("turn him round", &["box unchanged"]);
}

#[test]
fn what_nothing_is_like_is_a_plain_shape_and_told_so() {
    let mut stage = Stage::over(Scene::default());
    let answer = stage.say("a theodolite on a table");
    assert!(answer.contains("plain box stands in"), "{answer}");
    stage.expect("make the theodolite yellow", &["1 yellow box", "~table unchanged"]);
}

#[test]
fn an_adjective_that_nobody_knows_is_told_and_left_out() {
    let mut stage = Stage::over(Scene::default());
    let answer = stage.say("a dilapidated shed");
    assert!(answer.contains("dilapidated"), "{answer}");
    stage.expect("how many sheds are there?", &["1 ~shed", "says count ~shed"]);
}

#[test]
fn what_is_told_beside_the_matter_is_what_it_means() {
    Stage::with("shapes").expect(
        "The floor looks like a car park. Make it green like a lawn",
        &["id:floor is green", "only id:floor changed"],
    );
}

#[test]
fn on_each_is_on_each_of_those_named_before() {
    Stage::over(Scene::default())
        .expect("two tables, three cups on each", &["2 ~table", "6 ~cup on ~table"]);
}

#[test]
fn a_sentence_may_tell_more_of_the_one_before() {
    Stage::over(Scene::default())
        .expect("A fridge. A big one, steel, two doors.", &["1 ~fridge", "~fridge is metal"]);
}

#[test]
fn light_is_told_in_kelvin_and_pictures_in_stops() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red ball", &["1 red sphere"]);
    stage.say("one stop brighter");
    assert!((stage.scene().camera.exposure.get() - 1.0).abs() < 1e-9);
    stage.say("set the exposure to -2");
    assert!((stage.scene().camera.exposure.get() + 2.0).abs() < 1e-9);
    stage.say("a 2700 K light");
    let light = stage.scene().lights.iter().rfind(|light| light.group.is_none()).unwrap();
    let emission = light.light.emission();
    assert!(emission[0] > 1.5 * emission[2], "{emission:?}");
}

#[test]
fn grass_on_the_ground_is_all_of_it() {
    Stage::with("shapes")
        .expect("put grass on the ground", &["id:floor is green", "only id:floor changed"]);
}

#[test]
fn trees_of_an_island_stand_on_it() {
    Stage::over(Scene::default())
        .expect("an island with 5 pine trees", &["1 ~island", "5 ~tree on ~island"]);
}

#[test]
fn things_on_the_floor_are_all_that_stand_there() {
    Stage::with("shapes")
        .expect("how many things are standing on the floor?", &["answers", "mentions 4|four"]);
}

#[test]
fn a_word_that_is_mistyped_among_others_is_read() {
    Stage::with("shapes")
        .expect("the cone shuld be gold", &["id:green_cone is gold", "only cone changed"]);
}

#[test]
fn what_a_word_ends_with_tells_what_it_is() {
    let answer = Stage::over(Scene::default()).say("five textbooks");
    assert!(answer.contains("no textbook") && answer.contains("book stands in"), "{answer}");
}

#[test]
fn away_from_something_is_beside_it() {
    Stage::with("room").expect(
        "Pull the coffee table 30 cm away from the sofa.",
        &["id:coffee_table moved any 0.3", "only id:coffee_table changed"],
    );
}

#[test]
fn slender_things_stand_in_what_is_too_small_for_them() {
    Stage::over(Scene::default()).expect("a vase with three red roses in it", &["3 red ~rose"]);
}
