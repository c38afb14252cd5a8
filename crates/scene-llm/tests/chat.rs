//! `scene-llm chat` as its users start it: one message, a pipe, a terminal; alone and on a server.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// What would choose another model or another place.
const VARIABLES: [&str; 8] = [
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "SCENE_LLM_MODEL",
    "SCENE_LLM_DATA_DIR",
    "SCENE_LLM_CONFIG",
];
const PATIENCE: Duration = Duration::from_secs(60);

fn chat(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("chat").args(arguments);
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The last line of the errors, with the code it ended with.
fn failed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", stderr(output));
    stderr(output).lines().last().unwrap().to_owned()
}

#[test]
fn one_message_is_answered_in_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("ball.png");
    let render = format!("{} 32x24 1", picture.display());
    let output = chat(&["--in-memory", "--once", "a red ball", "--render", &render], "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stdout(&output).trim().is_empty());
    assert!(stderr(&output).contains("create_shape") || stderr(&output).contains("add_object"));
    assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    assert_eq!(image::image_dimensions(&picture).unwrap(), (32, 24));
}

/// A model's words, the names of its calls and their arguments must not steer the terminal.
#[test]
fn a_model_does_not_steer_the_terminal() {
    let escape = "\u{1b}]0;owned\u{7}\u{202e}";
    let answers = json!([
        { "text": format!("I {escape} begin."), "tool_calls": [
            { "name": format!("create{escape}"), "arguments": { "id": escape } },
            { "name": "create_shape", "arguments": { "id": escape, "type": "sphere",
                "properties": { "center": [0, 0, 0], "radius": 1 } } } ] },
        format!("Done {escape}."),
    ]);
    let mut command = Command::new(PROGRAM);
    command.args(["chat", "--in-memory", "--once", "go"]);
    for name in VARIABLES {
        command.env_remove(name);
    }
    let output = command.env("DEBUG_MOCK_RESPONSES", answers.to_string()).output().unwrap();
    let all = format!("{}{}", stdout(&output), stderr(&output));
    assert!(all.contains("begin") && all.contains("failed"), "{all}");
    assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{all:?}");
}

#[test]
fn a_pipe_is_a_conversation_and_json_is_its_events() {
    let output =
        chat(&["--in-memory", "--json"], "a red ball\n\n/undo\nmake a blue cube\n/quit\nno\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = stdout(&output).lines();
    let events: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["type"], "welcome");
    let numbers: Vec<u64> =
        events[1..].iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    let first = events[0]["seq"].as_u64().unwrap() + 1;
    assert_eq!(numbers, (first..first + numbers.len() as u64).collect::<Vec<_>>());
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((of("user_message"), of("run_finished")), (2, 2));
    assert_eq!(events.last().unwrap()["type"], "run_finished");
    let undone = events.iter().filter(|event| event["by"] == "user").count();
    assert_eq!(undone, 1);
}

#[test]
fn a_goal_in_a_pipe_is_worked_on_and_told() {
    let output = chat(&["--in-memory"], "/goal\n/goal a table with a red vase\n/goal\n");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("there is no goal; /goal TEXT sets one\n"));
    assert!(stdout(&output).contains("goal: a table with a red vase (reached)\n  [x] "));
    assert!(stderr(&output).contains("The goal is reached"), "{}", stderr(&output));
    let once = ["--in-memory", "--json", "--once", "/goal a table with a red vase"];
    let output = chat(&once, "");
    let last: Value = serde_json::from_str(stdout(&output).lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["goal"]["status"]),
        (&json!("goal_changed"), &json!("completed"))
    );
}

#[test]
fn what_goes_wrong_is_one_line_and_code_1() {
    let output = chat(&["--server", "127.0.0.1:1", "--once", "a ball"], "");
    assert!(failed(&output).contains("127.0.0.1:1"), "{}", stderr(&output));
    let output = chat(&["--in-memory", "--session", "nowhere", "--once", "a ball"], "");
    assert!(failed(&output).contains("nowhere"), "{}", stderr(&output));
    let output = chat(&["--in-memory", "--model", "nonsense/none", "--once", "a ball"], "");
    assert!(failed(&output).contains("nonsense/none"), "{}", stderr(&output));
    let output = chat(&["--in-memory"], "/undo\na ball\n");
    assert!(failed(&output).contains("nothing to undo"), "{}", stderr(&output));
    let output = chat(&["--in-memory", "--once", "a ball", "--render", "ball.gif"], "");
    assert!(failed(&output).contains(".png"), "{}", stderr(&output));
    let output = chat(&["--in-memory", "--scene", "/no/such.json", "--once", "a ball"], "");
    assert!(failed(&output).contains("/no/such.json"), "{}", stderr(&output));
    let output = chat(&["--pictures", "oil"], "");
    assert_eq!(output.status.code(), Some(2));
}

/// Requirement F6: a session begun in the page is gone on in the terminal.
#[tokio::test]
async fn a_session_of_a_server_is_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    let mut page = server.attach("").await;
    page.say("a red ball").await;
    let session = page.session();
    // As it stands in the address line of the page.
    let address = server.url(&format!("/#session={session}"));
    let said = tokio::task::spawn_blocking(move || {
        chat(&["--server", &address, "--once", "make the ball blue"], "")
    });
    let output = said.await.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let events = server.events(&session).await;
    let said: Vec<&Value> = events.iter().filter(|event| event["type"] == "user_message").collect();
    assert_eq!(said.len(), 2);
    assert_eq!(said[1]["text"], "make the ball blue");
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await.to_string();
    assert!(scene.contains("[0.0,0.0,1.0]"), "it is blue now: {scene}");
}

/// A program in a terminal.
struct Terminal {
    pty: pty_process::Pty,
    child: tokio::process::Child,
    parser: vt100::Parser,
}

impl Terminal {
    fn start(arguments: &[&str], rows: u16, columns: u16) -> Self {
        Self::start_with(arguments, rows, columns, None)
    }

    /// With this value of `NO_COLOR`.
    fn start_with(arguments: &[&str], rows: u16, columns: u16, no_color: Option<&str>) -> Self {
        let (pty, pts) = pty_process::open().unwrap();
        pty.resize(pty_process::Size::new(rows, columns)).unwrap();
        let mut command = pty_process::Command::new(PROGRAM).arg("chat").args(arguments);
        for name in VARIABLES {
            command = command.env_remove(name);
        }
        let command = command.env("TERM", "xterm-256color").kill_on_drop(true);
        let command = match no_color {
            Some(value) => command.env("NO_COLOR", value),
            None => command.env_remove("NO_COLOR"),
        };
        let child = command.spawn(pts).unwrap();
        Self { pty, child, parser: vt100::Parser::new(rows, columns, 0) }
    }

    async fn press(&mut self, keys: &str) {
        self.pty.write_all(keys.as_bytes()).await.unwrap();
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        self.pty.resize(pty_process::Size::new(rows, columns)).unwrap();
        self.parser.screen_mut().set_size(rows, columns);
    }

    /// Reads until the screen is as wanted.
    async fn until(&mut self, wanted: impl Fn(&vt100::Screen) -> bool) {
        let mut buffer = vec![0; 65_536];
        while !wanted(self.parser.screen()) {
            let read = tokio::time::timeout(PATIENCE, self.pty.read(&mut buffer)).await;
            let screen = self.parser.screen().contents();
            let read = read.unwrap_or_else(|_| panic!("not on the screen:\n{screen}"));
            let read = read.unwrap_or_else(|error| panic!("{error}; it showed\n{screen}"));
            self.parser.process(&buffer[..read]);
        }
    }

    async fn until_text(&mut self, text: &str) {
        self.until(|screen| screen.contents().contains(text)).await;
    }
}

#[tokio::test]
async fn the_full_screen_in_a_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(&["--data-dir", &data, "--pictures", "blocks"], 24, 80);
    terminal.until_text("Say what you want to see").await;
    assert!(terminal.parser.screen().alternate_screen());
    terminal.press("a red ball on a table\r").await;
    terminal.until_text("✓").await;
    terminal.until(|screen| !screen.contents().contains("thinking")).await;
    let is_picture = |screen: &vt100::Screen, row: u16, column: u16| {
        let cell = screen.cell(row, column);
        matches!(cell.map(vt100::Cell::fgcolor), Some(vt100::Color::Rgb(..)))
    };
    terminal.until(|screen| is_picture(screen, 5, 60)).await;
    terminal.resize(60, 200);
    terminal
        .until(|screen| is_picture(screen, 20, 180) && screen.contents().contains("› a red ball"))
        .await;
    terminal.press("/nonsense\r").await;
    terminal.until_text("there is no command /nonsense").await;
    terminal.press("/quit\r").await;
    terminal
        .until(|screen| screen.contents().contains("go on with: scene-llm chat --session"))
        .await;
    assert!(!terminal.parser.screen().alternate_screen(), "the terminal is given back");
    let status = tokio::time::timeout(PATIENCE, terminal.child.wait()).await.unwrap().unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn without_colour_nothing_on_the_screen_has_one() {
    let mut terminal =
        Terminal::start_with(&["--in-memory", "--pictures", "none"], 24, 80, Some("1"));
    terminal.until_text("Say what you want to see").await;
    terminal.press("a red ball on a table\r").await;
    terminal.until_text("✓").await;
    terminal.until(|screen| !screen.contents().contains("thinking")).await;
    let screen = terminal.parser.screen();
    for (row, column) in (0..24).flat_map(|row| (0..80).map(move |column| (row, column))) {
        let cell = screen.cell(row, column).unwrap();
        let colours = (cell.fgcolor(), cell.bgcolor());
        let none = (vt100::Color::Default, vt100::Color::Default);
        assert_eq!(colours, none, "row {row}, column {column}:\n{}", screen.contents());
    }
    terminal.press("/quit\r").await;
    let status = tokio::time::timeout(PATIENCE, terminal.child.wait()).await.unwrap().unwrap();
    assert!(status.success());
}

#[test]
fn log_lines_have_no_escape_codes_in_a_pipe_and_are_objects_on_request() {
    let text = chat(&["--in-memory", "--once", "a red ball", "--log", "info"], "");
    assert!(stderr(&text).contains("a run finished"), "{}", stderr(&text));
    assert!(!stderr(&text).contains('\u{1b}') && !stdout(&text).contains('\u{1b}'));
    let logs = ["--log", "info,agent=trace", "--log-format", "json"];
    let arguments = [&["--in-memory", "--once", "a red ball"][..], &logs].concat();
    let output = chat(&arguments, "");
    let lines = stderr(&output).lines().filter(|line| line.starts_with('{'));
    let lines: Vec<serde_json::Value> =
        lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let finished = lines.iter().find(|line| line["message"] == "a run finished").unwrap();
    assert!(finished["session"].as_str().unwrap().len() > 8, "{finished}");
    assert!(finished["run"].is_u64() && finished["level"] == "INFO", "{finished}");
    let refused = chat(&["--log-format", "xml"], "");
    assert_eq!(refused.status.code(), Some(2));
}

#[tokio::test]
async fn a_link_for_looking_only_cannot_speak() {
    let directory = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    let id = server.attach("").await.session();
    let url = server.url("");
    // A link for looking only cannot speak.
    let path = server.url(&format!("/api/sessions/{id}/shares"));
    let shared = server.http().post(path).json(&json!({ "access": "view" })).send().await.unwrap();
    let shared: Value = shared.json().await.unwrap();
    let token = shared["token"].as_str().unwrap().to_owned();
    let said = tokio::task::spawn_blocking(move || {
        chat(&["--server", &url, "--session", &token, "--once", "a ball"], "")
    });
    assert!(failed(&said.await.unwrap()).contains("looking only"));
}
