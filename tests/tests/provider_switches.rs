//! One session that goes from provider to provider.

use end_to_end::calls::{resize, sphere};
use end_to_end::stage::{FIRST_SEATS, SEATS, Seat, Session, Stage, Turn, few_at_once};
use serde_json::json;

use crate::provider_sessions::look;

/// Thoughts, calls, one that fails, and a picture.
async fn build(session: &mut Session<'_>, seat: Seat, number: usize) {
    session.choose(seat).await;
    let calls = Turn::new()
        .thought("I build.")
        .text("So.")
        .calls(&sphere(&format!("s{number}"), 1.0))
        .calls(&sphere(&format!("broken{number}"), -1.0));
    let end = Turn::new().thought("Fine.").text("Done.");
    session.say(&format!("Build {number}"), [calls, look(48 + number), end]).await;
    session.check_told();
}

fn refusals(stage: &Stage) -> Vec<String> {
    let of = |seat: &Seat| {
        let refused = stage.fake(*seat).refusals().into_iter();
        refused.map(|why| format!("{}: {why}", seat.id())).collect::<Vec<_>>()
    };
    SEATS[..FIRST_SEATS].iter().flat_map(of).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_round_all_providers_and_back() {
    let stage = Stage::start(SEATS).await;
    let mut session = stage.session(SEATS[0]).await;
    let there_and_back = SEATS.iter().chain(SEATS.iter().rev().skip(1));
    for (number, seat) in there_and_back.enumerate() {
        if number % 3 == 1 {
            session.edit(json!([resize("s0", 1.5 + number as f64)])).await;
        }
        build(&mut session, *seat, number).await;
    }
    assert_eq!(refusals(&stage), Vec::<String>::new());
    let balls: Vec<String> = session.balls().await.into_iter().map(|(id, _)| id).collect();
    let built: Vec<String> = (0..2 * SEATS.len() - 1).map(|it| format!("s{it}")).collect();
    assert_eq!(balls, built);
}

/// From `first` to each of `others` and back.
async fn to_and_fro(stage: &Stage, first: Seat, others: &[Seat]) {
    let mut session = stage.session(first).await;
    for (number, other) in others.iter().enumerate() {
        for (number, seat) in [(2 * number, first), (2 * number + 1, *other)] {
            session.choose(seat).await;
            let build = Turn::new().thought("So.").calls(&sphere(&format!("s{number}"), 1.0));
            session.say("Build", [build, Turn::saying("Done.")]).await;
            session.check_told();
        }
    }
    let balls = session.balls().await.len();
    assert_eq!(balls, 2 * others.len(), "{}", first.id());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_provider_follows_every_other_in_both_directions() {
    let seats = &SEATS[..FIRST_SEATS];
    let walks = (0..seats.len() - 1).map(|at| async move {
        // A stage for each: answers are given in the order in which they are asked for.
        let stage = Stage::start(&seats[at..]).await;
        to_and_fro(&stage, seats[at], &seats[at + 1..]).await;
        let refused: Vec<String> =
            seats[at..].iter().flat_map(|seat| stage.fake(*seat).refusals()).collect();
        assert_eq!(refused, Vec::<String>::new(), "{}", seats[at].id());
    });
    few_at_once(walks).await;
}
