use futures_util::FutureExt;
use llm::{Part, Scripted, Step};

use super::*;

fn session(name: &str) -> Asker {
    Asker { session: name.into(), talkers: Arc::default() }
}

fn answer(tokens: u64) -> Vec<Step> {
    let usage = Usage { input_tokens: tokens, ..Usage::default() };
    vec![Step::Chunk(Chunk::Usage(usage)), Step::text("ok")]
}

async fn ask(model: &Arc<dyn LanguageModel>) -> Result<(), ModelError> {
    let chunks: Vec<_> = model.stream(Request::default()).collect().await;
    chunks.into_iter().find_map(Result::err).map_or(Ok(()), Err)
}

#[tokio::test]
async fn a_session_and_a_day_stay_within_their_budgets() {
    let limits = SpendingLimits {
        session_tokens: Some(100),
        day_tokens: Some(250),
        ..SpendingLimits::default()
    };
    let spending = Spending::new(limits);
    let script = Arc::new(Scripted::new((0..9).map(|_| answer(60)).collect::<Vec<_>>()));
    let metered = |name, used| spending.metered(Arc::clone(&script) as _, session(name), used);
    let one = metered("one", 0);
    assert_eq!(ask(&one).await, Ok(()));
    assert_eq!(ask(&one).await, Ok(()));
    let refused = ask(&one).await.unwrap_err().to_string();
    assert!(refused.contains("its budget of 100 tokens"), "{refused}");
    // What a session used before counts.
    let later = metered("later", 100);
    assert!(ask(&later).await.is_err());
    let other = metered("other", 0);
    assert_eq!((ask(&other).await, ask(&other).await), (Ok(()), Ok(())));
    let third = metered("third", 0);
    assert_eq!(ask(&third).await, Ok(()));
    let refused = ask(&third).await.unwrap_err().to_string();
    assert!(refused.contains("250 tokens for today"), "{refused}");
    assert_eq!(script.requests().len(), 5, "a refused request never reaches the model");
}

#[test]
fn a_clock_that_jumps_grants_each_date_its_budget_once() {
    let start = Moment { date: 20_000, instant: Instant::now() };
    let at = |date, hours| Moment { date, instant: start.instant + DAY * hours / 24 };
    let spend = |day: Day, now| Day { tokens: day.at(now).tokens + 60, ..day.at(now) };
    let day = spend(Day::beginning(start), start);
    // Back by a year, and to the same date again.
    let day = spend(spend(day, at(19_635, 1)), at(20_000, 2));
    assert_eq!(day.tokens, 180);
    // Ahead by a day, back, and ahead again.
    let day = spend(spend(spend(day, at(20_001, 3)), at(20_000, 4)), at(20_001, 5));
    assert_eq!(day.tokens, 180);
    // Far ahead for a moment: a day later there is a budget again.
    let day = spend(spend(day, at(90_000, 6)), at(20_001, 7));
    assert_eq!(day.tokens, 120);
    assert_eq!(day.at(at(20_002, 29)).tokens, 120);
    assert_eq!(day.at(at(20_002, 30)).tokens, 0);
}

#[tokio::test]
async fn requests_wait_in_order_and_too_many_are_refused() {
    let limits = SpendingLimits { requests: 1, waiting: 1, ..SpendingLimits::default() };
    let spending = Spending::new(limits);
    let gate = llm::Gate::new();
    let script =
        Arc::new(Scripted::new([vec![Step::Gate(gate.clone()), Step::text("a")], answer(1)]));
    let model = spending.metered(Arc::clone(&script) as _, session("one"), 0);
    let mut first = model.stream(Request::default());
    assert!(first.next().now_or_never().is_none(), "it waits at the gate");
    let mut second = model.stream(Request::default());
    assert!(second.next().now_or_never().is_none());
    assert_eq!((spending.queue.waiting(), script.requests().len()), (1, 1));
    assert!(ask(&model).await.unwrap_err().to_string().contains("which is the limit"));
    gate.open();
    assert_eq!(first.next().await, Some(Ok(Chunk::Part(Part::text("a")))));
    drop(first);
    assert!(second.next().await.is_some());
    assert_eq!((spending.queue.waiting(), script.requests().len()), (0, 2));
}

/// What a request of 350 bytes costs whose answer has these steps and is read up to `taken` of its chunks.
async fn cost(steps: Vec<Step>, taken: usize) -> u64 {
    let spending = Spending::new(SpendingLimits::default());
    let script = Arc::new(Scripted::new([steps]));
    let model = spending.metered(script as _, session("one"), 0);
    let request = Request { system_instruction: "x".repeat(350), ..Request::default() };
    let answer = model.stream(request).take(taken);
    // What is not there yet is not waited for.
    answer.for_each(|_| async {}).now_or_never();
    let day = *spending.day.lock().unwrap();
    day.tokens
}

#[tokio::test]
async fn what_a_provider_does_not_tell_is_counted_by_estimate() {
    let (text, usage) = (
        || Step::text("x".repeat(70)),
        |input_tokens, output_tokens| {
            Step::Chunk(Chunk::Usage(Usage { input_tokens, output_tokens, ..Usage::default() }))
        },
    );
    let failed = || Step::Error(ModelError::Unavailable("busy".to_owned()));
    let all = usize::MAX;
    assert_eq!(cost(vec![text(), usage(7, 5)], all).await, 12, "as it is told");
    assert_eq!(cost(vec![text()], all).await, 120, "nothing was told");
    assert_eq!(
        cost(vec![text(), text(), usage(7, 5)], 2).await,
        140,
        "cancelled before it was told"
    );
    assert_eq!(cost(vec![usage(7, 1), text(), text(), usage(7, 9)], 2).await, 27, "told so far");
    assert_eq!(
        cost(vec![Step::Gate(llm::Gate::new()), text()], all).await,
        100,
        "cancelled while it thinks"
    );
    assert_eq!(cost(vec![failed()], all).await, 0, "refused");
    assert_eq!(cost(vec![text(), failed()], all).await, 120, "broken off");
    let again = Step::Chunk(Chunk::Retrying {
        attempt: 1,
        delay: Duration::ZERO,
        reason: "the connection broke".to_owned(),
        discard_text: true,
    });
    assert_eq!(cost(vec![text(), again.clone(), text(), usage(7, 5)], all).await, 132, "twice");
    assert_eq!(cost(vec![again, text(), usage(7, 5)], all).await, 12, "refused, and then not");
}

#[tokio::test]
async fn what_is_cancelled_counts_for_its_session_and_budgets_are_checked_after_the_queue() {
    let limits = SpendingLimits {
        requests: 1,
        session_tokens: Some(100),
        day_tokens: Some(1_000),
        ..SpendingLimits::default()
    };
    let spending = Spending::new(limits);
    let gate = llm::Gate::new();
    let script = Arc::new(Scripted::new([
        vec![Step::text("x".repeat(700)), Step::Gate(llm::Gate::new())],
        vec![
            Step::Gate(gate.clone()),
            Step::Chunk(Chunk::Usage(Usage { input_tokens: 800, ..Usage::default() })),
        ],
    ]));
    let metered = |name| spending.metered(Arc::clone(&script) as _, session(name), 0);
    let mut cancelled = metered("one").stream(Request::default());
    assert!(cancelled.next().await.is_some());
    drop(cancelled);
    // The session itself knows of no tokens.
    let refused = ask(&metered("one")).await.unwrap_err().to_string();
    assert!(refused.contains("its budget of 100 tokens"), "{refused}");
    let (other, third) = (metered("other"), metered("third"));
    let mut first = other.stream(Request::default());
    assert!(first.next().now_or_never().is_none(), "it waits at the gate");
    let mut second = third.stream(Request::default());
    assert!(second.next().now_or_never().is_none(), "it waits in the queue");
    gate.open();
    while first.next().await.is_some() {}
    let refused = second.next().await.unwrap().unwrap_err().to_string();
    assert!(refused.contains("1000 tokens for today"), "{refused}");
    assert_eq!(script.requests().len(), 2, "what is refused never reaches the model");
}

#[test]
fn sessions_that_ask_nothing_are_forgotten_beyond_so_many() {
    let limits = SpendingLimits { session_tokens: Some(100), ..SpendingLimits::default() };
    let spending = Spending::new(limits);
    let kept = spending.used_by(&"asking".into());
    kept.store(70, Ordering::Relaxed);
    for number in 0..MOST_SESSIONS {
        spending.used_by(&number.to_string().into());
    }
    assert_eq!(spending.sessions.lock().unwrap().len(), 2);
    assert_eq!(spending.used_by(&"asking".into()).load(Ordering::Relaxed), 70);
}
