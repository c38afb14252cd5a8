//! Whole conversations: what "it" is, questions asked and answered, things that come and go.

use crate::stage::Stage;
use expect_test::expect_file;

/// The transcript of a conversation from an empty scene, with the scene at its end.
fn transcript(messages: &[&str]) -> String {
    let mut stage = Stage::new();
    let mut text = String::new();
    for message in messages {
        let answer = stage.say(message);
        text.push_str(&format!("> {message}\n{}{answer}\n\n", stage.shown_calls()));
    }
    format!("{text}{}\n\n", stage.shown())
}

#[test]
fn the_first_conversation() {
    let text = transcript(&[
        "Create a red sphere on a grey floor with a soft light above it",
        "make it blue and a bit bigger",
        "add three small green boxes to the left of it",
        "remove the boxes",
        "what is in the scene?",
        "make it glass",
        "move it up by 1",
    ]);
    expect_file!["transcripts/first_conversation.txt"].assert_eq(&text);
}

#[test]
fn a_snowman_and_a_grid() {
    let text = transcript(&[
        "build a snowman",
        "make its nose red",
        "make the snowman bigger",
        "put it 3 m to the right",
        "add a snow white floor",
        "remove the snowman",
        "create a 5x5 grid of metal spheres",
        "make them gold",
        "make it smaller",
        "remove the grid",
    ]);
    expect_file!["transcripts/snowman_and_grid.txt"].assert_eq(&text);
}

#[test]
fn questions_and_their_answers() {
    let text = transcript(&[
        "Create a red ball, a red cube and a green ball.",
        "make the ball blue",
        "the left one",
        "make the red one bigger",
        "how many balls are there?",
        "make the ball tiny",
        "green_sphere",
        "how many balls are there?",
        "remove the ball",
        "all of them",
        "is there a ball?",
        "make the ball blue",
        "what is it?",
    ]);
    expect_file!["transcripts/questions_and_answers.txt"].assert_eq(&text);
}

#[test]
fn the_selection_is_what_this_means() {
    let text = transcript(&[
        "a red sphere, a blue box and a green cone",
        "[selected: blue_box]\nmake this yellow",
        "[selected: red_sphere, green_cone]\nmove them up by 1",
        "[selected: red_sphere]\nremove it",
        "[selected: gone]\nmake it white",
    ]);
    expect_file!["transcripts/selection.txt"].assert_eq(&text);
}

#[test]
fn things_that_stand_on_things() {
    let text = transcript(&[
        "create a big box with a small sphere on it",
        "make the box taller",
        "move the box 2 m to the left",
        "put a cone on the sphere",
        "remove the box",
        "put everything on the floor",
        "add a floor and a light",
        "add another cone",
        "make the last one green and move it to the right of the sphere",
        "call it bob",
        "make bob 2 m tall",
        "where is bob?",
    ]);
    expect_file!["transcripts/things_on_things.txt"].assert_eq(&text);
}

/// What was done and said, without where everything stands: the catalogue tests its objects.
fn answers(messages: &[&str]) -> String {
    let mut stage = Stage::new();
    let said = messages.iter().map(|message| {
        let answer = stage.say(message);
        format!("> {message}\n{}{answer}\n\n", stage.shown_calls())
    });
    said.collect()
}

#[test]
fn objects_count_as_people_count() {
    let mut text = answers(&[
        "a blue car and a red car",
        "make the red car green",
        "make the other one white",
        "how many cars are there?",
        "remove the blue car",
    ]);
    text += &answers(&[
        "add a snowman without a hat",
        "make the snowman's nose green",
        "paint its buttons gold",
        "make the snowman twice as big",
        "replace the snowman with a chair",
    ]);
    text += &answers(&[
        "four chairs around a table",
        "remove the second chair",
        "how many chairs are there?",
        "put an apple and a pear on the table",
        "what is on the table?",
    ]);
    expect_file!["transcripts/objects.txt"].assert_eq(&text);
}

#[test]
fn corrections() {
    let text = transcript(&[
        "a red sphere, a blue box and a green cone",
        "make the cone yellow",
        "no, the box",
        "make it bigger",
        "not that big",
        "a bit more",
        "move the cone to the left",
        "no, to the right",
        "don't move the box, but make it white",
        "undo",
        "undo",
        "redo",
        "add a red cube",
        "no, a blue one",
        "another one",
        "remove the cone",
        "undo that please",
        "make the ball metal",
        "actually make it glass",
        "too big",
        "again",
    ]);
    expect_file!["transcripts/corrections.txt"].assert_eq(&text);
}

#[test]
fn answers_pick_one_of_the_candidates() {
    for (answer, picked) in [
        ("2", vec!["green_sphere"]),
        ("the second one", vec!["green_sphere"]),
        ("red", vec!["red_sphere"]),
        ("the left one please", vec!["green_sphere"]),
        ("the smallest", vec!["ball_3"]),
        ("not the red one, the green one", vec!["green_sphere"]),
        ("all three", vec!["red_sphere", "green_sphere", "ball_3"]),
        ("the red one and the green one", vec!["red_sphere", "green_sphere"]),
    ] {
        let mut stage = Stage::with(&crate::stage::desk());
        let question = stage.say("make the ball yellow");
        assert!(question.contains("which “ball” do you mean"), "{question}");
        stage.say(answer);
        let calls: Vec<String> = picked.iter().map(|id| format!("update_shape {id}")).collect();
        assert_eq!(stage.calls, calls, "{answer}");
    }
}

#[test]
fn light_and_mood() {
    let text = transcript(&[
        "make it night and add a glass ball on a black floor",
        "add a warm light above it",
        "brighter",
        "make the light softer",
        "make the ball red",
        "sunset",
        "view from the left",
        "zoom in",
        "show everything",
        "make the sphere red, the floor white and the light cooler",
        "turn off the light",
        "remove all lights",
    ]);
    expect_file!["transcripts/light_and_mood.txt"].assert_eq(&text);
}

#[test]
fn parts_stripes_and_company() {
    let text = transcript(&[
        "make a snowman without a hat",
        "give him a red hat",
        "and a blue scarf",
        "make a column",
        "with red and white stripes",
        "give the snowman a friend",
        "make the friend blue",
        "add a robot",
        "give it a hat",
    ]);
    expect_file!["transcripts/parts_and_company.txt"].assert_eq(&text);
}

#[test]
fn wishes_that_lack_something_are_asked_about() {
    let text = transcript(&[
        "a red sphere and a blue box",
        "change the colour of the sphere",
        "white",
        "and move the box",
        "half a metre back",
        "another 20 cm",
        "what colour is the sphere?",
        "make the box that colour",
        "undo the last two",
    ]);
    expect_file!["transcripts/asked_about.txt"].assert_eq(&text);
}

#[test]
fn lamps_are_switched_as_things() {
    let text = transcript(&[
        "a floor lamp",
        "switch it on",
        "switch it off",
        "the lamp should give a warm light",
        "closer",
        "that's too close",
        "and from the other side",
        "a bit higher up",
    ]);
    expect_file!["transcripts/lamps.txt"].assert_eq(&text);
}

#[test]
fn several_that_were_spoken_of_one_by_one() {
    let text = transcript(&[
        "a red cube",
        "a blue ball next to it",
        "swap them",
        "how far apart are they?",
        "a green cone next to that",
        "make them all yellow",
        "put them in a row",
        "which one is taller?",
        "two boxes and a ball",
        "put the grey ball on the right box",
        "make both boxes red",
        "and twice as big",
    ]);
    expect_file!["transcripts/spoken_of_one_by_one.txt"].assert_eq(&text);
}

#[test]
fn how_many_there_shall_be() {
    let text = transcript(&[
        "a cup",
        "actually make it two",
        "make that three",
        "just one cup",
        "two more",
        "remove one of them",
        "and another",
        "put it back",
        "two cups will do",
        "only three",
        "delete everything",
        "bring everything back",
    ]);
    expect_file!["transcripts/how_many.txt"].assert_eq(&text);
}

#[test]
fn the_last_wish_said_anew() {
    let text = transcript(&[
        "a red ball on a box",
        "i meant under the box",
        "no, next to it",
        "move the ball 1 m to the left",
        "sorry, 2 m",
        "no, right",
        "a cylinder",
        "the radius should be 15 cm",
        "20",
        "no, the height should be 1 m",
        "raise it by 50 cm",
        "another 20",
        "paint it blue",
        "that's too dark",
        "a chair",
        "turn it a bit to the left",
        "no, right",
        "remove the ball",
        "not the ball! the box",
    ]);
    expect_file!["transcripts/said_anew.txt"].assert_eq(&text);
}

#[test]
fn complaints_answers_and_who_is_meant() {
    let text = transcript(&[
        "a robot",
        "paint his head red",
        "make two more of him",
        "clear the scene",
        "a red ball and a blue ball, 1 m apart",
        "make the ball bigger",
        "not the blue one",
        "too big, smaller",
        "how many balls are there?",
        "make the ball metal",
        "either",
        "put a green ball on the other one",
        "red ball: matte. blue ball: glass.",
        "how many green ones are left?",
    ]);
    expect_file!["transcripts/complaints_and_answers.txt"].assert_eq(&text);
}

#[test]
fn what_stands_on_and_between_things() {
    let text = transcript(&[
        "two chairs facing each other",
        "put a table between them",
        "put a bowl of fruit on the table",
        "make the table bigger",
        "raise the table by 20 cm",
        "clear the scene",
        "a pyramid of 10 balls",
        "take the top one away",
        "put it next to the pyramid",
        "make it more blue",
    ]);
    expect_file!["transcripts/on_and_between.txt"].assert_eq(&text);
}

#[test]
fn whole_objects_are_meant() {
    let text = transcript(&[
        "a red car and a blue car",
        "swap their colours",
        "now both next to each other",
        "clear the scene",
        "a snowman without a hat",
        "give him a hat",
        "a red one",
        "clear the scene",
        "a book on a table",
        "move the book to the left edge of the table",
        "a street with 3 houses",
        "paint the middle one yellow",
        "clear the scene",
    ]);
    expect_file!["transcripts/whole_objects.txt"].assert_eq(&text);
}
