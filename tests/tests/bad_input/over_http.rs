//! Requests over HTTP that nobody should write, and those that are written otherwise than ours.

use end_to_end::server::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use super::{mock, scene_of, session};

#[tokio::test]
async fn requests_over_http() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, scene) = session(&server).await;
    let id = client.session();
    let of = |path: &str| format!("/api/sessions/{id}{path}");
    let empty = json!({ "version": 1, "shapes": [] });
    let mut foggy = empty.clone();
    foggy["environment"] = json!({ "type": "sky", "fog": { "visibility": 30 } });
    let render = |more: Value| {
        let mut body = json!({ "scene": empty });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body.to_string()
    };
    let cases: Vec<(&str, String, String, u16, &str)> = vec![
        ("GET", "/nothing/here".into(), String::new(), 404, "nothing at"),
        ("GET", "/../../etc/passwd".into(), String::new(), 404, "nothing at"),
        ("GET", "/api/sessions/unknown".into(), String::new(), 404, "no session 'unknown'"),
        ("GET", "/api/sessions/unknown/history".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/scene".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/events".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/render".into(), String::new(), 404, "no session"),
        ("POST", "/api/sessions/unknown/cancel".into(), String::new(), 404, "no session"),
        (
            "POST",
            "/api/sessions/unknown/messages".into(),
            json!({ "text": "hi" }).to_string(),
            404,
            "no session",
        ),
        ("GET", "/ws?session=unknown".into(), String::new(), 404, "no session"),
        ("GET", "/ws".into(), String::new(), 400, "this path is a WebSocket"),
        (
            "PUT",
            of(""),
            String::new(),
            405,
            "does not take this method; the header Allow lists those",
        ),
        ("PATCH", of(""), "{}".into(), 400, "'name' is missing"),
        ("PATCH", of(""), json!({ "name": " " }).to_string(), 422, "'name' must be a line"),
        ("PATCH", of(""), json!({ "name": "a\nb" }).to_string(), 422, "'name' must be a line"),
        ("PATCH", of(""), json!({ "name": "x".repeat(201) }).to_string(), 422, "1 to 200"),
        ("DELETE", "/api/sessions/unknown".into(), String::new(), 404, "there is no session"),
        (
            "GET",
            "/api/sessions?limit=-1".into(),
            String::new(),
            400,
            "'limit' must be a whole number from 0 on, got '-1'",
        ),
        ("POST", of("/shares"), json!({ "access": "all" }).to_string(), 400, "must be"),
        ("DELETE", of("/shares/unknown"), String::new(), 404, "no such share token"),
        ("GET", of("/diff"), String::new(), 400, "'from' is missing"),
        ("GET", of("/diff?from=0&to=99"), String::new(), 409, "there is no revision 99"),
        ("POST", of("/duplicate/x"), String::new(), 404, ""),
        ("POST", "/api/sessions/import".into(), String::new(), 422, "the file is empty"),
        ("POST", "/api/sessions/import".into(), "{}".into(), 422, "not an exported session"),
        ("GET", of("/messages"), String::new(), 405, "the header Allow lists those"),
        ("GET", of("/events?after=-1"), String::new(), 400, "'after' must be a whole number"),
        ("GET", of("/events?after=x"), String::new(), 400, "after"),
        ("GET", of("/events?after=99999"), String::new(), 410, "not kept"),
        ("POST", of("/messages"), String::new(), 400, "not valid JSON: it is empty"),
        ("POST", of("/messages"), "{}".into(), 400, "'text' is missing"),
        (
            "POST",
            of("/messages"),
            json!({ "text": 1 }).to_string(),
            400,
            "'text' must be a text, got 1",
        ),
        ("POST", of("/messages"), json!({ "text": "" }).to_string(), 400, "'text' is empty"),
        ("POST", of("/messages"), "x".repeat(17 * 1024 * 1024), 413, "at most"),
        ("GET", of("/render?width=0"), String::new(), 400, "'width' must be from 1 to 4096"),
        ("GET", of("/render?width=99999&height=99999"), String::new(), 400, "'height' must be"),
        ("GET", of("/render?samples=0"), String::new(), 400, "'samples' must be"),
        ("GET", of("/render?samples=1000000000"), String::new(), 400, "'samples' must be"),
        ("GET", of("/render?width=abc"), String::new(), 400, "the query"),
        (
            "GET",
            of("/render?integrator=magic"),
            String::new(),
            400,
            "'integrator' must be 'auto', 'path' or 'bdpt', got 'magic'",
        ),
        (
            "GET",
            of("/render?denoise=magic"),
            String::new(),
            400,
            "'denoise' must be 'none', 'builtin' or 'oidn'",
        ),
        ("GET", of("/render?filter=magic"), String::new(), 400, "'filter' must be 'box'"),
        ("GET", of("/render?noise_threshold=0"), String::new(), 400, "'noise_threshold' must be"),
        ("GET", of("/render?noise_threshold=NaN"), String::new(), 400, "'noise_threshold' must be"),
        ("GET", of("/render?time_limit=0"), String::new(), 400, "'time_limit' must be"),
        ("GET", of("/render?time_limit=inf"), String::new(), 400, "'time_limit' must be"),
        ("GET", of("/render?aov=true"), String::new(), 400, "'aov' needs a picture of type"),
        ("GET", of("/render?transparent=maybe"), String::new(), 400, "transparent"),
        (
            "GET",
            of("/render?denoise=builtin&width=4096&height=4096&samples=1"),
            String::new(),
            400,
            "use the command line",
        ),
        (
            "GET",
            of("/render?width=4096&height=4096&samples=65536"),
            String::new(),
            400,
            "ask for fewer",
        ),
        (
            "POST",
            of("/render"),
            json!({ "camera": { "center": [0, 0, 0] } }).to_string(),
            422,
            "'look_at'",
        ),
        ("POST", of("/render"), json!({ "fit_aspect": 0 }).to_string(), 422, "from 0.1 to 10"),
        (
            "POST",
            of("/render"),
            json!({ "at_time": -1 }).to_string(),
            422,
            "'at_time' must be from 0 to 600",
        ),
        ("POST", of("/render"), json!({ "hidden": 3 }).to_string(), 400, "'hidden'"),
        ("POST", of("/render"), json!({ "revision": 99 }).to_string(), 409, "no revision 99"),
        ("POST", of("/render"), json!({ "revision": -1 }).to_string(), 400, "'revision'"),
        (
            "POST",
            of("/render"),
            json!({ "revision": 0, "scene": { "version": 1 } }).to_string(),
            422,
            "give one of them",
        ),
        ("POST", of("/render"), json!({ "width": 0 }).to_string(), 400, "'width' must be"),
        ("POST", "/api/render".into(), String::new(), 400, "not valid JSON"),
        ("POST", "/api/render".into(), "{}".into(), 400, "'scene' is missing"),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "width": 1.5 })),
            400,
            "'width' must be a whole number from 0 on, got 1.5",
        ),
        ("POST", "/api/render".into(), render(json!({ "width": -1 })), 400, "got -1"),
        (
            "POST",
            "/api/render".into(),
            json!({ "scene": foggy, "transparent": true }).to_string(),
            400,
            "'transparent' has no sky behind fog",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "height": 1e12 })),
            400,
            "that is not as large, got 1000000000000",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "integrator": "x" })),
            400,
            "'integrator' must be 'auto', 'path' or 'bdpt', got 'x'",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "max_depth": 0 })),
            400,
            "'max_depth' must be",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "samples": 1e9 as u64, "width": 5000 })),
            400,
            "'width' must be",
        ),
    ];
    for (method, path, body, status, expected) in cases {
        let method = method.parse().unwrap();
        let request = server.http().request(method, server.url(&path)).body(body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let text = response.text().await.unwrap();
        assert!(text.contains(expected), "{path}\n  got: {text}\n  expected: {expected}");
    }
    let body =
        server.http().post(server.url("/api/render")).body(vec![0xff, 0xfe]).send().await.unwrap();
    assert_eq!(body.status(), 400);
    assert!(body.text().await.unwrap().contains("not UTF-8"));
    let request = server.http().get(server.url(&of("/render"))).header("accept", "text/html");
    assert_eq!(request.send().await.unwrap().status(), 406);
    assert_eq!(scene_of(&server, &client).await, scene);
    assert!(client.still_there().await);
}

#[tokio::test]
async fn a_whole_number_may_be_written_with_a_point() {
    let server = TestServer::with_mock(&mock()).await;
    let body = json!({ "scene": { "version": 1, "shapes": [] }, "width": 8.0, "height": 8.0, "samples": 1.0 });
    let picture = server.http().post(server.url("/api/render")).json(&body).send().await.unwrap();
    assert_eq!(picture.status(), 200);
    let (client, _) = session(&server).await;
    let goal = json!({ "objective": "a ball", "budget": { "turns": 3.0 } });
    let path = server.url(&format!("/api/sessions/{}/goal", client.session()));
    assert_eq!(server.http().post(path).json(&goal).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_scene_is_replaced_only_if_it_is_the_one_that_was_seen() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, before) = session(&server).await;
    let url = server.url(&format!("/api/sessions/{}/scene", client.session()));
    let tag = async || {
        let read = server.http().get(&url).send().await.unwrap();
        read.headers()["etag"].to_str().unwrap().to_owned()
    };
    let put = async |tag: &str| {
        let scene = json!({ "version": 1, "shapes": [] });
        let request = server.http().put(&url).header("if-match", tag).json(&scene);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
    };
    let first = tag().await;
    let remove = json!({ "name": "remove_shape", "args": { "id": "ball" } });
    client.send(json!({ "type": "edit", "calls": [remove] })).await;
    client.until("scene_changed").await;
    let (status, problem) = put(&first).await;
    assert_eq!(status, 412);
    assert!(problem["detail"].as_str().unwrap().contains("GET it again"), "{problem}");
    assert_ne!(scene_of(&server, &client).await, before);
    let second = tag().await;
    assert_eq!(put(&format!("\"other\", {second}")).await.0, 200);
    assert_eq!(put(&second).await.0, 412, "it was replaced meanwhile");
    assert_eq!(put("*").await.0, 200);
}

#[tokio::test]
async fn what_a_browser_or_a_monitor_asks_is_answered() {
    let server = TestServer::with_mock(&mock()).await;
    for path in ["/api/models", "/healthz", "/.well-known/agent-card.json", "/api/openapi.json"] {
        let head = server.http().head(server.url(path)).send().await.unwrap();
        assert_eq!(head.status(), 200, "{path}");
        let options =
            server.http().request(Method::OPTIONS, server.url(path)).send().await.unwrap();
        assert_eq!(options.status(), 405, "{path}");
        assert_eq!(options.headers()["allow"], "GET,HEAD", "{path}");
        let problem: Value = options.json().await.unwrap();
        assert!(problem["detail"].as_str().unwrap().contains("header Allow"), "{problem}");
    }
    assert_eq!(server.get("/api/agents").await, json!({ "agents": [] }));
}
