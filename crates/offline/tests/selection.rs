//! What is selected comes before what was spoken of.

use scene::Scene;

use crate::stage::Stage;

fn of(ids: &str, message: &str) -> String {
    format!("[selected: {ids}]\n{message}")
}

#[test]
fn a_pronoun_means_what_is_selected() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red ball and a blue cube", &["1 sphere", "1 cube"]);
    stage.expect("make it twice as big", &["cube grew 1.9..2.1"]);
    stage.expect(&of("red_ball", "make it green"), &["1 green sphere", "cube unchanged"]);
    stage.expect(&of("blue_cube", "make this green"), &["1 green cube", "sphere unchanged"]);
}

#[test]
fn what_was_taken_away_stays_away_where_something_is_selected() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a cat and a house", &["1 ~cat", "1 ~house"]);
    stage.expect("a kite and a rainbow", &["1 ~kite", "1 ~rainbow"]);
    stage.expect("delete the kite and the rainbow", &["no ~kite", "no ~rainbow"]);
    stage.expect(&of("cat", "put it on the other side of the house"), &["no ~kite", "no ~rainbow"]);
}

#[test]
fn what_is_only_told_by_a_word_is_said_of_the_selection() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball and a cube", &["1 sphere", "1 cube"]);
    stage.expect("black background", &["environment changed"]);
    stage.expect(&of("ball", "bigger"), &["sphere grew", "cube unchanged"]);
    stage.expect(&of("ball", "a bit to the left"), &["sphere moved left", "cube unmoved"]);
}

#[test]
fn after_something_is_named_it_is_meant() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a ball and a cube", &["1 sphere", "1 cube"]);
    let named = of("ball", "add a cone and make it red");
    stage.expect(&named, &["1 red cone", "sphere unchanged"]);
}

#[test]
fn this_and_its_parts_are_changed_apart() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a house", &["1 ~house"]);
    stage.expect("a tree next to it", &["1 ~tree"]);
    let apart = of("house", "make this white and the roof blue");
    stage.expect(&apart, &["blue shape", "~tree unchanged"]);
}
