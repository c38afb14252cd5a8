//! Configuration files, right and wrong.

use std::time::Duration;

use secrecy::ExposeSecret;

use super::*;

fn parse(text: &str) -> Result<ConfigFile, ConfigFileError> {
    let settings = ["addr", "max_turns", "stage", "allow_host"].map(str::to_owned);
    ConfigFile::parse(Path::new("config.toml"), text.to_owned(), &settings)
}

fn read(text: &str) -> Result<ModelsConfig, (usize, String)> {
    let variable = |name: &str| (name == "WORK_KEY").then(|| "sk-work".to_owned());
    let read = parse(text);
    read.and_then(|file| ModelsConfig::default().with_file(&file, variable)).map_err(|error| {
        let ConfigFileError::Wrong { line, what, .. } = error else { panic!("{error}") };
        (line, what)
    })
}

#[test]
fn settings_of_the_command_line_are_read_as_it_has_them() {
    let file = parse(
        r#"
addr = "127.0.0.1:9000"
max_turns = 20
stage = false
allow_host = ["a.example", "b.example"]

[mcp_servers.files]
command = "mcp-files"
args = ["/data"]
"#,
    )
    .unwrap();
    let settings: Vec<(&str, Vec<&str>, usize)> = file
        .settings()
        .iter()
        .map(|it| (it.name.as_str(), it.values.iter().map(String::as_str).collect(), it.line))
        .collect();
    assert_eq!(
        settings,
        [
            ("addr", vec!["127.0.0.1:9000"], 2),
            ("max_turns", vec!["20"], 3),
            ("stage", vec!["false"], 4),
            ("allow_host", vec!["a.example", "b.example"], 5),
        ]
    );
    assert!(file.mcp_servers().servers.contains_key("files"));
}

#[test]
fn agents_are_read_with_their_tokens() {
    let agents = |text: &str| {
        let token = |name: &str| (name == "PAINTER").then(|| " a-token ".to_owned());
        parse(text).and_then(|file| file.agents(token)).map_err(|error| error.to_string())
    };
    let one = "[[agents]]\nname = \"painter\"\nurl = \"https://a.example\"\n";
    let read =
        agents(&format!("{one}token_env = \"PAINTER\"\ntime_limit = 20\nask = false")).unwrap();
    assert_eq!((read[0].time_limit, read[0].ask), (Duration::from_secs(20), false));
    assert_eq!(read[0].token.as_ref().unwrap().expose_secret(), "a-token");
    assert!(agents(one).unwrap()[0].ask);
    let wrong = |rest: &str, line: &str, said: &str| {
        let error = agents(&format!("{one}{rest}")).unwrap_err();
        assert!(error.contains(line) && error.contains(said), "{error}");
    };
    wrong("token_env = \"NONE\"", "line 4", "NONE, which is not set");
    wrong("time_limit = 0", "line 4", "1 to 86400 seconds");
    wrong("tokn_env = \"x\"", "line 4", "the nearest is 'token_env'");
    wrong(one, "line 5", "two agents 'painter'");
    let error = agents("[[agents]]\nname = \"a b\"\nurl = \"https://a.example\"").unwrap_err();
    assert!(error.contains("line 2") && error.contains("letters"), "{error}");
}

#[test]
fn an_unknown_key_is_named_with_the_nearest() {
    let wrong = |text: &str| read(text).expect_err("an error");
    let nearest =
        |unknown, nearest| format!("there is no key '{unknown}'; the nearest is '{nearest}'");
    assert_eq!(wrong("\nmax_turn = 3"), (2, nearest("max_turn", "max_turns")));
    assert_eq!(wrong("[provider]\nname = \"a\""), (1, nearest("provider", "providers")));
    assert_eq!(wrong("[mcp_server.a]"), (1, nearest("mcp_server", "mcp_servers")));
    let (line, what) = wrong("max_turns = { a = 1 }");
    assert!(line == 1 && what.contains("'max_turns' must be"), "{what}");
    let (line, what) = wrong("\n[mcp_servers.a]\ncommandd = \"x\"");
    assert!(line == 2 && what.contains("is 'command' meant"), "{line} {what}");
}

#[test]
fn several_providers_of_one_kind_are_read() {
    let config = read(
        r#"
model = "work/gpt-5.5"

[[providers]]
name = "work"
kind = "openai"
base_url = "https://llm.example/v1"
api_key_env = "WORK_KEY"
models = ["gpt-5.5"]
headers = { "X-Team" = "scenes" }

[[providers]]
name = "home"
kind = "openai"
base_url = "http://192.168.0.4:8000/v1"

[[providers]]
name = "big-box"
kind = "ollama"
base_url = "http://10.0.0.2:11434"
max_context = 65536
default = true
"#,
    )
    .unwrap();
    assert_eq!(config.model.as_deref(), Some("work/gpt-5.5"));
    let names: Vec<&str> = config.providers.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["work", "home", "big-box"]);
    assert_eq!(config.providers[0].api_key.expose_secret(), "sk-work");
    assert_eq!(config.providers[0].headers[0].0, "X-Team");
    assert_eq!(config.providers[2].max_context, Some(65_536));
    assert!(!format!("{config:?}").contains("sk-work"));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_what_to_do() {
    let wrong = |text: &str| read(text).expect_err("an error");
    let one = |rest: &str| format!("[[providers]]\nname = \"a\"\nkind = \"openai\"\n{rest}");
    assert_eq!(
            wrong("[[providers]]\nname = \"a\"\nkind = \"opnai\"\n"),
            (3, "'kind' is 'opnai'; it must be one of openai, openai-responses, anthropic, gemini, ollama".into())
        );
    let (line, what) = wrong(&one("api_kay = \"x\"\n"));
    assert!(line == 4 && what.contains("api_kay") && what.contains("'api_key'"), "{line} {what}");
    let (line, what) = wrong(&one("api_key_env = \"NOT_SET\""));
    assert!(line == 4 && what.contains("NOT_SET"), "{line} {what}");
    let (line, what) = wrong(&one(""));
    assert!(line == 2 && what.contains("needs 'api_key_env'"), "{line} {what}");
    let (line, what) = wrong(&one("base_url = \"llm.example\""));
    assert!(line == 4 && what.contains("http://"), "{line} {what}");
    let (line, what) = wrong(&one("api_key = \"k\"\napi_key_env = \"WORK_KEY\""));
    assert!(line == 5 && what.contains("leave one out"), "{line} {what}");
    let (line, what) = wrong(&one("api_key = \"k\"\nmax_context = 9000"));
    assert!(line == 5 && what.contains("'ollama'"), "{line} {what}");
    let twice = format!("{0}\n\n{0}", one("api_key = \"k\""));
    let (line, what) = wrong(&twice);
    assert!(line == 7 && what.contains("two providers 'a'"), "{line} {what}");
    assert!(wrong("[[providers]]\nname = \"a/b\"\nkind = \"openai\"").1.contains("'name' must be"));
    // The line with a key in it is not quoted.
    let (line, what) = wrong(&one("api_key = \"sk-secret"));
    assert!(line >= 4 && !what.contains("sk-secret"), "{line} {what}");
}

#[test]
fn a_table_of_models_is_read_beside_the_file() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("mine.txt"), "my-model 9000 900 tv - -\n").unwrap();
    let path = directory.path().join("config.toml");
    let read = || {
        let file = ConfigFile::read(&path, &[])?;
        ModelsConfig::default().with_file(&file, |_| None)
    };
    std::fs::write(&path, "model_table = \"mine.txt\"\n").unwrap();
    let facts = read().unwrap().model_table.unwrap().get("my-model").unwrap();
    assert!(facts.images && facts.context_window == 9_000);
    std::fs::write(&path, "\nmodel_table = \"none.txt\"\n").unwrap();
    let error = read().unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("none.txt"), "{error}");
    let error = ConfigFile::read(Path::new("/none.toml"), &[]).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "{error}");
}
