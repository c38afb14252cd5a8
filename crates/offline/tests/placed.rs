//! Several things in relation: each keeps its own, and things go where their kind belongs.

use scene::{NoAssets, Scene};
use spatial::{Extent, Space};

use crate::stage::Stage;

fn extent(stage: &Stage, id: &str) -> Extent {
    let space = Space::of(stage.scene(), &NoAssets);
    let own = space.bodies().iter().filter(|body| space.whole_of(body).unwrap_or(body.id) == id);
    own.map(|body| body.solid.extent()).reduce(Extent::union).unwrap()
}

#[test]
fn what_something_on_a_table_is_beside_stands_on_it_too() {
    Stage::over(Scene::default()).expect(
        "a kettle on a table beside a lamp",
        &["~kettle on ~table", "~lamp on ~table", "no-overlap"],
    );
}

#[test]
fn what_is_named_after_something_on_a_table_goes_there() {
    Stage::over(Scene::default())
        .expect("A cake on a table. Bread, a jug", &["~bread on ~table", "~jug on ~table"]);
}

#[test]
fn what_swims_is_on_the_water() {
    Stage::over(Scene::default()).expect("a lake with three swans", &["3 ~swan", "~swan on ~lake"]);
    let mut stage = Stage::over(Scene::default());
    stage.say("a pond and a bench");
    stage.expect("add two ducks", &["2 ~duck", "~duck on ~pond"]);
}

#[test]
fn lamps_in_a_row_line_the_road_they_come_with() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a road with six lamp posts in a row", &["6 ~post", "no-overlap"]);
    let road = extent(&stage, "road");
    for at in 1..=6 {
        let id = if at == 1 { "lamp_post".to_owned() } else { format!("lamp_post_{at}") };
        let center = extent(&stage, &id).center();
        assert!((center.x - road.center().x).abs() < 0.5 * road.size().x, "{id}");
    }
}

#[test]
fn a_pile_has_as_many_at_the_bottom_as_told() {
    let mut stage = Stage::over(Scene::default());
    stage.expect(
        "nine barrels stacked like a pyramid, 4 on the bottom",
        &["9 ~barrel", "no-overlap"],
    );
    let foot = |at: usize| {
        let id = if at == 1 { "barrel".to_owned() } else { format!("barrel_{at}") };
        extent(&stage, &id).min.y
    };
    assert_eq!((1..=9).filter(|at| foot(*at) < 0.01).count(), 4);
}

#[test]
fn flat_things_in_a_rising_spiral_are_steps() {
    let mut stage = Stage::over(Scene::default());
    stage.expect(
        "platforms going up in a spiral, nine of them, the last one gold",
        &["9 ~platform", "1 gold ~platform", "no-overlap"],
    );
    let rise = extent(&stage, "platform_2").min.y - extent(&stage, "platform").min.y;
    assert!(rise > 0.3, "{rise}");
}

#[test]
fn what_is_opposite_is_some_way_off_and_looks_there() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a sofa and a television opposite it", &["~television facing ~sofa"]);
    let gap = extent(&stage, "sofa").distance(extent(&stage, "television"));
    assert!(gap > 0.8, "{gap}");
}

#[test]
fn different_things_on_a_tray_stand_side_by_side() {
    Stage::over(Scene::default()).expect(
        "a kettle, a jug and a bowl on a tray",
        &["~kettle on ~tray", "~jug on ~tray", "~bowl on ~tray", "no-overlap"],
    );
}

#[test]
fn seats_named_after_a_table_stand_around_it() {
    let around = &["4 ~stool", "~stool around ~table", "no-overlap"];
    Stage::over(Scene::default()).expect("a round table and four stools", around);
    Stage::over(Scene::default()).expect("a deck with a table and four stools on it", around);
}

#[test]
fn several_with_several_have_one_each() {
    Stage::over(Scene::default())
        .expect("three cups with saucers", &["3 ~saucer", "~cup on ~saucer"]);
    let mut stage = Stage::over(Scene::default());
    stage.expect("two tables with four chairs each", &["8 ~chair", "no-overlap"]);
}

#[test]
fn sides_of_several_in_a_list_are_those_of_the_first() {
    Stage::over(Scene::default())
        .expect("a fir, parcels under it, a star on top", &["~star on ~fir", "3 ~parcel"]);
    Stage::over(Scene::default()).expect(
        "a wall with a barrel in front and a bush at one end",
        &["1 ~wall", "~barrel in-front-of ~wall", "1 ~bush"],
    );
}

#[test]
fn company_of_what_is_there_already_is_that_of_the_new_thing() {
    Stage::over(Scene::default()).expect(
        "a sofa against the back wall with a lamp on either side",
        &["1 ~sofa", "2 ~lamp", "1 ~wall", "~lamp left-of ~sofa"],
    );
    Stage::over(Scene::default()).expect(
        "a row of three houses with a tree in front of each",
        &["3 ~house", "3 ~tree", "~tree in-front-of ~house"],
    );
}

#[test]
fn what_is_scattered_over_a_place_lies_all_over_it() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("rocks scattered over a courtyard", &["5 ~rock", "~rock on ~courtyard"]);
    let yard = extent(&stage, "courtyard");
    let ids = (1..=5).map(|at| if at == 1 { "rock".into() } else { format!("rock_{at}") });
    let at: Vec<_> = ids.map(|id: String| extent(&stage, &id).center() - yard.center()).collect();
    let widest = at.iter().map(|at| at.x.abs().max(at.z.abs())).fold(0.0, f64::max);
    assert!(widest > 0.25 * yard.size().x && widest < 0.5 * yard.size().x, "{at:?}");
}

#[test]
fn between_them_is_between_the_two_named_before() {
    Stage::over(Scene::default()).expect(
        "a sofa, a piano, a stool between them and a rug underneath",
        &["~stool between ~sofa and ~piano", "1 ~rug"],
    );
}

#[test]
fn plurals_of_men_and_mice_are_known() {
    Stage::over(Scene::default()).expect("two men and three mice", &["2 ~man|men", "3 ~mouse"]);
}

#[test]
fn a_place_that_could_not_be_taken_is_told() {
    let mut stage = Stage::over(Scene::default());
    let said = stage.say("a lighthouse on a rock above the sea");
    let holds = extent(&stage, "lighthouse").distance(extent(&stage, "rock")) < 0.1;
    assert!(holds || said.contains("could not put the lighthouse on the rock"), "{said}");
}

#[test]
fn what_is_of_the_company_of_a_thing_is_in_that_company() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with a bowl of apples", &["1 ~table", "1 ~bowl", "3 ~apple"]);
    let foot = |id: &str| extent(&stage, id).min.y;
    assert!(
        foot("bowl") > 0.5 && foot("apple") >= foot("bowl"),
        "{} {}",
        foot("bowl"),
        foot("apple")
    );
}
