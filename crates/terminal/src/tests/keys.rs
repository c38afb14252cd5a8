//! What keys do.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::{ApprovalRequest, ClientRequest, Remember};
use serde_json::json;

use super::fixture::view;
use crate::command::Command;
use crate::conversation::Entry;
use crate::view::{Action, View};

fn press(view: &mut View, code: KeyCode) -> Option<Action> {
    view.key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn control(view: &mut View, letter: char) -> Option<Action> {
    view.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
}

fn typed(view: &mut View, text: &str) -> Option<Action> {
    for letter in text.chars() {
        assert_eq!(press(view, KeyCode::Char(letter)), None);
    }
    press(view, KeyCode::Enter)
}

#[test]
fn lines_are_messages_commands_or_complaints() {
    let mut view = view(Instant::now());
    assert_eq!(typed(&mut view, " bigger "), Some(Action::Request(client::say("bigger"))));
    assert_eq!(typed(&mut view, "/undo"), Some(Action::Command(Command::Undo)));
    assert_eq!(typed(&mut view, ""), None);
    assert_eq!(typed(&mut view, "/undu"), None);
    let said = view.conversation.entries.last();
    assert!(matches!(said, Some(Entry::Notice { text, is_error: true }) if text.contains("/undo")));
    press(&mut view, KeyCode::Up);
    press(&mut view, KeyCode::Up);
    assert_eq!(view.prompt.text(), "/undo");
}

#[test]
fn escape_stops_a_run_and_control_c_leaves_at_the_second_time() {
    let now = Instant::now();
    let mut view = view(now);
    view.conversation.running = Some(now);
    assert_eq!(press(&mut view, KeyCode::Esc), Some(Action::Request(ClientRequest::Cancel)));
    assert_eq!(control(&mut view, 'c'), Some(Action::Request(ClientRequest::Cancel)));
    view.conversation.running = None;
    press(&mut view, KeyCode::Char('x'));
    assert_eq!(control(&mut view, 'c'), None);
    assert_eq!(view.prompt.text(), "");
    assert_eq!(control(&mut view, 'c'), None);
    assert!(view.hint().contains("leaves"));
    assert_eq!(control(&mut view, 'c'), Some(Action::Quit));
    assert_eq!(control(&mut view, 'd'), Some(Action::Quit));
}

#[test]
fn an_approval_is_one_key_but_not_within_a_line() {
    let mut view = view(Instant::now());
    let waiting = |call_id: &str| ApprovalRequest {
        call_id: call_id.into(),
        name: "files_write".into(),
        args: json!({}),
    };
    view.conversation.approvals = vec![waiting("c7"), waiting("c8"), waiting("c9")];
    let answer = |view: &mut View, letter| match press(view, KeyCode::Char(letter)) {
        Some(Action::Request(ClientRequest::Approve { call_id, allow, remember })) => {
            Some((call_id, allow, remember))
        }
        _ => None,
    };
    assert_eq!(answer(&mut view, 'y'), Some(("c7".into(), true, None)));
    assert_eq!(answer(&mut view, 's'), Some(("c8".into(), true, Some(Remember::Session))));
    assert_eq!(answer(&mut view, 'w'), None);
    assert_eq!(answer(&mut view, 'n'), None, "the line began with w");
    control(&mut view, 'u');
    assert_eq!(answer(&mut view, 'n'), Some(("c9".into(), false, None)));
    assert_eq!(answer(&mut view, 'y'), None, "nothing waits any more");
}

#[test]
fn tab_completes_what_is_clear() {
    let mut view = view(Instant::now());
    view.prompt.paste("/ren");
    press(&mut view, KeyCode::Tab);
    assert_eq!(view.prompt.text(), "/render ");
    view.prompt.set("/s");
    press(&mut view, KeyCode::Tab);
    assert_eq!(view.prompt.text(), "/s");
    assert_eq!(view.hint(), "/session  /share");
}
