use llm::{ProviderKind, ToolUse};
use secrecy::SecretString;

use super::refresh::loopback_port;
use super::*;
use crate::config::{KeysConfig, ProviderAccess, ProviderConfig};

fn access(base_url: &str) -> Option<ProviderAccess> {
    Some(ProviderAccess { api_key: SecretString::from("k"), base_url: base_url.into() })
}

fn all() -> ModelsConfig {
    ModelsConfig {
        gemini: access(llm::GEMINI_BASE_URL),
        openai: access(llm::OPENAI_BASE_URL),
        anthropic: access(llm::ANTHROPIC_BASE_URL),
        ..ModelsConfig::default()
    }
}

#[test]
fn every_key_brings_its_models_and_names_find_their_provider() {
    let models = Models::new(all()).unwrap();
    let list = models.list();
    let ids: Vec<&str> = list.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(models.default_id(), "gemini-3.8-flash");
    for id in ["gemini-3.8-flash", "openai/gpt-5.5", "anthropic/claude-sonnet-5-5", "offline"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    for (id, name) in [
        ("openai/gpt-9", "gpt-9"),
        ("anthropic/claude-9", "claude-9"),
        ("gemini/gemini-9", "gemini-9"),
        ("openai/meta-llama/llama-4", "meta-llama/llama-4"),
        ("openai/gpt-5.5+react", "openai/gpt-5.5+react"),
    ] {
        assert!(models.contains(id), "{id}");
        assert_eq!(models.open(id).unwrap().name(), name);
    }
    assert!(!models.contains("gpt-nonsense") && !models.contains("offline+nonsense"));
    let react = models.open("openai/gpt-5.5+react").unwrap();
    assert_eq!(react.facts().tools, ToolUse::Text);
}

#[test]
fn the_model_of_the_environment_is_the_default_whatever_it_is_called() {
    for (name, id) in [
        ("gpt-5.4-mini", "openai/gpt-5.4-mini"),
        ("claude-opus-5-5", "anthropic/claude-opus-5-5"),
        ("gemini-2.5-flash", "gemini-2.5-flash"),
        ("offline", "offline"),
        ("llama3.3+json", "openai/llama3.3+json"),
    ] {
        let models = Models::new(ModelsConfig { model: Some(name.into()), ..all() }).unwrap();
        assert_eq!(models.default_id(), id);
        assert!(models.list().iter().any(|model| model.id == id), "{id}");
        assert!(models.open(id).is_some());
    }
    let none = ModelsConfig { model: Some("gpt-5.5".into()), ..ModelsConfig::default() };
    assert!(matches!(Models::new(none), Err(ModelsError::Unreachable(_))));
    let other = ModelsConfig {
        model: Some("gpt-5.5".into()),
        gemini: access(llm::GEMINI_BASE_URL),
        ..ModelsConfig::default()
    };
    assert!(matches!(Models::new(other), Err(ModelsError::Unreachable(_))));
}

fn file_provider(name: &str, base_url: &str) -> ProviderConfig {
    ProviderConfig {
        name: name.into(),
        kind: ProviderKind::OpenAi,
        base_url: base_url.into(),
        api_key: SecretString::from("k"),
        models: vec!["big".into(), "maker/small".into()],
        headers: Vec::new(),
        is_default: false,
        max_context: None,
    }
}

#[test]
fn several_providers_of_one_kind_work_at_the_same_time() {
    let config = ModelsConfig {
        providers: vec![
            file_provider("work", "https://work.example/v1"),
            ProviderConfig { is_default: true, ..file_provider("home", "http://home.example/v1") },
            // The environment comes first.
            file_provider("openai", "http://other.example/v1"),
        ],
        ..all()
    };
    let models = Models::new(config).unwrap();
    let list = models.list();
    for (id, name) in
        [("work/big", "big"), ("home/maker/small", "maker/small"), ("home/unlisted", "unlisted")]
    {
        assert!(models.contains(id), "{id}");
        assert_eq!(models.open(id).unwrap().name(), name);
    }
    assert_eq!(models.default_id(), "home/big");
    let work = list.iter().find(|model| model.id == "work/big").unwrap();
    assert_eq!(work.provider.as_deref(), Some("work"));
    assert!(list.iter().any(|model| model.id == "openai/gpt-5.5"));
    assert!(!list.iter().any(|model| model.id == "openai/big"));
}

#[test]
fn the_list_tells_what_models_can_do_and_prices_are_the_makers_own() {
    let models = Models::new(ModelsConfig {
        providers: vec![ProviderConfig {
            models: vec!["gpt-5.5".into(), "never-heard-of".into()],
            ..file_provider("proxy", "https://proxy.example/v1")
        }],
        ..all()
    })
    .unwrap();
    let list = models.list();
    let entry = |id: &str| list.iter().find(|model| model.id == id).unwrap();
    let own = entry("openai/gpt-5.5");
    assert!(own.sees_images && own.thinks && own.native_tools && own.prices.is_some());
    assert_eq!(own.context_window, Some(1_050_000));
    assert!(own.efforts.contains(&protocol::Effort::High));
    let proxied = entry("proxy/gpt-5.5");
    assert!(proxied.sees_images && proxied.prices.is_none());
    let unknown = entry("proxy/never-heard-of");
    assert!(!unknown.sees_images && unknown.context_window == Some(32_768));

    let usage = Usage { input_tokens: 1_000_000, cached_tokens: 1_000_000, ..Usage::default() };
    assert_eq!(models.cost("openai/gpt-5.5+react", &usage), Some(0.5));
    assert_eq!(models.cost("proxy/gpt-5.5", &usage), None);
    assert_eq!(models.cost("offline", &usage), None);
}

#[test]
fn a_table_of_the_users_own_counts_before_the_built_in_one() {
    let table = Table::parse("gpt-5-5 9000 900 t - 1/2").unwrap();
    let models = Models::new(ModelsConfig { model_table: Some(Arc::new(table)), ..all() }).unwrap();
    let facts = models.open("openai/gpt-5.5").unwrap().facts();
    assert!(facts.context_window == 9_000 && !facts.images);
}

#[test]
fn what_a_list_says_reaches_clients_that_were_there_before() {
    let models = Models::new(all()).unwrap();
    let before = models.open("openai/gpt-5.5").unwrap().facts();
    assert!(before.images);
    let listed = Listed {
        id: "gpt-5.5".into(),
        facts: ModelFacts {
            images: false,
            context_window: 64_000,
            source: llm::Source::List,
            ..before
        },
        converses: None,
    };
    let mut state = models.lock();
    state.listed.insert("openai".into(), vec![listed]);
    models.rebuild(&mut state);
    drop(state);
    let after = models.open("openai/gpt-5.5").unwrap().facts();
    assert!(!after.images && after.context_window == 64_000);
}

#[test]
fn models_of_a_list_have_names_to_be_read_and_are_not_endless() {
    let models = Models::new(all()).unwrap();
    let facts = models.open("openai/gpt-5.5").unwrap().facts();
    let listed = |id: String| Listed { id, facts, converses: None };
    let strange = ["a\u{202e}b", "a\u{1b}[2J", "", &"x".repeat(201)].map(str::to_owned);
    let many = (0..3_000).map(|number| format!("model-{number}"));
    let mut state = models.lock();
    state.listed.insert("openai".into(), strange.into_iter().chain(many).map(listed).collect());
    models.rebuild(&mut state);
    drop(state);
    let list = models.list();
    let ids: Vec<_> = list.iter().filter_map(|model| model.id.strip_prefix("openai/")).collect();
    assert_eq!((ids.len(), ids[0], ids[1_999]), (2_000, "model-0", "model-1999"));
}

#[tokio::test]
async fn keys_are_taken_only_where_that_is_allowed_and_not_over_those_of_the_start() {
    let key = SecretString::from("sk-1234567890");
    let closed = Models::new(all()).unwrap();
    assert!(matches!(closed.key_status(), Err(KeyError::NotAllowed)));
    assert!(matches!(closed.set_key("groq", &key, false).await, Err(KeyError::NotAllowed)));
    let keys = KeysConfig { allowed: true, ..KeysConfig::default() };
    let open = Models::new(ModelsConfig { keys, ..all() }).unwrap();
    assert!(matches!(open.set_key("openai", &key, false).await, Err(KeyError::SetElsewhere(_))));
    assert!(matches!(open.set_key("nobody", &key, false).await, Err(KeyError::UnknownProvider(_))));
    let spaced = SecretString::from("two words of it");
    assert!(matches!(open.set_key("groq", &spaced, false).await, Err(KeyError::Malformed)));
    let (status, can_save) = open.key_status().unwrap();
    assert!(
        !can_save && status.iter().any(|it| it.provider == "openai" && it.set && !it.from_page)
    );
}

#[test]
fn ports_of_this_machine_are_told_from_others() {
    assert_eq!(loopback_port("http://localhost:11434/v1"), Some(11_434));
    assert_eq!(loopback_port("http://127.0.0.1:8000"), Some(8_000));
    assert_eq!(loopback_port("http://[::1]:1234/v1"), Some(1_234));
    assert_eq!(loopback_port("http://10.0.0.2:11434"), None);
    assert_eq!(loopback_port("https://api.openai.com/v1"), None);
}
