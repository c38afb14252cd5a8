//! What holds for every request: nothing is taken away that was not named, a negation is heard, a
//! question changes nothing, and what was not understood is said.

use scene::Scene;

use crate::stage::Stage;

#[test]
fn questions_change_nothing() {
    for question in [
        "how many balls are there?",
        "which one is the biggest?",
        "where is the green ball?",
        "what's here?",
    ] {
        Stage::with("balls").expect(question, &["unchanged"]);
    }
}

#[test]
fn a_negation_is_heard() {
    Stage::with("balls").expect("don't remove the green ball", &["unchanged"]);
    Stage::with("balls").expect(
        "remove everything except the green ball",
        &["id:green_ball kept", "4 sphere removed"],
    );
}

#[test]
fn what_was_not_understood_is_said_in_the_words_of_the_user() {
    let answer = Stage::over(Scene::default()).say("make a frobnicator");
    assert!(answer.contains("frobnicator"), "{answer}");
}

#[test]
fn what_is_understood_of_a_request_is_done() {
    let mut stage = Stage::over(Scene::default());
    let answer = stage.say("a red cube and a frobnicator");
    assert_eq!(stage.scene().shapes.len(), 1, "{answer}");
    assert!(answer.contains("frobnicator"), "{answer}");
}

#[test]
fn indefinite_things_that_others_stand_on_are_made() {
    Stage::over(Scene::default())
        .expect("a red ball on a wooden table", &["1 red sphere on ~table", "~table is wood"]);
}

#[test]
fn a_passive_a_wish_and_a_question_ask_for_the_same() {
    for message in [
        "make the ball blue",
        "the ball should be blue",
        "could the ball be painted blue?",
        "I want the ball in blue",
    ] {
        Stage::with("shapes").expect(message, &["id:red_sphere is blue", "only sphere changed"]);
    }
}

#[test]
fn what_comes_with_a_thing_is_where_it_belongs() {
    let empty = Scene::default;
    Stage::over(empty()).expect("a table with a bowl and two cups", &["2 ~cup on ~table"]);
    Stage::over(empty()).expect("a table with four chairs", &["4 ~chair around ~table"]);
    Stage::over(empty()).expect("six balls on a table", &["6 sphere on ~table", "no-overlap"]);
    Stage::over(empty())
        .expect("a notebook and a pen lying on a wooden desk", &["~notebook|book on ~desk"]);
}

#[test]
fn an_exchange_takes_nothing_away() {
    Stage::with("shapes").expect(
        "swap the cone with the sphere",
        &["id:green_cone moved any", "id:red_sphere moved any"],
    );
    Stage::with("dining").expect("Replace the chairs with stools.", &["2 ~stool", "no ~chair"]);
}

#[test]
fn what_is_beside_the_matter_is_left_out() {
    for message in [
        "a red ball, because my daughter likes them",
        "My grandson loves balls. A red ball, please.",
        "a red ball (the small kind will do)",
    ] {
        Stage::over(Scene::default()).expect(message, &["1 red sphere"]);
    }
}

#[test]
fn a_particle_stands_after_its_object_too() {
    Stage::with("shapes").expect("throw the cone away", &["id:green_cone removed"]);
    Stage::with("shapes").expect("throw the cone out please", &["id:green_cone removed"]);
}

#[test]
fn a_thing_is_made_though_its_place_is_not_known() {
    let mut stage = Stage::over(Scene::default());
    let answer = stage.say("a vase on a frobnicator");
    assert!(stage.scene().kind_of("vase").is_some(), "{answer}");
    assert!(answer.contains("frobnicator"), "{answer}");
    Stage::over(Scene::default())
        .expect("a castle on a hill with a dragon flying above it", &["~dragon above ~castle"]);
}

#[test]
fn colours_are_dealt_out_in_the_order_that_is_said() {
    for message in [
        "a tower of three cubes, red at the bottom, then white, then blue",
        "Stack three cubes: first red, then white, then blue.",
        "Stack three cubes, blue on top, then white, then red.",
    ] {
        Stage::over(Scene::default())
            .expect(message, &["blue cube above white cube", "white cube above red cube"]);
    }
}

#[test]
fn what_is_not_there_is_neither_split_nor_exchanged_for_another_thing() {
    Stage::with("shapes").expect("remove the green apple", &["unchanged"]);
    let answer = Stage::over(Scene::default()).say("a watch");
    assert!(!answer.contains("witch"), "{answer}");
}

#[test]
fn what_is_made_is_in_view() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a castle");
    stage.say("add my dog");
    let scene = stage.scene();
    let space = spatial::Space::of(scene, &scene::NoAssets);
    let extent = |id: &str| space.unit(id).expect("it is there").solid.extent();
    let (castle, dog) = (extent("castle"), extent("dog"));
    // The camera looks at the castle from three quarters: what is before it is nearer to the camera.
    let camera = glam::DVec3::from(scene.camera.center.get());
    let away = |extent: spatial::Extent| extent.center().distance(camera);
    assert!(away(dog) < away(castle), "{dog:?} is not before {castle:?}");
    let is_clear = dog.min.x > castle.max.x || dog.min.z > castle.max.z;
    assert!(is_clear, "{dog:?} stands in {castle:?}");
    Stage::over(Scene::default())
        .expect("a castle with a dragon", &["~dragon in-front-of ~castle"]);
}

#[test]
fn a_surface_is_a_slab_of_it_and_snow_is_weather() {
    Stage::over(Scene::default())
        .expect("a perfume bottle on black marble", &["~bottle on ~slab", "~slab is black"]);
    let mut stage = Stage::with("shapes");
    stage.expect("make it snow", &["all sphere unchanged", "all box unchanged"]);
}

#[test]
fn wishes_are_composed_of_who_wishes_and_what() {
    for message in [
        "I should be glad of a red cube.",
        "we'd rather have a red cube",
        "Might I have a red cube?",
        "can u do a red cube",
        "id like a red cube",
        "Good morning. I should like to see a red cube, please.",
    ] {
        Stage::over(Scene::default()).expect(message, &["1 created red cube"]);
    }
}

#[test]
fn numbers_and_colours_belong_to_what_can_have_them() {
    Stage::over(Scene::default()).expect(
        "a table with three cubes on it, red, white and blue",
        &["1 ~table", "1 white cube"],
    );
    Stage::over(Scene::default()).expect("some pines, like six", &["6 ~pine"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect(
        "a bowl of oranges. Five oranges would be ample.",
        &["1 ~bowl", "5 ~orange-fruit|orange"],
    );
    Stage::over(Scene::default())
        .expect("a street with 4 houses on each side", &["8 ~house", "1 ~street"]);
}

#[test]
fn a_condition_holds_back_all_but_what_is_only_made() {
    Stage::with("shapes").expect("remove the cone if you see one", &["unchanged"]);
    Stage::with("shapes")
        .expect("put a small ball on the blue box if it will balance", &["1 created sphere"]);
}

#[test]
fn what_is_told_after_a_thing_was_named_is_told_of_it() {
    Stage::over(Scene::default()).expect("the van. A white delivery van.", &["1 ~van"]);
    Stage::over(Scene::default())
        .expect("3 balls on a shelf. red, green, blue", &["1 red sphere", "1 green sphere"]);
}
