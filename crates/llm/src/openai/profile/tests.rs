//! The choice of the profile, and its effect on requests.

use serde_json::json;

use super::*;
use crate::effort::Effort;
use crate::http::call_ids::IdForm;
use crate::model::{Request, RequestSettings};
use crate::openai::{chat, responses};
use crate::registry::facts;
use crate::{Content, ToolDeclaration};

fn target(base_url: &str, model: &str) -> Target {
    Target::new(base_url, model, facts(model))
}

fn body(base_url: &str, model: &str, settings: RequestSettings) -> Value {
    let target = target(base_url, model);
    let tool = ToolDeclaration {
        name: "f".into(),
        description: "d".into(),
        parameters: json!({ "type": "object" }).into(),
    };
    let contents = vec![Content::user("hi")];
    let request = Request { contents, tools: [tool].into(), settings, ..Request::default() };
    match target.profile.api {
        Api::Chat => chat::body(&target, &request),
        Api::Responses => responses::body(&target, &request),
    }
}

const OPENAI_URL: &str = "https://api.openai.com/v1";
const LOCAL: &str = "http://127.0.0.1:45678";

#[test]
fn profiles_are_found_by_address_and_model() {
    let cases = [
        (OPENAI_URL, "gpt-5.5", "OpenAI", Api::Responses),
        (OPENAI_URL, "gpt-6.1-sol", "OpenAI", Api::Responses),
        (OPENAI_URL, "o4-mini", "OpenAI", Api::Responses),
        ("https://eu.api.openai.com/v1", "gpt-5", "OpenAI", Api::Responses),
        ("https://me.openai.azure.com/openai/v1", "gpt-5.4", "OpenAI", Api::Responses),
        (OPENAI_URL, "gpt-4o-mini", "OpenAI", Api::Chat),
        (OPENAI_URL, "gpt-5-chat-latest", "OpenAI", Api::Chat),
        (LOCAL, "gpt-5.5", "OpenAI", Api::Chat),
        (LOCAL, "gpt-6-luna", "OpenAI", Api::Chat),
        (LOCAL, "gpt-6-astra", "OpenAI", Api::Responses),
        (LOCAL, "gpt-6.2-sol", "OpenAI", Api::Responses),
        ("https://api.deepseek.com", "deepseek-v4-pro", "DeepSeek", Api::Chat),
        ("https://api.moonshot.ai/v1", "kimi-k3", "Moonshot", Api::Chat),
        ("https://api.mistral.ai/v1", "mistral-large-4", "Mistral", Api::Chat),
        ("https://api.groq.com/openai/v1", "openai/gpt-oss-120b", "Groq", Api::Chat),
        ("https://api.minimax.io/v1", "MiniMax-M3", "MiniMax", Api::Chat),
        (
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "qwen3.7-max",
            "Alibaba",
            Api::Chat,
        ),
        ("https://api.z.ai/api/paas/v4", "glm-5.3", "Zhipu", Api::Chat),
        ("https://open.bigmodel.cn/api/paas/v4", "glm-4.7", "Zhipu", Api::Chat),
        ("https://api.x.ai/v1", "grok-4.6", "xAI", Api::Chat),
        ("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-5.5", "OpenRouter", Api::Chat),
        ("https://openrouter.ai/api/v1", "openai/gpt-5.5", "OpenRouter", Api::Chat),
        ("https://openrouter.ai/api/v1", "mistralai/devstral-2", "OpenRouter", Api::Chat),
        (
            "https://api.fireworks.ai/inference/v1",
            "accounts/x/models/kimi-k3",
            "Fireworks",
            Api::Chat,
        ),
        ("https://api.together.xyz/v1", "zai-org/GLM-5.3", "Together", Api::Chat),
        ("http://localhost:11434/v1", "qwen3:8b", "Ollama", Api::Chat),
        ("http://localhost:1234/v1", "qwen3-8b", "LM Studio", Api::Chat),
        ("http://localhost:8080", "any", "llama.cpp", Api::Chat),
        ("http://10.0.0.2:8000/v1", "Qwen/Qwen3-8B", "vLLM", Api::Chat),
        ("https://models.example.com/v1", "any", "models.example.com", Api::Chat),
        ("https://notapi.x.ai.example.com/v1", "any", "notapi.x.ai.example.com", Api::Chat),
        (LOCAL, "openai/gpt-oss-120b", "127.0.0.1:45678", Api::Chat),
    ];
    for (url, model, owner, api) in cases {
        let target = target(url, model);
        assert_eq!((target.owner.as_str(), target.profile.api), (owner, api), "{model} at {url}");
    }
}

#[test]
fn families_of_models_keep_their_rules_wherever_they_are_served() {
    for url in [LOCAL, "http://localhost:8000/v1", "https://openrouter.ai/api/v1"] {
        let mistral = target(url, "mistralai/Devstral-Small-2").profile;
        assert_eq!((mistral.ids, mistral.user_after_tool), (IdForm::Nine, false), "{url}");
    }
    let kimi = target(LOCAL, "moonshotai/Kimi-K2.6").profile;
    assert_eq!((kimi.ids, kimi.reasoning), (IdForm::AsGiven, Reasoning::Content(" ")));
    assert_eq!(target(LOCAL, "deepseek-v4-flash").profile.reasoning, Reasoning::Content(""));
}

#[test]
fn every_row_is_reached_and_every_constant_is_json() {
    for (index, profile) in PROFILES.iter().enumerate() {
        for (_, field, value) in profile.constants {
            assert!(serde_json::from_str::<Value>(value).is_ok(), "{field}: {value}");
        }
        let host = profile.hosts.first().map_or("example.com".to_owned(), |end| {
            match end.chars().next() {
                Some('.') => format!("a{end}"),
                Some(':') => format!("example.com{end}"),
                _ => (*end).to_owned(),
            }
        });
        let model = profile.models.first().copied().unwrap_or("unheard-of");
        let found = PROFILES.iter().position(|row| {
            (row.hosts.is_empty() || row.hosts.iter().any(|end| is_host(&host, end)))
                && (row.models.is_empty()
                    || row.models.iter().any(|start| model.starts_with(start)))
        });
        assert_eq!(found, Some(index), "{} {model}", profile.vendor);
    }
}

/// Checks the fields for an effort, without the constant ones.
#[track_caller]
fn check_effort(url: &str, model: &str, effort: Effort, expected: &Value) {
    let settings = RequestSettings { effort: Some(effort), ..RequestSettings::default() };
    let mut body = body(url, model, settings);
    let fields = body.as_object_mut().unwrap();
    let constant = [
        "model",
        "messages",
        "input",
        "stream",
        "stream_options",
        "tools",
        "store",
        "include",
        "parallel_tool_calls",
        "max_tokens",
    ];
    fields.retain(|name, _| !constant.contains(&name.as_str()));
    assert_eq!(body, *expected, "{model} at {url}, {effort:?}");
}

#[test]
fn each_provider_is_told_in_its_own_words_how_hard_to_think() {
    let reasoning = |effort: &str| json!({ "reasoning": { "summary": "auto", "effort": effort } });
    check_effort(OPENAI_URL, "gpt-5.5", Effort::Off, &reasoning("none"));
    check_effort(OPENAI_URL, "gpt-5.5", Effort::Max, &reasoning("xhigh"));
    check_effort(OPENAI_URL, "gpt-5", Effort::Off, &reasoning("minimal"));
    check_effort(OPENAI_URL, "gpt-5.6-terra", Effort::Max, &reasoning("max"));
    // Some models refuse `none`.
    check_effort(OPENAI_URL, "gpt-6-astra", Effort::Off, &reasoning("low"));
    check_effort(OPENAI_URL, "gpt-6.1-sol", Effort::Off, &reasoning("low"));
    check_effort(OPENAI_URL, "gpt-6-luna", Effort::Off, &reasoning("none"));
    check_effort(OPENAI_URL, "o3", Effort::Off, &reasoning("low"));
    check_effort(OPENAI_URL, "gpt-5.5-pro", Effort::Low, &reasoning("medium"));
    check_effort(OPENAI_URL, "gpt-4o", Effort::High, &json!({}));
    // These accept tools in chat completions only without reasoning.
    check_effort(LOCAL, "gpt-5.5", Effort::High, &json!({ "reasoning_effort": "none" }));
    check_effort(LOCAL, "gpt-5.2", Effort::High, &json!({ "reasoning_effort": "high" }));

    let deepseek = "https://api.deepseek.com";
    check_effort(
        deepseek,
        "deepseek-v4",
        Effort::Off,
        &json!({ "thinking": { "type": "disabled" } }),
    );
    let max = json!({ "thinking": { "type": "enabled" }, "reasoning_effort": "max" });
    check_effort(deepseek, "deepseek-v4", Effort::Max, &max);

    let kimi = "https://api.moonshot.ai/v1";
    check_effort(kimi, "kimi-k3", Effort::Medium, &json!({ "reasoning_effort": "high" }));
    check_effort(kimi, "kimi-k2.6", Effort::Off, &json!({ "thinking": { "type": "disabled" } }));
    let keep = json!({ "thinking": { "type": "enabled", "keep": "all" } });
    check_effort(kimi, "kimi-k2.6", Effort::High, &keep);
    check_effort(kimi, "kimi-k2.7-code", Effort::Off, &keep);
    check_effort(kimi, "kimi-k2.5", Effort::High, &json!({ "thinking": { "type": "enabled" } }));

    let glm = "https://api.z.ai/api/paas/v4";
    let kept = json!({ "type": "enabled", "clear_thinking": false });
    check_effort(
        glm,
        "glm-5.3",
        Effort::Off,
        &json!({
        "thinking": kept, "reasoning_effort": "low", "tool_stream": true }),
    );
    check_effort(
        glm,
        "glm-4.7",
        Effort::Off,
        &json!({
        "thinking": { "type": "disabled" }, "tool_stream": true }),
    );

    let mistral = "https://api.mistral.ai/v1";
    check_effort(
        mistral,
        "mistral-medium-3-5",
        Effort::Low,
        &json!({ "reasoning_effort": "high" }),
    );
    check_effort(mistral, "mistral-large-2512", Effort::High, &json!({}));
    let groq = "https://api.groq.com/openai/v1";
    check_effort(groq, "qwen/qwen3-32b", Effort::Off, &json!({ "reasoning_effort": "none" }));
    check_effort(groq, "openai/gpt-oss-20b", Effort::Max, &json!({ "reasoning_effort": "high" }));
    let minimax = json!({ "thinking": { "type": "disabled" }, "reasoning_split": true });
    check_effort("https://api.minimax.io/v1", "MiniMax-M3", Effort::Off, &minimax);
    let qwen = json!({ "enable_thinking": false, "preserve_thinking": true });
    check_effort("https://dashscope.aliyuncs.com/v1", "qwen3.7-max", Effort::Off, &qwen);
    check_effort(
        "https://api.x.ai/v1",
        "grok-4.6",
        Effort::Max,
        &json!({ "reasoning_effort": "xhigh" }),
    );
    check_effort("https://api.x.ai/v1", "grok-4.20-0309-reasoning", Effort::Max, &json!({}));
    let router = "https://openrouter.ai/api/v1";
    check_effort(
        router,
        "z-ai/glm-5.3",
        Effort::Off,
        &json!({ "reasoning": { "effort": "none" } }),
    );
    let template = json!({ "chat_template_kwargs": { "enable_thinking": false } });
    check_effort("http://localhost:8080", "any", Effort::Off, &template);
    check_effort(
        "http://localhost:11434/v1",
        "qwen3",
        Effort::Off,
        &json!({ "reasoning_effort": "none" }),
    );
}

#[test]
fn settings_are_sent_where_they_are_taken() {
    let settings = || RequestSettings {
        temperature: Some(0.5),
        cache_key: Some("session".into()),
        ..RequestSettings::default()
    };
    let sent = |url: &str, model: &str| {
        let body = body(url, model, settings());
        let fields = [
            "temperature",
            "prompt_cache_key",
            "session_id",
            "stream_options",
            "parallel_tool_calls",
            "max_tokens",
        ];
        fields.into_iter().filter(|field| body.get(*field).is_some()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sent(OPENAI_URL, "gpt-5.5"), "prompt_cache_key");
    assert_eq!(sent(OPENAI_URL, "gpt-4o"), "temperature prompt_cache_key stream_options");
    assert_eq!(sent("https://api.moonshot.ai/v1", "kimi-k3"), "prompt_cache_key stream_options");
    assert_eq!(sent("https://api.mistral.ai/v1", "mistral-large-4"), "temperature");
    assert_eq!(sent("https://api.groq.com/openai/v1", "qwen3"), "temperature");
    assert_eq!(
        sent("https://openrouter.ai/api/v1", "openai/gpt-5.5"),
        "temperature session_id stream_options"
    );
    assert_eq!(
        sent("https://dashscope.aliyuncs.com/v1", "qwen-plus"),
        "temperature stream_options parallel_tool_calls"
    );
    assert_eq!(
        sent("https://api.fireworks.ai/inference/v1", "x"),
        "temperature stream_options max_tokens"
    );
    assert_eq!(sent(LOCAL, "any"), "temperature stream_options");
}
