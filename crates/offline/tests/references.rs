//! What words refer to in a conversation: the others, the new ones, "it", "both", numbers.

use scene::Scene;

use crate::stage::Stage;

#[test]
fn the_remaining_one_is_none_of_those_that_were_spoken_of() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("three spheres of different sizes in a row", &["3 sphere"]);
    stage.expect("the smallest in gold", &["1 gold sphere"]);
    stage.expect("the largest as a mirror", &["1 mirror sphere"]);
    stage.expect("and the remaining one glass", &["1 glass sphere", "1 mirror sphere"]);
}

#[test]
fn the_new_ones_were_made_last() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a rocket", &["1 ~rocket"]);
    stage.expect("and two more on the left", &["3 ~rocket"]);
    stage.expect("the new ones should be smaller", &["2 ~rocket shrank", "1 ~rocket kept"]);
}

#[test]
fn it_is_something_else_than_what_goes_there() {
    let mut stage = Stage::with("blocks");
    let expected = ["2 blue box stacked", "4 box"];
    stage.expect("duplicate the blue block and put the copy on top of it", &expected);
}

#[test]
fn what_stands_on_a_thing_that_goes_on_top_of_it_comes_down() {
    let mut stage = Stage::with("blocks");
    stage.expect("stack the three blocks", &["3 box stacked"]);
    let on_top = ["3 box stacked", "highest box is blue", "nothing-floating", "no-overlap"];
    stage.expect("put the blue one on top", &on_top);
}

#[test]
fn in_it_is_in_what_can_hold_something() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with a vase", &["1 ~vase"]);
    stage.expect("put a flower in it", &["~flower inside ~vase"]);
    stage.expect("no, two flowers", &["~flower above ~table"]);
}

#[test]
fn him_is_somebody() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a snowman", &["1 ~snowman"]);
    stage.expect("put a table next to him", &["1 ~table", "1 ~snowman"]);
    stage.expect("duplicate him", &["2 ~snowman", "1 ~table"]);
}

#[test]
fn only_and_enough_hold_the_number() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("five red balls", &["5 red sphere"]);
    stage.expect("paint one blue", &["1 blue sphere", "4 red sphere"]);
    stage.expect("too many, only three", &["3 sphere", "2 sphere removed"]);
}

#[test]
fn nothing_is_taken_away_for_a_number_alone() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with a vase", &["1 ~table", "1 ~vase"]);
    stage.expect("take one out", &["1 ~table kept", "1 ~vase kept"]);
}

#[test]
fn a_step_back_spares_what_is_to_stay() {
    let mut stage = Stage::with("balls");
    stage.expect("make the green ball yellow and bigger", &["id:green_ball is yellow"]);
    let expected = ["id:green_ball is yellow", "id:green_ball size 0.8"];
    stage.expect("undo that but keep the colour", &expected);
    let mut stage = Stage::over(Scene::default());
    stage.expect("a lamp and a chair", &["1 ~lamp", "1 ~chair"]);
    stage.expect("undo that but keep the lamp", &["1 ~lamp", "no ~chair"]);
}

#[test]
fn what_was_taken_earlier_comes_back_by_its_name() {
    let mut stage = Stage::with("dining");
    stage.expect("take the front chair away", &["1 ~chair"]);
    stage.expect("make the table white", &["~table is white"]);
    stage.expect("oh, bring the chair back please", &["2 ~chair", "~table is white"]);
}

#[test]
fn closer_is_closer_to_what_it_was_put_to() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a desk", &["1 ~desk"]);
    stage.expect("put an office chair in front of the desk", &["~chair in-front-of ~desk"]);
    stage.expect("a bit closer please", &["~chair moved away", "~desk unmoved"]);
}

#[test]
fn a_correction_that_comes_to_nothing_takes_nothing_away() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red ball", &["1 red sphere"]);
    stage.expect("no, a frobnicator", &["1 red sphere kept"]);
}

#[test]
fn darker_is_said_of_what_was_painted() {
    let mut stage = Stage::with("room");
    stage.expect("make the sofa blue", &["~sofa is blue"]);
    stage.expect("darker", &["~sofa darker", "only ~sofa changed"]);
}

#[test]
fn what_was_taken_off_can_be_put_elsewhere() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("stack four cubes", &["4 box stacked"]);
    stage.expect("take the top one off", &["3 box"]);
    stage.expect("put it on the floor next to the tower", &["4 box", "no-overlap"]);
}

#[test]
fn the_middle_and_the_last_are_of_what_has_as_many() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("three vases in a row", &["3 ~vase"]);
    stage.expect("a bowl", &["1 ~bowl"]);
    stage.expect("paint the middle one red", &["id:vase_2 is red", "only ~vase changed"]);
    stage.expect("the other two should be blue", &["2 blue ~vase", "1 red ~vase"]);
    stage.expect("make the last two taller", &["id:vase_2 grew", "id:vase_3 grew", "id:vase kept"]);
}

#[test]
fn one_thing_alone_has_no_left_one() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a bottle", &["1 ~bottle"]);
    stage.expect("the left one is too wide", &["unchanged"]);
}

#[test]
fn two_that_were_made_together_are_exchanged_and_not_what_they_stand_on() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red cube and a blue ball on a rug", &["1 ~rug"]);
    stage.expect("swap their spots", &["~rug kept", "box moved right 0.3+"]);
}
