//! After it has changed something it has the scene looked over, where the tool for that is offered.

use crate::stage::Stage;

#[test]
fn what_is_made_is_checked_before_the_answer() {
    let mut stage = Stage::with_check();
    let answer = stage.say("a red sphere on a grey floor");
    assert_eq!(stage.calls.last().map(String::as_str), Some("check_scene"), "{:?}", stage.calls);
    assert_eq!(stage.calls.iter().filter(|call| *call == "check_scene").count(), 1);
    assert!(!answer.contains("in the air"), "{answer}");
}

#[test]
fn what_looks_wrong_is_told_and_left_alone() {
    let mut stage = Stage::with_check();
    stage.say("a grey floor");
    let answer = stage.say("add a blue box at (0, 5, 0)");
    assert!(answer.contains("blue_box hangs in the air."), "{answer}");
    let revision = stage.manager.current().number;
    let answer = stage.say("what is in the scene?");
    assert!(!answer.contains("in the air"), "only after a change: {answer}");
    assert_eq!(stage.manager.current().number, revision);
}

#[test]
fn faults_that_were_there_before_are_not_told_again() {
    let mut stage = Stage::with_check();
    stage.say("a grey floor and a blue box at (0, 5, 0)");
    let answer = stage.say("add a red sphere on the floor");
    assert!(!answer.contains("in the air"), "{answer}");
}

#[test]
fn colours_and_names_need_no_check() {
    let mut stage = Stage::with_check();
    stage.say("a red sphere");
    for message in ["make it blue", "call it bob", "how big is it?"] {
        stage.say(message);
        assert!(!stage.calls.iter().any(|call| call == "check_scene"), "{message}");
    }
}

#[test]
fn parts_of_an_object_are_not_told_as_faults() {
    let mut stage = Stage::with_check();
    for message in
        ["a snowman", "a car next to it", "a table with four chairs", "a lamp on the table"]
    {
        let answer = stage.say(message);
        for complaint in ["cut into", "in the air", "hidden", "outside the picture"] {
            assert!(!answer.contains(complaint), "{message}: {answer}");
        }
    }
}

#[test]
fn what_is_put_under_a_tree_stands_beside_its_trunk() {
    for message in ["a palm tree with a deck chair underneath", "a bench under a tree"] {
        let mut stage = Stage::with_check();
        let answer = stage.say(message);
        for complaint in ["cut into", "in the air", "raised", "smaller"] {
            assert!(!answer.contains(complaint), "{message}: {answer}");
        }
    }
}
