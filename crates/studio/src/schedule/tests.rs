use std::sync::mpsc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::*;

const PATIENCE: Duration = Duration::from_secs(30);

fn scheduler(slots: usize) -> Scheduler {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    Scheduler::with_slots(pool, 0, slots)
}

fn order(client: &RenderClient, priority: Priority, size: u64) -> Order {
    Order { client: client.clone(), priority, size, is_large: false }
}

/// Work that occupies a turn until it is released.
struct Held {
    done: BoxFuture<'static, Result<(), RenderError>>,
    let_go: mpsc::Sender<()>,
}

/// Occupies a turn with `priority`; the turn has begun when this returns.
fn hold(scheduler: &Scheduler, client: &RenderClient, priority: Priority) -> Held {
    let (let_go, until) = mpsc::channel::<()>();
    let (begins, begun) = mpsc::channel();
    let (scheduler, order) = (scheduler.clone(), order(client, priority, 1));
    let mut done = async move {
        let work = move |_: &Turn| {
            begins.send(()).unwrap();
            // An error also means that it was released.
            let _ = until.recv_timeout(PATIENCE);
        };
        scheduler.run(order, work).await
    }
    .boxed();
    assert!((&mut done).now_or_never().is_none());
    begun.recv_timeout(PATIENCE).unwrap();
    Held { done, let_go }
}

/// The order in which work of these `(name, client, priority, size)` begins after waiting for the
/// same turn.
async fn begun(works: &[(&'static str, &RenderClient, Priority, u64)]) -> Vec<&'static str> {
    let scheduler = scheduler(1);
    let held = hold(&scheduler, &RenderClient::default(), Priority::Now);
    let (names, begun) = mpsc::channel();
    let waiting = works.iter().map(|(name, client, priority, size)| {
        let (name, names) = (*name, names.clone());
        scheduler.run(order(client, *priority, *size), move |_| names.send(name).unwrap()).boxed()
    });
    let mut waiting: Vec<_> = waiting.collect();
    assert!(waiting.iter_mut().all(|work| work.now_or_never().is_none()));
    held.let_go.send(()).unwrap();
    held.done.await.unwrap();
    futures_util::future::join_all(waiting).await;
    drop(names);
    begun.iter().collect()
}

#[tokio::test]
async fn urgent_work_goes_first_and_clients_take_turns() {
    let [many, one] = [RenderClient::default(), RenderClient::default()];
    // A large value, so that the time used here does not matter.
    many.used(0).store(1_000_000_000, Ordering::Relaxed);
    one.used(0).store(500_000_000, Ordering::Relaxed);
    let works = [
        ("later of many", &many, Priority::Later, 1),
        ("now of many", &many, Priority::Now, 9),
        ("soon of many", &many, Priority::Soon, 1),
        ("large of one", &one, Priority::Soon, 9),
        ("small of one", &one, Priority::Soon, 1),
        ("later of one", &one, Priority::Later, 1),
    ];
    let expected = [
        "now of many",
        "small of one",
        "large of one",
        "soon of many",
        "later of one",
        "later of many",
    ];
    assert_eq!(begun(&works).await, expected);
}

#[tokio::test]
async fn work_that_nobody_waits_for_is_never_begun() {
    let scheduler = scheduler(1);
    let client = RenderClient::default();
    let held = hold(&scheduler, &client, Priority::Now);
    let mut dropped =
        scheduler.run(order(&client, Priority::Now, 1), |_| panic!("was begun")).boxed();
    assert!((&mut dropped).now_or_never().is_none());
    assert_eq!(scheduler.counts(), (1, 1));
    drop(dropped);
    assert_eq!(scheduler.counts(), (0, 1));
    held.let_go.send(()).unwrap();
    held.done.await.unwrap();
    scheduler.run(order(&client, Priority::Now, 1), |_| ()).await.unwrap();
}

#[tokio::test]
async fn a_turn_lasts_until_its_work_has_stopped() {
    let scheduler = scheduler(1);
    let client = RenderClient::default();
    let held = hold(&scheduler, &client, Priority::Now);
    drop(held.done);
    let mut next = scheduler.run(order(&client, Priority::Now, 1), |_| ()).boxed();
    assert!((&mut next).now_or_never().is_none());
    assert_eq!(scheduler.counts(), (1, 1));
    held.let_go.send(()).unwrap();
    next.await.unwrap();
}

/// Waits until the running work is asked to end.
fn until_asked_to_end(turn: &Turn) -> bool {
    let begun = Instant::now();
    while !turn.should_end() {
        assert!(begun.elapsed() < PATIENCE, "nobody asked");
        std::thread::yield_now();
    }
    turn.is_cancelled()
}

#[tokio::test]
async fn long_work_is_asked_to_make_room_and_is_told_when_it_is_dropped() {
    let scheduler = scheduler(1);
    let [one, other] = [RenderClient::default(), RenderClient::default()];
    for (priority, who) in
        [(Priority::Now, &one), (Priority::Soon, &one), (Priority::Later, &other)]
    {
        let long = scheduler.run(order(&one, Priority::Later, 9), until_asked_to_end);
        let urgent = scheduler.run(order(who, priority, 1), |_| ());
        let (cancelled, urgent) = futures_util::join!(long, urgent);
        assert_eq!((cancelled, urgent), (Ok(false), Ok(())));
        // A result arrives before its turn is released.
        while scheduler.counts() != (0, 0) {
            tokio::task::yield_now().await;
        }
    }
    let (told, heard) = mpsc::channel();
    let dropped = scheduler.run(order(&one, Priority::Later, 9), move |turn| {
        told.send(until_asked_to_end(turn)).unwrap();
    });
    assert!(dropped.now_or_never().is_none());
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(true));
}

#[tokio::test]
async fn drafts_without_end_leave_a_share_to_other_work() {
    let scheduler = scheduler(1);
    let [busy, patient] = [RenderClient::default(), RenderClient::default()];
    let draft = || {
        let work = |_: &Turn| {
            let begun = Instant::now();
            while begun.elapsed() < OWED_TURN {
                std::hint::spin_loop();
            }
        };
        scheduler.run(order(&busy, Priority::Now, 1), work)
    };
    let drafts = async {
        // There is always another one waiting.
        let mut waiting = Box::pin(draft());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        loop {
            let mut next = Box::pin(draft());
            assert!(futures_util::poll!(&mut next).is_pending());
            waiting.await.unwrap();
            waiting = next;
        }
    };
    tokio::select! {
        // Drafts are queued before the other work, which only gets owed turns.
        biased;
        () = drafts => {}
        // An owed turn is long enough for progress.
        done = scheduler.run(order(&patient, Priority::Later, 1), |turn| turn.should_end()) => {
            assert_eq!(done, Ok(false));
        }
    }
}

#[tokio::test]
async fn a_panic_is_an_error_and_gives_the_turn_back() {
    let scheduler = scheduler(1);
    let client = RenderClient::default();
    let panicked = scheduler.run(order(&client, Priority::Now, 1), |_| panic!("on purpose"));
    assert_eq!(panicked.await, Err::<(), _>(RenderError::Internal));
    scheduler.run(order(&client, Priority::Now, 1), |_| ()).await.unwrap();
}

#[tokio::test]
async fn of_large_work_one_turn_runs_at_a_time_and_other_work_beside_it() {
    let scheduler = scheduler(2);
    let client = RenderClient::default();
    let large = Order { is_large: true, ..order(&client, Priority::Soon, 1) };
    let (names, begun) = mpsc::channel();
    let (let_go, until) = mpsc::channel::<()>();
    let name = names.clone();
    let mut first = scheduler
        .run(large.clone(), move |_| {
            name.send("first").unwrap();
            let _ = until.recv_timeout(PATIENCE);
        })
        .boxed();
    assert!((&mut first).now_or_never().is_none());
    assert_eq!(begun.recv_timeout(PATIENCE), Ok("first"));
    let name = names.clone();
    let mut second = scheduler.run(large, move |_| name.send("second").unwrap()).boxed();
    assert!((&mut second).now_or_never().is_none());
    let small = order(&client, Priority::Soon, 1);
    scheduler.run(small, move |_| names.send("small").unwrap()).await.unwrap();
    assert_eq!(begun.try_iter().collect::<Vec<_>>(), ["small"]);
    let_go.send(()).unwrap();
    first.await.unwrap();
    second.await.unwrap();
    assert_eq!(begun.try_iter().collect::<Vec<_>>(), ["second"]);
}
