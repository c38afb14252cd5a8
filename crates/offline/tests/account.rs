//! Every word is used or told: what changed nothing, what was left out as beside the matter, what nobody knows.

use scene::Scene;

use crate::stage::Stage;

fn over(given: &str) -> Stage {
    let mut stage = Stage::over(Scene::default());
    if !given.is_empty() {
        stage.say(given);
    }
    stage
}

#[test]
fn what_is_beside_the_matter_but_asks_for_something_is_told() {
    let said = over("").say("a barn, one goat standing outside looking bored");
    assert!(said.contains("goat"), "{said}");
    let said = over("three cones").say("The cones are for my class, make them red");
    assert!(!said.contains("class"), "why it is asked for is no matter: {said}");
}

#[test]
fn what_is_read_and_changes_nothing_is_told() {
    let mut stage = over("a red ball and a cube");
    let said = stage.say("make the cube green, and make the ball red");
    assert!(
        said.contains("green") && said.contains("“make the ball red” changed nothing"),
        "{said}"
    );
}

#[test]
fn a_time_of_day_holds_for_the_scene_whatever_it_is_said_of() {
    let stage = over("a cow standing in tall grass at dusk");
    assert_ne!(stage.scene().environment, Scene::default().environment);
}

#[test]
fn a_word_that_is_not_known_refuses_nothing_else() {
    for message in [
        "a greybox table",
        "gimme a table",
        "can u do a table",
        "I want to see a table",
        "put a table in for scale",
    ] {
        let mut stage = over("a cone");
        stage.expect(message, &["1 ~table", "1 cone"]);
    }
    let mut stage = over("three cones");
    stage.expect("remove one cone i ate it", &["2 cone"]);
}

#[test]
fn an_ending_makes_a_word_of_another() {
    let mut stage = over("a cube");
    stage.expect("make it greenish", &["1 green cube"]);
    stage.expect("a bluish one", &["1 blue cube"]);
}

#[test]
fn a_word_in_another_sense_is_no_thing() {
    let mut stage = over("three books on a table");
    stage.expect("fan them out on the table", &["3 ~book", "no ~fan"]);
    let stage = over("a cube, 1.8 m tall. scale ref");
    assert!(stage.scene().group_ids().all(|id| !id.contains("scale")));
    let mut stage = over("");
    stage.expect("two snowmen and three knives", &["2 ~snowman", "3 ~knife"]);
}

#[test]
fn a_choice_is_the_first_and_what_is_as_usual_needs_nothing() {
    let mut stage = over("");
    stage.expect("a lamp or a candle on a table", &["1 ~lamp", "1 ~table", "no ~candle"]);
    let mut stage = over("");
    stage.expect("a red ball, not too big", &["1 red sphere"]);
}

#[test]
fn what_is_cut_down_to_something_stays() {
    let mut stage = over("a hedge and a tree");
    stage.expect("cut the hedge down to half its height", &["~hedge shrank", "~tree unchanged"]);
    stage.expect("cut down the tree", &["no ~tree", "1 ~hedge"]);
}

#[test]
fn a_color_that_is_told_with_it_is_that_of_the_surface() {
    let mut stage = over("a grey rug");
    let sky = stage.scene().environment.clone();
    stage.say("make it paler, almost white");
    assert_eq!(stage.scene().environment, sky);
    stage.expect("a bit of a dusty pink for the rug", &["1 ~rug"]);
}

#[test]
fn which_one_goes_may_be_told_after() {
    let mut stage = over("three cones in a row");
    stage.expect("lose one cone. The one on the left", &["2 cone"]);
}

#[test]
fn what_things_stand_before_is_behind_them() {
    let stage = over("a bottle on a teal background");
    assert_ne!(stage.scene().environment, Scene::default().environment);
}

#[test]
fn a_sentence_about_something_else_turns_nothing_of_the_others() {
    let mut stage = over("");
    let said = stage.say("A green cube, 50 cm wide. Width, mind you, not height.");
    assert!(stage.scene().shapes.len() == 1 && said.contains("not height"), "{said}");
    let mut stage = over("a ball");
    stage.expect("Paint the ball blue. That is how my brother likes balls.", &["1 blue sphere"]);
    let mut stage = over("a red ball");
    stage.expect("Paint the ball blue. Not really.", &["1 red sphere"]);
}

#[test]
fn nobody_is_made_into_what_he_wears() {
    let mut stage = over("a man");
    stage.expect("make him black hat", &["1 ~man"]);
}
