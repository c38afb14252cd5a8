//! Flags, the environment and the configuration file, as `scene-llm config` and `serve` see them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// The program with this environment and nothing else of ours.
fn scene_llm(home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scene-llm"))
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn config(home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["config", "--json"].iter().chain(arguments).copied().collect();
    let output = scene_llm(home, environment, &all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(home: &Path, arguments: &[&str]) -> String {
    let output = scene_llm(home, &[], arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// A home with this configuration file.
fn home(text: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join(".config/scene-llm");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), text).unwrap();
    home
}

#[test]
#[cfg(target_os = "linux")]
fn flags_count_before_the_environment_and_that_before_the_file() {
    let home = home(
        r#"
addr = "127.0.0.1:9001"
max_turns = 20
max_connections = 100
stage = false
data_dir = "scenes"
allow_host = ["a.example", "b.example"]
token = "a-token-of-the-file"
model = "work/m"

[[providers]]
name = "work"
kind = "openai"
base_url = "https://me:secret-password@llm.example/v1"
api_key = "sk-secret-of-the-file"

[mcp_servers.files]
command = "mcp-files"
env = { KEY = "secret-of-a-server" }
"#,
    );
    let environment = [
        ("SCENE_LLM_MAX_TURNS", "30"),
        ("SCENE_LLM_ADDR", "127.0.0.1:9002"),
        ("GEMINI_API_KEY", "sk-g"),
    ];
    let printed = config(home.path(), &environment, &["--addr", "127.0.0.1:9003"]);
    let of = |key: &str| printed["settings"][key].clone();
    assert_eq!(of("addr"), json!({ "value": "127.0.0.1:9003", "source": "flag" }));
    let variable =
        json!({ "value": 30, "source": "environment", "variable": "SCENE_LLM_MAX_TURNS" });
    assert_eq!(of("max_turns"), variable);
    assert_eq!(of("max_connections"), json!({ "value": 100, "source": "file" }));
    assert_eq!(of("stage"), json!({ "value": false, "source": "file" }));
    assert_eq!(of("local_models"), json!({ "value": true, "source": "default" }));
    let hosts = json!({ "value": ["a.example", "b.example"], "source": "file" });
    assert_eq!(of("allow_host"), hosts);
    assert_eq!(of("token"), json!({ "value": "***", "source": "file" }));
    assert_eq!(of("model"), json!({ "value": "work/m", "source": "file" }));
    assert_eq!(of("max_day_tokens"), json!({ "value": null, "source": "default" }));
    let directory = home.path().join(".config/scene-llm");
    assert_eq!(of("data_dir")["value"], json!(directory.join("scenes")));
    assert_eq!(printed["file"], json!(directory.join("config.toml")));
    let provider = |name: &str, kind: &str, address: &str, source: &str, label: &str| json!({ "name": name, "label": label, "kind": kind, "base_url": address, "has_key": true, "source": source });
    let gemini = "https://generativelanguage.googleapis.com";
    let mut of_gemini = provider("gemini", "gemini", gemini, "environment", "Google Gemini");
    of_gemini["key_variable"] = "GEMINI_API_KEY".into();
    assert_eq!(
        printed["providers"],
        json!([of_gemini, provider("work", "openai", "https://llm.example/v1", "file", "work"),])
    );
    let servers = json!([{ "name": "files", "transport": "process", "disabled": false }]);
    assert_eq!(printed["mcp_servers"], servers);

    // As text it is a configuration file, and no secret is in either.
    let output = scene_llm(home.path(), &environment, &["config"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for secret in ["sk-", "a-token", "secret-"] {
        assert!(
            !text.contains(secret) && !printed.to_string().contains(secret),
            "{secret}: {text}"
        );
    }
    assert!(text.contains("max_turns = 30"), "{text}");
    let copy = home.path().join("copy.toml");
    std::fs::write(&copy, &text).unwrap();
    let again = config(home.path(), &[], &["--config", copy.to_str().unwrap()]);
    assert_eq!(again["settings"]["max_turns"], json!({ "value": 30, "source": "file" }));
    assert_eq!(again["settings"]["stage"]["value"], json!(false));
}

#[test]
#[cfg(target_os = "linux")]
fn what_excludes_a_setting_of_the_file_counts_before_it() {
    let home = home("data_dir = \"/scenes\"\nmax_turns = 7\n");
    let printed = config(home.path(), &[("SCENE_LLM_MAX_STEPS", "5")], &["--in-memory"]);
    let of = |key: &str| printed["settings"][key].clone();
    assert_eq!(of("in_memory"), json!({ "value": true, "source": "flag" }));
    assert_eq!(of("data_dir"), json!({ "value": null, "source": "default" }));
    assert_eq!(of("max_turns"), json!({ "value": 10, "source": "default" }));
    assert_eq!(of("max_steps")["value"], json!(5));
}

#[test]
fn what_is_wrong_in_the_file_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let file = path.to_str().unwrap();
    let check = |text: &str, line: usize, said: &str| {
        std::fs::write(&path, text).unwrap();
        for command in ["config", "serve"] {
            let error = refused(folder.path(), &[command, "--config", file]);
            let place = format!("mine.toml', line {line}: ");
            assert!(error.contains(&place) && error.contains(said), "{text}: {error}");
        }
    };
    check("\nmax_turn = 3", 2, "there is no key 'max_turn'; the nearest is 'max_turns'");
    check("\nmax_turns = 0", 2, "0 is not in 1..=1000");
    check("max_connections_per_address = 5\nmax_connections = \"x\"", 2, "invalid digit");
    check("list_sessions = \"sometimes\"", 1, "auto, always, never");
    check("stage = \"no\"", 1, "'stage' must be true or false");
    check("addr = [\"127.0.0.1:1\", \"127.0.0.1:2\"]", 1, "'addr' must be one value");
    check("in_memory = true\ndata_dir = \"x\"", 1, "cannot be used with");
    check("token = \"short\"", 1, "8 letters");
    let error = refused(folder.path(), &["serve", "--config", "/none.toml"]);
    assert!(error.contains("'/none.toml' cannot be read"), "{error}");
}

/// The beginning of the answer to a request for a session.
async fn begin_session(address: &str, header: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /api/sessions HTTP/1.1\r\nHost: {address}\r\n{header}Content-Length: 0\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    socket.read_exact(&mut answer).await.unwrap();
    String::from_utf8(answer.to_vec()).unwrap()
}

/// `serve` keeps sessions where the file says, and asks for its token.
#[tokio::test]
async fn the_server_has_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "data_dir = \"kept\"\naddr = \"127.0.0.1:0\"\ntoken = \"open-sesame\"\nlocal_models = false\n";
    std::fs::write(&file, text).unwrap();
    let mut server = tokio::process::Command::new(env!("CARGO_BIN_EXE_scene-llm"))
        .args(["serve", "--config", file.to_str().unwrap()])
        .env_clear()
        .env("HOME", folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    let address = line.strip_prefix("listening on http://").unwrap();
    assert_eq!(begin_session(address, "").await, "HTTP/1.1 401");
    let token = "Authorization: Bearer open-sesame\r\n";
    assert_eq!(begin_session(address, token).await, "HTTP/1.1 201");
    assert!(folder.path().join("kept/sessions.sqlite").exists());
    server.kill().await.unwrap();
}
