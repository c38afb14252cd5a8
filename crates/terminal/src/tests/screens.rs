//! What the screen shows, letter by letter.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use protocol::{ApprovalRequest, ServerMessage};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui_image::picker::Picker;
use serde_json::json;

use super::fixture::view;
use crate::conversation::Link;
use crate::picture::Picture;
use crate::screen::draw;
use crate::view::View;

/// The letters of the screen.
fn shown(view: &mut View, width: u16, height: u16, now: Instant) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, view, now)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    let rows: Vec<String> = (0..height).map(|y| row(y).trim_end().to_owned()).collect();
    rows.join("\n")
}

fn check(view: &mut View, size: (u16, u16), now: Instant, expected: &Expect) {
    expected.assert_eq(&shown(view, size.0, size.1, now));
}

fn apply(view: &mut View, now: Instant, message: serde_json::Value) {
    let message: ServerMessage = serde_json::from_value(message).unwrap();
    view.conversation.apply(message, now);
}

#[test]
fn a_session_that_goes_on() {
    let now = Instant::now();
    check(
        &mut view(now),
        (80, 24),
        now,
        &expect![[r#"
        scene-llm  a snowman                                                     offline
        › a snowman

          ✓ create_shape body sphere  12 ms
          ✗ create_shape head sphere
            'radius' must be above 0, got -1

        I built a snowman of two balls:

        • body
        • head, which stands on it and looks at the camera from below

          ✎ you changed head








        ────────────────────────────────────────────────────────────────────────────────
        >
        Enter sends · /help lists commands · PgUp scrolls"#]],
    );
}

#[test]
fn a_run() {
    let begin = Instant::now();
    let mut view = view(begin);
    apply(
        &mut view,
        begin,
        json!({ "type": "user_message", "seq": 10, "message_id": "m3", "text": "a hat" }),
    );
    apply(
        &mut view,
        begin,
        json!({ "type": "turn_started", "seq": 11, "turn": 2, "max_turns": 10 }),
    );
    apply(
        &mut view,
        begin,
        json!({ "type": "text_delta", "seq": 12, "message_id": "m4", "text": "I add a **ha", "thought": false }),
    );
    apply(
        &mut view,
        begin,
        json!({ "type": "tool_started", "seq": 13, "call_id": "c3", "name": "create_shape", "args": { "id": "hat", "type": "cone" } }),
    );
    let now = begin + Duration::from_millis(2_340);
    check(
        &mut view,
        (60, 24),
        now,
        &expect![[r#"
        scene-llm  a snowman                                 offline
        › a snowman

          ✓ create_shape body sphere  12 ms
          ✗ create_shape head sphere
            'radius' must be above 0, got -1

        I built a snowman of two balls:

        • body
        • head, which stands on it and looks at the camera from
          below

          ✎ you changed head

        › a hat

        I add a **ha

          ⠸ create_shape hat cone  2.3 s

         ⠸ thinking 2 s, turn 2 of 10 ──────────────────────────────
        >
        Esc stops · what you send now is told to the running model"#]],
    );
    apply(&mut view, now, json!({ "type": "text_discarded", "seq": 14, "message_id": "m4" }));
    apply(
        &mut view,
        now,
        json!({ "type": "run_finished", "seq": 15, "reason": "cancelled", "turns": 2 }),
    );
    let screen = shown(&mut view, 60, 24, now);
    assert!(!screen.contains("I add a") && screen.contains("stopped"), "{screen}");
}

#[test]
fn an_approval_and_a_lost_connection() {
    let now = Instant::now();
    let mut view = view(now);
    let args = json!({ "path": "/tmp/a\u{1b}[2J", "text": "x".repeat(100) });
    view.conversation.approvals.push(ApprovalRequest {
        call_id: "c9".into(),
        name: "files_write".into(),
        args,
    });
    view.conversation.link = Link::Lost { attempt: 3, reason: "refused".into() };
    let screen = shown(&mut view, 80, 12, now);
    expect![[r#"
        scene-llm  a snowman                                  connection lost, attempt 3
        I built a snowman of two balls:

        • body
        • head, which stands on it and looks at the camera from below

          ✎ you changed head
        May the model call files_write?
          {"path":"/tmp/a\u001b[2J","text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        ────────────────────────────────────────────────────────────────────────────────
        >
        y allow once · s in this session · a always · n refuse"#]]
    .assert_eq(&screen);
}

#[test]
fn a_long_chat_scrolls_and_stops_at_its_beginning() {
    let now = Instant::now();
    let mut view = view(now);
    for number in 0..40 {
        view.conversation.say(format!("note {number}"));
    }
    let screen = shown(&mut view, 80, 12, now);
    assert!(screen.contains("note 39") && !screen.contains("note 30"), "{screen}");
    view.scroll = 10_000;
    let screen = shown(&mut view, 80, 12, now);
    assert!(screen.contains("› a snowman") && !screen.contains("note"), "{screen}");
    let top = view.scroll;
    shown(&mut view, 80, 12, now);
    assert_eq!(view.scroll, top);
}

#[test]
fn no_size_is_too_small() {
    let now = Instant::now();
    for (width, height) in [(1, 1), (3, 2), (20, 5), (71, 19), (72, 6), (300, 4), (200, 60)] {
        let mut view = view(now);
        view.prompt.paste("a line that is longer than some screens are wide, 日本語 as well");
        shown(&mut view, width, height, now);
    }
}

fn goal(status: &str, tasks: &[(&str, &str)]) -> serde_json::Value {
    let task = |(id, status): &(&str, &str)| {
        json!({ "id": id, "description": format!("put the {id} there"), "depends_on": [],
                "status": status, "criteria": [], "attempts": 1 })
    };
    json!({ "id": "g1", "objective": "a room to read in", "status": status,
            "criteria": [{ "text": "1 ~sofa", "source": "user", "met": false, "found": "there is none" }],
            "tasks": tasks.iter().map(task).collect::<Vec<_>>(), "budget": {}, "may_ask": true,
            "used": { "turns": 1, "tokens": 2, "seconds": 0.5, "tool_calls": 3 } })
}

fn goal_changed(change: &str, goal: &serde_json::Value) -> serde_json::Value {
    json!({ "type": "goal_changed", "seq": 12, "change": { "kind": change, "why": "it was made" },
            "goal": goal, "notice": "Plan of 3 tasks: it was made." })
}

#[test]
fn a_goal_shows_its_tasks_beside_the_chat_while_it_is_worked_on() {
    let now = Instant::now();
    let mut view = view(now);
    view.picture = Picture::new(Some(Picker::halfblocks()));
    let tasks = [("sofa", "completed"), ("lamp", "in_progress"), ("rug", "pending")];
    apply(&mut view, now, goal_changed("plan_changed", &goal("active", &tasks)));
    let screen = shown(&mut view, 80, 24, now);
    for part in
        ["goal: 1 of 3 tasks done", "[x] sofa: put the sofa", "[>] lamp: put", "[ ] rug: put"]
    {
        assert!(screen.contains(part), "{part} is not on\n{screen}");
    }
    assert!(screen.contains("Plan of 3 tasks: it was made."), "{screen}");
    apply(&mut view, now, goal_changed("paused", &goal("waiting_for_user", &tasks)));
    let screen = shown(&mut view, 80, 24, now);
    assert!(screen.contains("your next message answers"), "{screen}");
    apply(&mut view, now, goal_changed("paused", &goal("completed", &tasks)));
    let screen = shown(&mut view, 80, 24, now);
    assert!(screen.contains("goal: reached") && !screen.contains("[>] lamp"), "{screen}");
}

#[test]
fn a_running_call_shows_what_it_does_until_it_ends() {
    let now = Instant::now();
    let mut view = view(now);
    let started = json!({ "type": "tool_started", "seq": 10, "call_id": "c9", "name": "delegate_to_painter",
                          "args": { "task": "a sky" } });
    apply(&mut view, now, started);
    let note = |text: &str| {
        json!({ "type": "progress", "step": 1, "action": "tool_call", "call_id": "c9", "note": text,
                "target": format!("delegate_to_painter: {text}") })
    };
    apply(&mut view, now, note("mixes the colours"));
    apply(&mut view, now, note("paints the clouds\u{1b}[2J"));
    let screen = shown(&mut view, 80, 24, now);
    assert!(screen.contains("    paints the clouds[2J") && !screen.contains("mixes"), "{screen}");
    let finished = json!({ "type": "tool_finished", "seq": 11, "call_id": "c9", "name": "delegate_to_painter",
                           "response": { "success": true, "result": {} }, "duration_ms": 5.0 });
    apply(&mut view, now, finished);
    assert!(!shown(&mut view, 80, 24, now).contains("paints"));
}
