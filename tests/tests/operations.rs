//! The server under load and at its end.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use futures_util::future::select_all;
use secrecy::SecretString;
use serde_json::json;
use server::{Config, ConnectionLimits, ModelsConfig, ProviderAccess, Server, StartError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Far more than a stop needs that does not wait for the render.
const PROMPTLY: Duration = Duration::from_secs(4);

fn long_render() -> serde_json::Value {
    json!({ "scene": { "version": 1, "shapes": [] }, "width": 1920, "height": 1080, "samples": 2000 })
}

#[tokio::test]
async fn pictures_on_request_do_not_keep_previews_waiting() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let request = || server.http().post(server.url("/api/render")).json(&long_render()).send();
    // Two fill their pool for minutes; both are dropped at the end of the test.
    let renders = futures_util::future::join(request(), request());
    tokio::pin!(renders);
    let edit = json!({ "type": "edit", "calls": [ { "name": "create_shape", "args": {
        "id": "a", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } } ] });
    tokio::select! {
        _ = &mut renders => panic!("the renders were to take long"),
        () = async {
            client.send(edit).await;
            while client.preview().await.header["revision"] != 1 {}
        } => {}
    }
}

#[tokio::test]
async fn too_many_pictures_at_once_get_429_with_retry_after() {
    let server = TestServer::with_mock(&json!([])).await;
    let request = || server.http().post(server.url("/api/render")).json(&long_render()).send();
    let renders = (0..11).map(|_| Box::pin(request()));
    // The first to be answered is one that was refused.
    let (first, _, _) = select_all(renders).await;
    let first = first.unwrap();
    assert_eq!(first.status(), 429);
    assert!(first.headers().contains_key("retry-after"));
}

/// Each client has a queue of its own: one that wants all the pictures keeps nobody else waiting.
#[tokio::test]
async fn a_thumbnail_is_made_while_others_want_all_the_pictures() {
    let server = TestServer::with_mock(&json!([])).await;
    let (greedy, other) = (server.client().await.session(), server.client().await.session());
    let large = format!("/api/sessions/{greedy}/render?width=1920&height=1080&samples=2000");
    let of_session = || server.http().get(server.url(&large)).send();
    let of_scene = || server.http().post(server.url("/api/render")).json(&long_render()).send();
    // The first to be answered are those that were refused: all others are there by then.
    let renders = select_all((0..9).map(|_| Box::pin(of_session())));
    let (refused, _, _others) = renders.await;
    assert_eq!(refused.unwrap().status(), 429);
    let renders = select_all((0..9).map(|_| Box::pin(of_scene())));
    let (refused, _, _more_others) = renders.await;
    assert_eq!(refused.unwrap().status(), 429);
    let thumbnail = server.url(&format!("/api/sessions/{other}/thumbnail"));
    let answer = server.http().get(thumbnail).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn a_stopping_server_says_so_and_does_not_wait_for_pictures() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let render = server.http().post(server.url("/api/render")).json(&long_render()).send();
    let (ready, http) = (server.url("/readyz"), server.http().clone());
    let render = tokio::spawn(render);
    // The session's answer shows that the server has read past the render's request.
    assert!(client.still_there().await);
    let stopped = tokio::spawn(timeout(PROMPTLY, server.stop()));
    loop {
        let status = http.get(&ready).send().await.unwrap().status();
        if status == 503 {
            break;
        }
    }
    assert_eq!(client.close_code().await, 1001);
    stopped.await.unwrap().expect("the server stops at once");
    // Cut off or told to come back, but not left waiting.
    let answer = render.await.unwrap();
    assert!(answer.is_err() || answer.unwrap().status() == 503);
}

/// What the server answers to `request`, sent as it is; it is asked to close the connection.
async fn raw(server: &TestServer, request: &str) -> String {
    let mut stream = TcpStream::connect(server.addr()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_request_has_exactly_one_host_and_a_handshake_a_whole_key() {
    let server = TestServer::with_mock(&json!([])).await;
    let get =
        |headers: &str| format!("GET /healthz HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    assert!(raw(&server, &get("Host: localhost\r\n")).await.starts_with("HTTP/1.1 200"));
    for hosts in
        ["", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n"]
    {
        assert!(raw(&server, &get(hosts)).await.starts_with("HTTP/1.1 400"), "{hosts:?}");
    }
    let whole = |url: &str, host: &str| {
        format!("GET {url} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    };
    let same = whole("http://localhost/healthz", "localhost");
    assert!(raw(&server, &same).await.starts_with("HTTP/1.1 200"));
    let other = whole("http://evil.example/api/sessions", "localhost");
    assert!(raw(&server, &other).await.starts_with("HTTP/1.1 400"));
    for key in ["", "AAAA", "not base64 at all!!!!!!!"] {
        let handshake = format!(
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(server.addr()).await.unwrap();
        stream.write_all(handshake.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400", "{key:?}");
    }
}

/// Each request is answered by this status, and the connection closed.
#[tokio::test]
async fn what_is_no_http_is_refused() {
    let server = TestServer::with_mock(&json!([])).await;
    let handshake = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let chunked = "Host: localhost\r\nTransfer-Encoding: chunked\r\n";
    let closing = "Host: localhost\r\nConnection: close\r\n\r\n";
    let cases = [
        ("a version cut off", "GET / HTTP/1\r\nHost: localhost\r\n\r\n".to_owned(), "400"),
        ("an unknown version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n".to_owned(), "400"),
        ("no version", "GET /healthz\r\n\r\n".to_owned(), "400"),
        ("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), "400"),
        (
            "two lengths",
            "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\
             Content-Length: 3\r\n\r\n{}x"
                .to_owned(),
            "400",
        ),
        ("an id that is no text", format!("GET /api/sessions/%FF HTTP/1.1\r\n{closing}"), "400"),
        (
            "a chunk without a size",
            format!("POST /api/sessions HTTP/1.1\r\n{chunked}\r\nzz\r\n{{}}\r\n0\r\n\r\n"),
            "400",
        ),
        (
            "a length with a sign",
            "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: +2\r\n\r\n{}"
                .to_owned(),
            "400",
        ),
        (
            "a space after the name of a header",
            "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length : 2\r\n\r\n{}"
                .to_owned(),
            "400",
        ),
        (
            "a coding after chunked",
            "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\n\
             Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                .to_owned(),
            "400",
        ),
        ("two keys", format!("GET /ws HTTP/1.1\r\n{handshake}{key}{key}{closing}"), "400"),
    ];
    for (what, request, status) in cases {
        let answer = raw(&server, &request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{what}: {answer}");
        let is_ours = what == "an id that is no text" || what.starts_with("two keys");
        assert!(!is_ours || answer.contains("application/problem+json"), "{what}: {answer}");
    }
    assert_eq!(server.http().get(server.url("/healthz")).send().await.unwrap().status(), 200);
}

/// What one server takes for the body of a request and another for the next request (smuggling) is never answered twice.
#[tokio::test]
async fn a_request_with_a_length_and_chunks_is_one_request() {
    let server = TestServer::with_mock(&json!([])).await;
    let chunked = "Transfer-Encoding: chunked\r\n";
    let hidden = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for headers in
        [format!("Content-Length: 5\r\n{chunked}"), format!("{chunked}Content-Length: 5\r\n")]
    {
        let answer = raw(
            &server,
            &format!(
                "POST /api/nothing HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n0\r\n\r\n{hidden}"
            ),
        )
        .await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{headers:?}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{headers:?}: {answer}");
    }
}

#[tokio::test]
async fn one_address_leaves_places_for_others() {
    let config = Config {
        connections: ConnectionLimits { total: 4, per_address: 2 },
        ..TestServer::config(ModelsConfig::default())
    };
    let server = TestServer::of(config).await;
    let first = TcpStream::connect(server.addr()).await.unwrap();
    let second = TcpStream::connect(server.addr()).await.unwrap();
    let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let refused = raw(&server, health).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("Retry-After"), "{refused}");
    // Another address of this machine.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, 2), 0).into()).unwrap();
    let mut other = socket.connect(server.addr()).await.unwrap();
    other.write_all(health.as_bytes()).await.unwrap();
    let mut answer = String::new();
    other.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // A place that was left is taken again.
    drop(first);
    while !raw(&server, health).await.starts_with("HTTP/1.1 200") {}
    drop(second);
}

#[tokio::test]
async fn a_token_guards_what_costs_and_an_id_stays_enough_for_its_session() {
    let config = Config {
        token: Some(SecretString::from("open-sesame")),
        ..TestServer::config(ModelsConfig::default())
    };
    let server = TestServer::of(config).await;
    let create = || server.http().post(server.url("/api/sessions"));
    let refused = create().send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert_eq!(refused.headers()["content-type"], "application/problem+json");
    let made = create().bearer_auth("open-sesame").send().await.unwrap();
    assert_eq!(made.status(), 201);
    let session: serde_json::Value = made.json().await.unwrap();
    let id = session["session_id"].as_str().unwrap().to_owned();
    let scene = server.http().get(server.url(&format!("/api/sessions/{id}/scene"))).send().await;
    assert_eq!(scene.unwrap().status(), 200);
    assert_eq!(server.attach(&format!("session={id}")).await.session(), id);
    let page = server.http().get(server.url("/?token=open-sesame")).send().await.unwrap();
    assert!(page.url().as_str().ends_with('/'), "the token leaves the address: {}", page.url());
}

#[tokio::test]
async fn a_server_with_a_key_does_not_listen_to_everybody_unless_told() {
    let key = ProviderAccess {
        api_key: SecretString::from("k"),
        base_url: "http://127.0.0.1:9".to_owned(),
    };
    let config = |token: Option<&str>, open| Config {
        addr: (Ipv4Addr::UNSPECIFIED, 0).into(),
        token: token.map(SecretString::from),
        open,
        ..TestServer::config(ModelsConfig { gemini: Some(key.clone()), ..ModelsConfig::default() })
    };
    let refused = Server::start(config(None, false)).await.err();
    assert!(matches!(refused, Some(StartError::OpenWallet { .. })));
    // Behind a proxy on the same machine.
    let proxied = |open| Config {
        addr: (Ipv4Addr::LOCALHOST, 0).into(),
        allowed_hosts: vec!["scenes.example".to_owned()],
        ..config(None, open)
    };
    let refused = Server::start(proxied(false)).await.err().unwrap().to_string();
    assert!(refused.contains("as scenes.example") && refused.contains("--token"), "{refused}");
    Server::start(proxied(true)).await.unwrap().stop().await;
    for config in [config(Some("open-sesame"), false), config(None, true)] {
        Server::start(config).await.unwrap().stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_the_stop_of_the_server_ends_was_not_cancelled_by_the_user() {
    let gate = llm::Gate::new();
    let gemini = FakeGemini::start([Answer::new().text("I begin.").gate(&gate)]).await;
    let directory = tempfile::tempdir().unwrap();
    let models = TestServer::models_of(&gemini);
    let server = TestServer::start_in(models.clone(), directory.path()).await;
    let mut client = server.client().await;
    let session = client.session();
    client.send(json!({ "type": "user_message", "text": "go" })).await;
    client.until("text_delta").await;
    server.stop().await;
    let server = TestServer::start_in(models, directory.path()).await;
    let events = server.get(&format!("/api/sessions/{session}/events?after=0")).await;
    let last = events["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["type"], &last["reason"]), (&json!("run_finished"), &json!("error")));
    assert!(last["message"].as_str().unwrap().contains("The server stopped"), "{last}");
}

/// A number as the documents have it: `16,384`, `512 MiB`.
fn number(text: &str) -> u64 {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let shift = match unit {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        other => panic!("what is a {other}?"),
    };
    number.replace(',', "").parse::<u64>().unwrap() << shift
}

#[tokio::test]
async fn every_shared_limit_is_documented_as_it_is() {
    let server = TestServer::with_mock(&json!([])).await;
    let answer = server.http().get(server.url("/metrics")).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let of = |line: &str, metric: &str| {
        let rest = line.strip_prefix(&format!("{metric}{{of=\""))?;
        let (name, value) = rest.split_once("\"} ")?;
        Some((name.to_owned(), value.parse::<u64>().unwrap()))
    };
    let all = |metric: &str| -> BTreeMap<String, u64> {
        text.lines().filter_map(|line| of(line, metric)).collect()
    };
    let (limits, in_use) = (all("scene_llm_limit"), all("scene_llm_in_use"));
    let rows = include_str!("../../docs/operations.md").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        limits.contains_key(name).then(|| (name.to_owned(), number(cells.next().unwrap())))
    });
    assert_eq!(rows.collect::<BTreeMap<_, _>>(), limits);
    assert!(limits.keys().eq(in_use.keys()) && limits.len() > 10, "{limits:?} {in_use:?}");
    assert!(in_use.iter().all(|(name, used)| *used <= limits[name]), "{in_use:?}");
}
