//! Issue "nothing is lost": going back, branches, sharing, taking along, and clients that stay equal.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use end_to_end::calls::{resize, sphere};
use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

async fn edit(client: &mut Client, calls: Value) -> Value {
    client.send(json!({ "type": "edit", "request_id": "e", "calls": calls })).await;
    client
        .until_that(|message| message["request_id"] == "e" || message["type"] == "scene_changed")
        .await
}

async fn ask(server: &TestServer, method: Method, path: &str, body: &str) -> (u16, Value) {
    let request = server.http().request(method, server.url(path)).body(body.to_owned());
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or(Value::Null))
}

fn shape_ids(scene: &Value) -> Vec<&str> {
    scene["shapes"].as_array().unwrap().iter().map(|shape| shape["id"].as_str().unwrap()).collect()
}

/// A message said anew goes on from before it, with the scene of then; the old branch is kept, and the
/// model sees only the branch it is in.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_said_anew_starts_a_branch_and_the_old_one_is_kept() {
    let create =
        |id: &str| Answer::new().call(None, "create_shape", sphere(id, 1.0)["args"].clone());
    let done = |text: &str| Answer::new().text(text);
    let gemini = FakeGemini::start([
        create("one"),
        done("One."),
        create("two"),
        done("Two."),
        create("other"),
        done("Another."),
        done("Back."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let session = client.session();
    client.say("first").await;
    client.say("second").await;
    let mut said = client.events.iter().filter(|event| event["type"] == "user_message");
    let second = said.next_back().unwrap().clone();
    assert_eq!(second["revision"], 1, "the checkpoint is the scene before the message");

    client
        .send(json!({ "type": "user_message", "text": "second, but better",
            "replaces": second["message_id"] }))
        .await;
    client.until("run_finished").await;
    let branched = client.events.iter().find(|event| event["type"] == "branch_selected").unwrap();
    assert_eq!((&branched["branch"], &branched["branches"]), (&json!(1), &json!(2)));
    let fresh = server.attach(&format!("session={session}")).await.welcome;
    assert_eq!(shape_ids(&fresh["scene"]), ["one", "other"]);
    let texts = |welcome: &Value| -> Vec<String> {
        let chat = welcome["chat"].as_array().unwrap().iter();
        chat.filter_map(|entry| entry["text"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(texts(&fresh), ["first", "One.", "second, but better", "Another."]);
    let request = gemini.requests()[4].body["contents"].to_string();
    assert!(request.contains("One.") && !request.contains("Two."), "{request}");

    client.send(json!({ "type": "select_branch", "branch": 0 })).await;
    client.until_that(|event| event["branch"] == 0).await;
    let gone_to = client.until("scene_changed").await;
    assert_eq!(gone_to["for_branch"], true);
    let fresh = server.attach(&format!("session={session}")).await.welcome;
    assert_eq!(shape_ids(&fresh["scene"]), ["one", "two"]);
    assert_eq!(texts(&fresh), ["first", "One.", "second", "Two."]);
    let is_by_user = |entry: &Value| entry["kind"] == "changed" && entry["by"] == "user";
    let edits = fresh["chat"].as_array().unwrap().iter().filter(|entry| is_by_user(entry)).count();
    assert_eq!(edits, 0, "going somewhere is no edit: {}", fresh["chat"]);
    let listed = server.get(&format!("/api/sessions/{session}/branches")).await;
    assert_eq!(listed["branches"][1]["first_message"], "second, but better");
    client.say("and now?").await;
    let request = gemini.requests()[6].body["contents"].to_string();
    assert!(request.contains("Two.") && !request.contains("Another."), "{request}");
    // What differs between branches is nobody's edit, in this run or in a server that starts anew.
    for at in [4, 6] {
        let contents = gemini.requests()[at].body["contents"].to_string();
        assert!(!contents.contains("changed the scene by hand"), "{contents}");
        // The whole scene of the branch is told anew.
        let told =
            gemini.requests()[at].body["contents"].as_array().unwrap().last().unwrap().to_string();
        assert!(told.contains("[The scene as it is now"), "{told}");
    }
    // The way back is a step that can be undone.
    client.send(json!({ "type": "undo" })).await;
    client.until("scene_changed").await;
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    assert_eq!(shape_ids(&scene), ["one", "other"]);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

/// What the model did for one message goes and comes back in one step, also after the server has started anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_one_undo_step_also_after_a_restart() {
    let create = |ids: [&str; 2]| {
        let sphere = |id: &str| sphere(id, 1.0)["args"].clone();
        Answer::new().call(Some("a"), "create_shape", sphere(ids[0])).call(
            Some("b"),
            "create_shape",
            sphere(ids[1]),
        )
    };
    let done = || Answer::new().text("Done.");
    let gemini = FakeGemini::start([
        create(["one", "two"]),
        create(["three", "four"]),
        done(),
        create(["five", "six"]),
        done(),
    ])
    .await;
    let directory = tempfile::tempdir().unwrap();
    let models = || TestServer::models_of(&gemini);
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    let session = client.session();
    client.say("four").await;
    client.say("and two").await;
    client.vanish();
    server.stop().await;

    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.attach(&format!("session={session}")).await;
    let all = ["one", "two", "three", "four", "five", "six"];
    for (step, left) in [("undo", 4), ("undo", 0), ("redo", 4), ("redo", 6)] {
        client.send(json!({ "type": step })).await;
        client.until("scene_changed").await;
        let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
        assert_eq!(shape_ids(&scene), all[..left], "{step}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_change_between_runs_only_and_unknown_ones_are_named() {
    let server = TestServer::with_mock(&json!(["Hello."])).await;
    let mut client = server.client().await;
    client.say("hello").await;
    for (message, code) in [
        (json!({ "type": "user_message", "text": "x", "replaces": "u9" }), "unknown_branch"),
        (json!({ "type": "select_branch", "branch": 3 }), "unknown_branch"),
        (json!({ "type": "select_branch", "branch": -1 }), "bad_message"),
    ] {
        let mut message = message;
        message["request_id"] = "r".into();
        client.send(message).await;
        assert_eq!(client.reply("r").await["code"], code);
    }
    assert_eq!(client.story(), ["user_message", "turn_started", "text_delta", "run_finished"]);
}

/// The user's change stands against the model's, which gets the values that are there now; and the
/// model is told what the user changed.
#[tokio::test(flavor = "multi_thread")]
async fn the_user_wins_and_the_model_is_told() {
    let gate = llm::Gate::new();
    let update = resize("ball", 5.0)["args"].clone();
    let gemini = FakeGemini::start([
        Answer::new().text("I look.").gate(&gate).call(Some("a"), "update_shape", update.clone()),
        Answer::new().call(Some("b"), "update_shape", update),
        Answer::new().text("Now it is five."),
        Answer::new().text("I see."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    edit(&mut client, json!([sphere("ball", 1.0)])).await;
    client.send(json!({ "type": "user_message", "text": "bigger" })).await;
    client.until("text_delta").await;
    edit(&mut client, json!([resize("ball", 2.0)])).await;
    gate.open();
    let refused = client.until("tool_finished").await;
    let error = refused["response"]["error"].as_str().unwrap();
    assert!(error.contains("changed by the user") && error.contains("\"radius\":2.0"), "{error}");
    let accepted = client.until("tool_finished").await;
    assert_eq!(accepted["response"]["result"]["properties"]["radius"], 5.0);
    client.until("run_finished").await;
    edit(&mut client, json!([resize("ball", 3.0), sphere("box", 1.0)])).await;
    client.say("look").await;
    let requests = gemini.requests();
    let told = requests[3].body["contents"].as_array().unwrap().last().unwrap().to_string();
    assert!(told.contains("changed shape 'ball': radius 5.0 -> 3.0"), "{told}");
    assert!(told.contains("added shape box: sphere"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_made_for_an_older_revision_touches_nothing_that_changed_since() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    edit(&mut client, json!([sphere("a", 1.0), sphere("b", 1.0)])).await;
    edit(&mut client, json!([resize("a", 2.0)])).await;
    let late = |id: &str| json!({ "type": "edit", "request_id": "late", "base_revision": 1, "calls": [resize(id, 9.0)] });
    client.send(late("a")).await;
    let refused = client.reply("late").await;
    assert_eq!(refused["code"], "stale");
    assert!(refused["message"].as_str().unwrap().contains("\"radius\":2.0"), "{refused}");
    client.send(late("b")).await;
    assert_eq!(client.until("scene_changed").await["changes"][0]["id"], "b");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_named_by_the_message_that_something_came_of() {
    let server = TestServer::with_mock(&json!(["Hello!", "A castle it is.", "A tower."])).await;
    let mut client = server.client().await;
    client.say("hi").await;
    client.say("build a castle").await;
    let path = format!("/api/sessions/{}", client.session());
    assert_eq!(server.get(&path).await["name"], "build a castle");
    edit(&mut client, json!([sphere("a", 1.0)])).await;
    client.say("and a tower").await;
    assert_eq!(server.get(&path).await["name"], "build a castle");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_named_copied_and_deleted() {
    let server = TestServer::with_mock(&json!(["A castle it is."])).await;
    let mut client = server.client().await;
    let session = client.session();
    server.client().await;
    assert_eq!(
        server.get("/api/sessions").await["sessions"],
        json!([]),
        "unused ones are not listed"
    );
    client.say("build a castle").await;
    edit(&mut client, json!([sphere("a", 1.0)])).await;
    let path = format!("/api/sessions/{session}");
    assert_eq!(server.get("/api/sessions?q=castle").await["sessions"][0]["name"], "build a castle");
    let (status, named) = ask(&server, Method::PATCH, &path, r#"{"name":" My castle "}"#).await;
    assert_eq!((status, &named["name"]), (200, &json!("My castle")));
    assert_eq!(client.until("session_named").await["name"], "My castle");

    let (status, copy) = ask(&server, Method::POST, &format!("{path}/duplicate"), "").await;
    assert_eq!(status, 201);
    let copy = copy["session_id"].as_str().unwrap().to_owned();
    let mut other = server.attach(&format!("session={copy}")).await;
    assert_eq!(other.welcome["name"], "My castle (copy)");
    assert_eq!(shape_ids(&other.welcome["scene"]), ["a"]);
    edit(&mut other, json!([sphere("b", 1.0)])).await;
    let original = server.get(&format!("{path}/scene")).await;
    assert_eq!(shape_ids(&original), ["a"], "a copy goes its own way");

    assert_eq!(ask(&server, Method::DELETE, &path, "").await.0, 204);
    client.close_code().await;
    assert_eq!(ask(&server, Method::GET, &path, "").await.0, 404);
    let listed = server.get("/api/sessions").await;
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(listed["sessions"][0]["session_id"], copy.as_str());
}

/// C6: the model finds what was made in another session.
#[tokio::test(flavor = "multi_thread")]
async fn the_memory_holds_what_was_made() {
    let search = json!({ "tool_calls": [
        { "name": "search_memory", "arguments": { "query": "weather vane" } } ] });
    let server = TestServer::with_mock(&json!([search, "I remember."])).await;
    let mut earlier = server.client().await;
    edit(&mut earlier, json!([sphere("weather_vane", 1.0), sphere("roof", 2.0)])).await;
    let mut client = server.client().await;
    client.say("make it like the other day").await;
    let finished = client.events.iter().find(|event| event["type"] == "tool_finished").unwrap();
    let found = &finished["response"]["result"]["found"];
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let said = found[0]["said"].as_str().unwrap();
    assert!(said.contains("weather") && said.contains("roof (sphere)"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_token_shows_and_changes_nothing_until_it_is_taken_back() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut owner = server.client().await;
    let path = format!("/api/sessions/{}", owner.session());
    let share = |access: &str| json!({ "access": access }).to_string();
    let shares = format!("{path}/shares");
    let (status, view) = ask(&server, Method::POST, &shares, &share("view")).await;
    assert_eq!(status, 201);
    let (_, edit_token) = ask(&server, Method::POST, &shares, &share("edit")).await;
    let token = view["token"].as_str().unwrap();
    let mut guest = server.attach(&format!("session={token}")).await;
    assert_eq!(
        (&guest.welcome["access"], &guest.welcome["session_id"]),
        (&json!("view"), &json!(token))
    );
    for message in [
        json!({ "type": "user_message", "text": "hi" }),
        json!({ "type": "edit", "calls": [sphere("a", 1.0)] }),
        json!({ "type": "undo" }),
        json!({ "type": "cancel" }),
        json!({ "type": "select_model", "model": "mock" }),
        json!({ "type": "select_branch", "branch": 0 }),
    ] {
        let mut message = message;
        message["request_id"] = "r".into();
        guest.send(message.clone()).await;
        assert_eq!(guest.reply("r").await["code"], "read_only", "{message}");
    }
    assert!(guest.still_there().await);
    edit(&mut owner, json!([sphere("a", 1.0)])).await;
    assert_eq!(guest.until("scene_changed").await["revision"], 1);
    let of_token = format!("/api/sessions/{token}");
    assert_eq!(ask(&server, Method::GET, &of_token, "").await.0, 200);
    for (method, tail, body) in [
        (Method::POST, "/messages", r#"{"text":"x"}"#),
        (Method::PUT, "/scene", r#"{"version":1,"shapes":[]}"#),
        (Method::POST, "/cancel", ""),
        (Method::PATCH, "", r#"{"name":"x"}"#),
        (Method::DELETE, "", ""),
        (Method::GET, "/shares", ""),
        (Method::POST, "/shares", r#"{"access":"edit"}"#),
    ] {
        let answer = ask(&server, method, &format!("{of_token}{tail}"), body).await;
        assert_eq!(answer.0, 403, "{tail} {}", answer.1);
    }
    // A token to edit with edits, and shares nothing.
    let of_editor = format!("/api/sessions/{}", edit_token["token"].as_str().unwrap());
    let (scene, empty) = (format!("{of_editor}/scene"), r#"{"version":1,"shapes":[]}"#);
    assert_eq!(ask(&server, Method::PUT, &scene, empty).await.0, 200);
    assert_eq!(ask(&server, Method::DELETE, &of_editor, "").await.0, 403);
    assert_eq!(ask(&server, Method::DELETE, &format!("{shares}/{token}"), "").await.0, 204);
    assert_eq!(ask(&server, Method::GET, &of_token, "").await.0, 404);
    // Who came by it is let go at once; the owner stays.
    assert_eq!(guest.close_code().await, 1008);
    assert!(owner.still_there().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_to_a_file_and_comes_back_whole() {
    let script = json!([{ "tool_calls": [sphere("a", 1.0)] }, "Done."]);
    let server = TestServer::with_mock(&script).await;
    let mut client = server.client().await;
    client.say("a sphere").await;
    edit(&mut client, json!([sphere("b", 2.0)])).await;
    let path = format!("/api/sessions/{}", client.session());
    let export = server.http().get(server.url(&format!("{path}/export"))).send().await.unwrap();
    assert_eq!(
        export.headers()["content-disposition"],
        "attachment; filename=\"a-sphere.scene-llm\""
    );
    let file = export.text().await.unwrap();

    let elsewhere = TestServer::with_mock(&json!([])).await;
    let (status, imported) = ask(&elsewhere, Method::POST, "/api/sessions/import", &file).await;
    assert_eq!(status, 201, "{imported}");
    let there = format!("/api/sessions/{}", imported["session_id"].as_str().unwrap());
    for tail in ["/scene", "/history", "/events", "/branches"] {
        let (here, there) = (format!("{path}{tail}"), format!("{there}{tail}"));
        assert_eq!(elsewhere.get(&there).await, server.get(&here).await, "{tail}");
    }
    // Undo goes on where it was.
    let id = imported["session_id"].as_str().unwrap();
    let mut client = elsewhere.attach(&format!("session={id}")).await;
    client.send(json!({ "type": "undo" })).await;
    client.until("scene_changed").await;
    assert_eq!(shape_ids(&elsewhere.get(&format!("{there}/scene")).await), ["a"]);
}

/// A file that does not add up is refused with the line that is wrong, and nothing is stored of it.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_lie_are_refused_and_nothing_is_stored() {
    let server = TestServer::with_mock(&json!(["Hello."])).await;
    let mut client = server.client().await;
    edit(&mut client, json!([sphere("a", 1.0)])).await;
    client.say("hello").await;
    let path = format!("/api/sessions/{}/export", client.session());
    let export = server.http().get(server.url(&path)).send().await.unwrap();
    let file = export.text().await.unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let with = |from: &str, to: &str| file.replacen(from, to, 1);
    let without = |line: usize| {
        let mut lines = lines.clone();
        lines.remove(line);
        lines.join("\n")
    };
    let doubled = format!("{file}{}\n", lines[1]);
    let duplicate_id = r#"{"kind":"scene","body":{"revision":2,"by":"user","step":"do","patch":{"shapes":[[1,0,[{"id":"a","type":"sphere","properties":{"center":[0,0,0],"radius":1}}]]]}}}"#;
    let beyond = r#"{"kind":"scene","body":{"revision":2,"by":"user","step":"do","patch":{"shapes":[[7,9,[]]]}}}"#;
    let undo_of_nothing =
        r#"{"kind":"scene","body":{"revision":9,"by":"user","step":"undo","patch":{}}}"#;
    let deep = format!(
        "{file}{{\"kind\":\"history\",\"body\":{}{}}}",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    for (name, file, expected) in [
        ("another version", with("\"version\":1", "\"version\":9"), "this server reads 1"),
        ("no header", without(0), "not an exported session"),
        ("no first scene", without(1), "line 2: a session has one first scene"),
        ("two first scenes", doubled, "one first scene"),
        ("a missing event", without(3), "event 2 follows event 0"),
        ("a missing change", without(2), "it tells of revision 1"),
        ("half a line", file[..file.len() - 10].to_owned(), "line"),
        ("a wrong number", with("\"seq\":1", "\"seq\":\"one\""), "line"),
        ("an unknown kind", with("\"kind\":\"event\"", "\"kind\":\"virus\""), "virus"),
        ("an invalid shape", with("\"radius\":1.0", "\"radius\":-1.0"), "radius"),
        ("an id twice", format!("{file}{duplicate_id}\n"), "id 'a' is used"),
        ("a patch beyond the list", format!("{file}{beyond}\n"), "does not fit"),
        ("a revision out of order", format!("{file}{undo_of_nothing}\n"), "revision 9 follows"),
        ("a deep nest", deep, "line"),
        ("zeros", "\0".repeat(1_000), "not an exported session"),
    ] {
        let (status, problem) = ask(&server, Method::POST, "/api/sessions/import", &file).await;
        assert_eq!(status, 422, "{name}: {problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(expected), "{name}: {detail}");
    }
    let endless = vec![b'x'; 257 * 1024 * 1024];
    let request = server.http().post(server.url("/api/sessions/import")).body(endless);
    // A body that is too large is refused, or the connection is closed on it.
    if let Ok(response) = request.send().await {
        assert_eq!(response.status(), 413);
    }
    assert!(client.still_there().await);
}

/// A list shows a small picture of each session, which is made anew only when the scene has changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_a_small_picture_that_follows_its_scene() {
    let server = TestServer::with_mock(&json!(["Hello."])).await;
    let mut client = server.client().await;
    let address = server.url(&format!("/api/sessions/{}/thumbnail", client.session()));
    let ask = async |tag: &str| {
        let request = server.http().get(&address).header("if-none-match", tag.to_owned());
        request.send().await.unwrap()
    };
    let first = ask("").await;
    assert_eq!(
        (first.status().as_u16(), &first.headers()["content-type"]),
        (200, &"image/jpeg".parse().unwrap())
    );
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    let picture = first.bytes().await.unwrap();
    assert!(picture.starts_with(b"\xff\xd8") && picture.len() < 20_000, "{} bytes", picture.len());
    assert_eq!(ask(&tag).await.status(), 304);
    assert_eq!(ask("").await.bytes().await.unwrap(), picture);
    edit(&mut client, json!([sphere("ball", 1.0)])).await;
    let second = ask(&tag).await;
    assert_eq!(second.status(), 200);
    assert_ne!(second.bytes().await.unwrap(), picture);
    let unknown = server.url("/api/sessions/nobody/thumbnail");
    assert_eq!(server.http().get(unknown).send().await.unwrap().status(), 404);
}
