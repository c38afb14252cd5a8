//! Corrections and follow-ups: slots laid over an earlier frame.

use scene::Scene;

use crate::stage::Stage;

#[test]
fn a_correction_takes_the_place_of_what_was_done() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("make a red ball", &["1 red sphere"]);
    stage.expect("no, a blue one", &["1 blue sphere", "no red sphere"]);
    stage.expect("five of them", &["5 blue sphere"]);
    stage.expect("undo", &["1 sphere"]);
}

#[test]
fn a_place_is_corrected_from_where_the_thing_stood() {
    let mut stage = Stage::with("shapes");
    stage.expect("move the sphere one metre to the left", &["sphere moved left 1"]);
    stage.expect("no, to the right", &["sphere moved right 2", "only sphere changed"]);
}

#[test]
fn not_that_far_goes_half_of_the_way() {
    let mut stage = Stage::with("shapes");
    stage.expect("move the cone two metres to the right", &["cone moved right 2"]);
    stage.expect("not that far", &["cone moved left 1"]);
}

#[test]
fn the_same_is_done_to_something_else() {
    let mut stage = Stage::with("shapes");
    stage.expect("make the sphere gold", &["id:red_sphere is gold"]);
    stage.expect("same for the cone", &["id:green_cone is gold", "only cone changed"]);
}

#[test]
fn one_is_the_kind_that_was_spoken_of() {
    let mut stage = Stage::with("dining");
    stage.expect("paint the left chair red", &["1 red ~chair"]);
    stage.expect("and the other one blue", &["1 blue ~chair", "~table kept"]);
}

#[test]
fn what_is_asked_about_is_answered_in_a_word() {
    let mut stage = Stage::with("blocks");
    stage.expect("delete the red block", &["asks"]);
    stage.expect("the small one", &["id:small_red_block removed", "id:large_red_block kept"]);
}

#[test]
fn both_and_the_other_are_of_those_that_were_asked_about() {
    let mut stage = Stage::with("blocks");
    stage.expect("rotate the red block by 45 degrees", &["asks"]);
    stage.expect("both", &["id:large_red_block turned 45", "id:small_red_block turned 45"]);
    let mut stage = Stage::with("blocks");
    stage.expect("make the red block green", &["asks"]);
    stage.expect("the big one", &["id:large_red_block is green", "id:small_red_block is red"]);
    stage.expect("and the other one too", &["id:small_red_block is green", "only box changed"]);
}

#[test]
fn the_other_way_round_goes_back_and_on() {
    let mut stage = Stage::with("shapes");
    stage.expect("push the cone to the left by 1 m", &["cone moved left 1"]);
    stage.expect("oops, wrong direction", &["cone moved right 2", "only cone changed"]);
    stage.expect("back a little", &["cone moved left 0.3..1.2", "only cone changed"]);
}

#[test]
fn a_reason_is_told_with_what_to_do_about_it() {
    let mut stage = Stage::with("shapes");
    stage.expect("move the sphere 2 m to the right", &["sphere moved right 2"]);
    stage.expect("too far, half of that", &["sphere moved left 1", "only sphere changed"]);
}

#[test]
fn what_was_taken_away_comes_back_by_name() {
    let mut stage = Stage::with("shapes");
    stage.expect("delete the cone", &["cone removed"]);
    stage.expect("paint the box white", &["box is white"]);
    stage.expect("I want the cone back", &["1 green cone", "box is white"]);
}

#[test]
fn what_was_asked_for_is_made() {
    let mut stage = Stage::with("garden");
    stage.expect("Is there a pond?", &["answers"]);
    stage.expect("Then make one.", &["1 created ~pond"]);
}

#[test]
fn another_amount_is_for_the_change_before() {
    let mut stage = Stage::with("shapes");
    stage.expect("make the cone twice as tall", &["cone taller 2"]);
    stage.expect("and the cylinder three times", &["cylinder taller 3", "only cylinder changed"]);
}

#[test]
fn all_are_also_those_that_others_were_added_to() {
    let mut stage = Stage::with("dining");
    stage.expect("Two more chairs, on the short sides.", &["4 ~chair"]);
    stage.expect("All of them white.", &["4 white ~chair"]);
}

#[test]
fn one_thing_is_put_back_as_it_was() {
    let mut stage = Stage::with("shapes");
    stage.expect("paint the cone white", &["cone is white"]);
    stage.expect("paint the box yellow", &["box is yellow"]);
    stage.expect("put the cone back how it was", &["cone is green", "only cone changed"]);
}

#[test]
fn an_amount_corrects_the_change_before() {
    let mut stage = Stage::with("shapes");
    stage.expect("make the cone taller. maybe 20%", &["cone taller 1.2", "only cone changed"]);
    stage.expect("make the box a bit wider", &["box wider 1.01+"]);
    stage.expect("I said a bit! 10% will do", &["box narrower 0.8..0.99", "only box changed"]);
}

#[test]
fn a_step_back_with_what_was_meant_corrects() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("three cubes", &["3 created cube"]);
    stage.expect("undo that last, just two", &["2 cube"]);
}

#[test]
fn what_failed_is_nothing_to_go_on_from() {
    let mut stage = Stage::with("shapes");
    stage.expect("paint the cone white and put the dragon on the box", &["cone is white"]);
    stage.expect("and the cylinder", &["cylinder is white", "only cylinder changed"]);
}

#[test]
fn two_more_are_of_the_several_that_were_made() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a basket with three green apples beside it", &["3 created ~apple", "1 ~basket"]);
    stage.expect("add two more, but make these ones red", &["2 created red ~apple", "1 ~basket"]);
    stage.expect("how many have we now in total?", &["answers", "mentions five|5"]);
}

#[test]
fn a_gap_that_something_left_is_closed() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("five cubes in a row", &["5 created cube in-row"]);
    stage.expect(
        "take the second one away and close the gap",
        &["4 cube evenly-spaced", "1 cube removed"],
    );
}

#[test]
fn the_number_of_several_is_doubled_and_the_size_of_one() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("four red balls in a row", &["4 red sphere"]);
    stage.expect("double the balls", &["8 red sphere"]);
    stage.expect("half as many", &["4 red sphere"]);
    stage.expect("two fewer", &["2 red sphere"]);
    stage.expect("make it five", &["5 red sphere"]);
    stage.expect("that's too many, halve them", &["3 red sphere"]);
    stage.expect("remove all but one", &["1 red sphere"]);
    let height = stage.scene().shapes[0].geometry.clone();
    stage.expect("double it", &["1 red sphere", "1 changed sphere"]);
    assert_ne!(stage.scene().shapes[0].geometry, height);
}

#[test]
fn where_sizes_are_spoken_of_they_are_doubled() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("three balls in a row", &["3 sphere"]);
    stage.expect("they are too small, double them", &["3 changed sphere"]);
}

#[test]
fn something_else_is_wished_instead() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a sofa, a lamp and a table", &["1 ~sofa", "1 ~table"]);
    stage.expect("a bench instead of the sofa?", &["no ~sofa", "1 ~bench", "1 ~table"]);
    stage.expect("I'd rather have a stool than the table", &["no ~table", "1 ~stool"]);
    stage.expect("make the bench red", &["1 red ~bench"]);
    stage.expect("an armchair instead", &["no ~bench", "1 ~armchair", "1 ~stool"]);
}

#[test]
fn the_middle_one_is_that_of_the_row_and_the_ends_are_two() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("five white balls in a row", &["5 white sphere"]);
    stage.expect("the middle one is dying. show it red", &["1 red sphere", "4 white sphere"]);
    stage.expect("the outer two blue", &["2 blue sphere", "1 red sphere"]);
    stage.expect("move the red one to the front", &["1 red sphere"]);
    stage.expect("paint the one you moved green", &["1 green sphere", "no red sphere"]);
}

#[test]
fn what_is_praised_stays_and_what_follows_is_done() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a barn and a tractor", &["1 ~barn", "1 ~tractor"]);
    let words = "The barn's fine. The tractor is twice as big as it ought to be";
    stage.expect(words, &["~barn kept", "1 changed ~tractor"]);
}

#[test]
fn what_hangs_on_a_question_is_not_done() {
    let mut stage = Stage::with("shapes");
    stage.expect("how many shapes are there, I make it seven", &["answers", "no changed thing"]);
}

#[test]
fn what_stands_on_the_ground_is_counted_and_not_the_ground() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("three boats on a lake", &["3 ~boat", "1 ~lake"]);
    stage.expect("the second one red", &["1 changed ~boat", "~lake kept"]);
    stage.expect("paint all three blue", &["3 changed ~boat", "~lake kept"]);
}

#[test]
fn what_came_to_nothing_is_not_corrected_by_what_was_done_before() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red ball and a blue ball", &["2 sphere"]);
    stage.expect("make the red ball bigger", &["1 changed sphere"]);
    stage.expect("frobnicate the quuxes", &["unchanged"]);
    stage.expect("no, the blue one", &["red sphere kept"]);
}

#[test]
fn too_close_after_it_was_brought_back_takes_nothing_away() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table and a vase beside it", &["1 ~table", "1 ~vase"]);
    stage.expect("lose the vase", &["no ~vase"]);
    stage.expect("put it back", &["1 ~vase"]);
    stage.expect("it's too close to the table", &["1 ~vase", "~table kept"]);
}

#[test]
fn what_is_wrong_is_set_right() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a shed with a bush in front", &["1 ~shed"]);
    stage.expect("bush is hiding the shed", &["~bush moved any 0.3+", "only ~bush changed"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with four chairs", &["4 ~chair"]);
    stage.expect(
        "the first chair's facing the wrong way, turn it round",
        &["4 ~chair", "only ~chair changed"],
    );
    let mut stage = Stage::over(Scene::default());
    stage.expect("three pillars in a row", &["3 ~pillar"]);
    stage.expect("pillars are too far apart", &["id:pillar moved right 0.05+", "3 ~pillar"]);
}

#[test]
fn a_complaint_after_an_order_asks_for_nothing_else() {
    let mut stage = Stage::with("blocks");
    stage.expect("take the blue block away, it's in the way", &["1 blue box removed", "2 box"]);
}

#[test]
fn what_was_taken_away_is_put_back_in_other_words() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("two posts on a lawn", &["2 ~post"]);
    stage.expect("take the posts away", &["no ~post"]);
    stage.expect("no that looks wrong, put those back", &["2 ~post"]);
}

#[test]
fn an_earlier_look_comes_back_by_its_name() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a red ball", &["1 red sphere"]);
    stage.expect("make it blue", &["1 blue sphere"]);
    stage.expect("make it green", &["1 green sphere"]);
    stage.expect("put the red back", &["1 red sphere"]);
    stage.expect("the one before was better", &["1 green sphere"]);
    stage.expect("go back to how it was at the start", &["1 red sphere"]);
}

#[test]
fn a_number_after_a_question_is_what_was_asked_about() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a man next to a door", &["1 ~man", "1 ~door"]);
    stage.expect("is the door taller than 2 m?", &["answers", "mentions yes"]);
    stage.expect("make it 2.4", &["1 ~man", "~door taller", "~man kept"]);
    stage.expect("fine, 2.3 then", &["1 ~door", "~door shorter"]);
}

#[test]
fn a_number_after_a_question_is_how_many_of_those_there_are_to_be() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a kennel with three dogs beside it", &["3 ~dog", "1 ~kennel"]);
    stage.expect("how many dogs are there?", &["answers"]);
    stage.expect("I'd have five", &["5 ~dog", "1 ~kennel"]);
}

#[test]
fn its_friend_is_the_other_one() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("two armchairs", &["2 ~armchair"]);
    stage.expect("make the left one green", &["1 green ~armchair"]);
    stage.expect("lose its friend", &["1 green ~armchair", "1 ~armchair"]);
}

#[test]
fn some_of_several_are_taken_away_though_something_else_was_named_last() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a round table with six stools", &["6 ~stool"]);
    stage.expect("I only need four, take two away", &["4 ~stool", "1 ~table"]);
}

#[test]
fn half_that_is_half_as_large_and_twice_that_twice_as_far() {
    let mut stage = Stage::with("shapes");
    stage.expect("the sphere is too big, half that", &["sphere shrank 0.45..0.55"]);
    stage.expect("raise the cone by half a metre", &["cone moved up 0.5"]);
    stage.expect("and the cylinder twice that", &["cylinder moved up 1"]);
}
