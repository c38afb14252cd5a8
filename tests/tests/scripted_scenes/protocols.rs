//! The same calls build the same scene, whatever form a model writes them in: native calls of each kind of provider,
//! and each text protocol.

use std::collections::BTreeSet;

use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply};
use end_to_end::server::TestServer;
use evaluation::{GivenCall, Transcript};
use llm::TextProtocol;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{Config, ModelsConfig, ProviderAccess, ToolSetting};

use super::transcripts::{of_repository, replay};

/// The calls of an answer as text of a protocol; one that takes a call at a time gets several answers.
fn as_text(protocol: TextProtocol, transcript: &Transcript) -> Vec<Reply> {
    let (last, earlier) = transcript.answers.split_last().expect("a transcript has answers");
    let mut replies = Vec::new();
    for given in earlier {
        let call = |call: &GivenCall| (call.name.clone(), call.cheap_args());
        let calls: Vec<(String, Value)> = given.calls.iter().map(call).collect();
        match protocol {
            TextProtocol::React => replies.extend(calls.iter().map(|(name, args)| {
                Reply::new().text(&format!(
                    "{}\n<tool_code><name>{name}</name><parameters>{args}</parameters></tool_code>",
                    given.text
                ))
            })),
            TextProtocol::Json => {
                let calls: Vec<Value> = calls
                    .iter()
                    .map(|(name, args)| json!({ "name": name, "arguments": args }))
                    .collect();
                let calls = json!({ "tool_calls": calls });
                replies.push(Reply::new().text(&format!("{}\n```json\n{calls}\n```", given.text)));
            }
            TextProtocol::Plan => {
                let tools: Vec<Value> = calls
                    .iter()
                    .enumerate()
                    .map(|(at, (name, args))| json!({ "id": format!("c{at}"), "tool": name, "args": args, "needs": [] }))
                    .collect();
                let plan = json!({ "status": "continue", "action": given.text, "tools": tools,
                                   "reasoning": "As planned." });
                replies.push(Reply::new().text(&plan.to_string()));
            }
        }
    }
    replies.push(match protocol {
        TextProtocol::Plan => Reply::new().text(
            &json!({ "status": "done", "action": last.text, "tools": [], "reasoning": "" })
                .to_string(),
        ),
        _ => Reply::new().text(&last.text),
    });
    replies
}

/// The answers with native calls.
fn as_calls(transcript: &Transcript) -> Vec<Reply> {
    let reply = |(turn, given): (usize, &evaluation::GivenAnswer)| {
        let calls = given.calls.iter().enumerate();
        calls.fold(Reply::new().text(&given.text), |reply, (at, call)| {
            reply.call(&format!("call_{turn}_{at}"), &call.name, call.cheap_args())
        })
    };
    transcript.answers.iter().enumerate().map(reply).collect()
}

/// A form in which a model writes its calls.
#[derive(Debug, Clone, Copy)]
enum Form {
    Text(TextProtocol),
    Native(Dialect),
}

const TEXTS: [Form; 3] = [
    Form::Text(TextProtocol::React),
    Form::Text(TextProtocol::Json),
    Form::Text(TextProtocol::Plan),
];
const NATIVE: [Form; 2] = [Form::Native(Dialect::OpenAi), Form::Native(Dialect::Anthropic)];

/// The scene that a model makes which writes its calls in this form, and how many of them failed.
async fn built(form: Form, transcript: &Transcript) -> (Value, usize) {
    let (dialect, replies) = match form {
        Form::Text(protocol) => (Dialect::OpenAi, as_text(protocol, transcript)),
        Form::Native(dialect) => (dialect, as_calls(transcript)),
    };
    let model = FakeChat::start(dialect, replies).await;
    let access =
        Some(ProviderAccess { api_key: SecretString::from(KEY), base_url: model.base_url() });
    let models = match dialect {
        Dialect::Anthropic => ModelsConfig {
            anthropic: access,
            model: Some("claude-sonnet-5-5".into()),
            ..ModelsConfig::default()
        },
        _ => ModelsConfig {
            openai: access,
            model: Some("gpt-4o-mini".into()),
            ..ModelsConfig::default()
        },
    };
    let tool_use = match form {
        Form::Text(protocol) => Some(ToolSetting::Text(protocol)),
        Form::Native(_) => None,
    };
    let config = TestServer::config(ModelsConfig { tool_use, ..models });
    // One of the protocols takes a call at a time.
    let server = TestServer::of(Config { max_turns: 80, ..config }).await;
    let mut client = server.client().await;
    let end = client.say(&transcript.brief).await;
    assert_eq!(end["reason"], "completed", "{form:?}: {end}");
    assert_eq!(model.refusals(), Vec::<String>::new(), "{form:?}");
    let log = server.get(&format!("/api/sessions/{}/log", client.session())).await;
    let entries = log["entries"].as_array().expect("entries");
    let results = entries.iter().filter(|entry| entry["type"] == "tool_result");
    let failed = results.filter(|it| it.to_string().contains("\"success\":false")).count();
    (server.get(&format!("/api/sessions/{}/scene", client.session())).await, failed)
}

async fn all_build_the_same(transcript: &Transcript, forms: &[Form]) -> Value {
    let (cost, first) = replay(transcript).await;
    assert!(first["shapes"].as_array().is_some_and(|shapes| shapes.len() > 10));
    for form in forms {
        let (scene, failed) = built(*form, transcript).await;
        for part in ["shapes", "lights", "groups", "camera", "environment", "animation"] {
            assert_eq!(scene[part], first[part], "{}: {part}, {form:?}", transcript.name);
        }
        assert_eq!(failed, cost.failed, "{}: {form:?}", transcript.name);
    }
    first
}

/// One with plain calls, and one with a correction by index, patterns and polyhedra.
#[tokio::test]
async fn native_calls_and_each_text_protocol_build_the_same_scene() {
    let all = of_repository();
    for name in ["birthday-table", "spaceship"] {
        let transcript = all.iter().find(|it| it.name == name).expect("a transcript");
        all_build_the_same(transcript, &TEXTS).await;
    }
}

/// Calls of all tools, with a batch that stops and is corrected.
fn every_tool() -> Transcript {
    let call = |name: &str, args: Value| json!({ "name": name, "args": args });
    let shape = |id: &str, kind: &str, properties: Value| {
        call("create_shape", json!({ "id": id, "type": kind, "properties": properties }))
    };
    let lamp = |id: &str, x: f64| {
        call(
            "create_light",
            json!({ "id": id, "type": "area_sphere_light",
            "properties": { "center": [x, 4, 3], "radius": 0.5, "emission": [20, 20, 20] } }),
        )
    };
    let post = |id: &str, z: f64, size: &str| {
        shape(id, "box", json!({ "center": [-3, 0.5, z], size: [0.2, 1, 0.2] }))
    };
    let mut corrected = post("post_2", 1.5, "dimensions");
    corrected["index"] = json!(2);
    let batch = |calls: Value| call("edit_scene", json!({ "calls": calls }));
    let answers = json!([
        { "text": "I look around.", "calls": [
            call("describe", json!({ "names": ["lathe", "velvet"] })),
            call("find_objects", json!({ "query": "chair" })),
            call("get_scene_state", json!({})) ] },
        { "text": "I build.", "calls": [
            call("set_environment_lighting", json!({ "type": "gradient" })),
            shape("floor", "quad", json!({ "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] })),
            shape("ball", "sphere", json!({ "center": [0, 0.5, 0], "radius": 0.5, "material": "gold" })),
            shape("gem", "polyhedron", json!({ "vertices": [[0.2, 0, 0], [-0.1, 0, 0.17], [-0.1, 0, -0.17], [0, 0.3, 0]],
                "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] })),
            lamp("lamp", 2.0), lamp("spare", -2.0),
            call("add_object", json!({ "object": "chair", "id": "chair", "at": [3, -2] })),
            batch(json!([post("post_1", 0.0, "dimensions"), post("post_2", 1.5, "sizes"), post("post_3", 2.0, "dimensions")])) ] },
        { "text": "I correct a name.", "calls": [batch(json!([corrected]))] },
        { "text": "I arrange.", "calls": [
            call("array", json!({ "id": "ball", "pattern": "line", "count": 4, "step": [1.5, 0, 0] })),
            call("place", json!({ "ids": ["gem"], "relation": "on", "to": ["ball_2"] })),
            call("align", json!({ "ids": ["post_*"], "axis": "x", "to": -2 })),
            call("distribute", json!({ "ids": ["post_1", "post_2", "post_3"], "axis": "z" })),
            call("group", json!({ "id": "fence", "ids": ["post_*"] })),
            call("duplicate", json!({ "ids": ["fence"], "offset": [0, 0, -4] })),
            call("mirror", json!({ "ids": ["chair"], "axis": "x" })),
            call("move", json!({ "ids": ["ball_3"], "by": [0, 0, 1] })),
            call("rotate", json!({ "ids": ["chair"], "by": [0, 30, 0] })),
            call("scale", json!({ "ids": ["ball_3"], "by": 0.5 })),
            call("share_material", json!({ "name": "red", "ids": ["ball*"],
                "material": { "baseColor": [0.8, 0.05, 0.05], "roughness": 0.4 } })) ] },
        { "text": "I change.", "calls": [
            call("update_shape", json!({ "id": "fence", "updates": { "properties": { "material": "oak" } } })),
            call("update_light", json!({ "id": "lamp", "updates": { "properties": { "radius": 0.4 } } })),
            call("ungroup", json!({ "id": "fence" })),
            call("remove_shape", json!({ "id": "ball_4" })),
            call("remove", json!({ "ids": ["fence_2"] })),
            call("remove_light", json!({ "id": "spare" })) ] },
        { "text": "I show it.", "calls": [
            call("set_camera", json!({ "center": [0, 2, 9], "vfov": 40 })),
            call("look_at", json!({ "id": "gem" })),
            call("frame", json!({ "ids": ["ball*", "chair"], "from": "corner" })),
            call("set_animation", json!({ "turntable": { "degrees": 90 }, "duration": 2 })),
            call("measure", json!({ "ids": ["gem", "ball"] })),
            call("select_objects", json!({ "kind": "sphere" })),
            call("check_scene", json!({})),
            call("render_preview", json!({ "close_up": ["gem"], "from": "left" })) ] },
        { "text": "Done." } ]);
    let transcript = json!({ "brief": "Everything once.", "answers": answers });
    serde_json::from_value(transcript).expect("a transcript")
}

#[tokio::test]
async fn every_tool_is_called_in_every_form() {
    let transcript = every_tool();
    let called: BTreeSet<&str> = transcript.calls_as_sent().map(|it| it.name.as_str()).collect();
    assert_eq!(called, studio::tool_names().collect());
    let scene = all_build_the_same(&transcript, &[&TEXTS[..], &NATIVE[..]].concat()).await;
    let ids: Vec<&str> = scene["shapes"]
        .as_array()
        .expect("shapes")
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    for id in ["floor", "gem", "post_1", "post_2", "post_3", "ball_3"] {
        assert!(ids.contains(&id), "{id} is not among {ids:?}");
    }
    assert!(!ids.contains(&"ball_4") && scene["animation"].is_object(), "{ids:?}");
}
