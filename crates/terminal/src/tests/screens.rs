//! What the screen shows, letter by letter.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use protocol::{ApprovalRequest, ServerMessage};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::json;

use super::fixture::view;
use crate::conversation::Link;
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
