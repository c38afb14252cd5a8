//! The client against a real server, also through a proxy that loses connections.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod proxy;

use std::time::Duration;

use client::{ClientError, RequestError, Server, Session, Update, say};
use end_to_end::server::TestServer;
use protocol::{ClientRequest, EditCall, ErrorCode, ServerMessage, ViewRequest};
use serde_json::{Value, json};
use tokio::time::timeout;

use self::proxy::Proxy;

/// Far more than anything needs.
const PATIENCE: Duration = Duration::from_secs(60);

async fn next(session: &mut Session) -> Update {
    let update = timeout(PATIENCE, session.next()).await.expect("an update in time");
    update.expect("an open session")
}

async fn until<T>(session: &mut Session, wanted: impl Fn(Update) -> Option<T>) -> T {
    loop {
        if let Some(found) = wanted(next(session).await) {
            return found;
        }
    }
}

async fn server() -> (TestServer, Server) {
    let running = TestServer::start(server::ModelsConfig::default()).await;
    let server = Server::new(&running.addr().to_string(), None).unwrap();
    (running, server)
}

fn sphere(id: &str) -> ClientRequest {
    let args =
        json!({ "id": id, "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } });
    let calls = vec![EditCall { name: "create_shape".into(), args }];
    ClientRequest::Edit { calls, base_revision: None }
}

#[tokio::test]
async fn a_message_is_acknowledged_and_its_run_told() {
    let (running, server) = server().await;
    let mut session = server.open(None).await.unwrap();
    let Update::Welcome(welcome) = next(&mut session).await else { panic!("no welcome") };
    assert_eq!(welcome.session_id, session.id());
    assert_eq!(session.ask(say("a red ball")).await, Ok(None));
    let mut text = String::new();
    loop {
        match next(&mut session).await {
            Update::Message(ServerMessage::TextDelta { text: piece, thought: false, .. }) => {
                text.push_str(&piece);
            }
            Update::Message(ServerMessage::RunFinished { .. }) => break,
            _ => {}
        }
    }
    assert!(!text.is_empty());
    let scene = server.scene(session.id()).await.unwrap();
    assert!(!scene["shapes"].as_array().unwrap().is_empty(), "{scene}");
    session.close().await;
    running.stop().await;
}

#[tokio::test]
async fn refusals_are_the_servers_own_words() {
    let (running, server) = server().await;
    let mut session = server.open(None).await.unwrap();
    let refused = session.ask(ClientRequest::Undo).await.unwrap_err();
    assert!(
        matches!(&refused, RequestError::Refused { code: ErrorCode::NoHistory, .. }),
        "{refused}"
    );
    assert_eq!(session.ask(sphere("ball")).await, Ok(None));
    let twice = session.ask(sphere("ball")).await.unwrap_err();
    assert!(twice.to_string().contains("ball"), "{twice}");
    let unknown = server.open(Some("nowhere")).await.unwrap_err();
    assert!(matches!(&unknown, ClientError::Refused { status: 404, .. }), "{unknown}");
    assert!(unknown.to_string().contains("nowhere"), "{unknown}");
    running.stop().await;
}

#[tokio::test]
async fn pictures_models_scenes_and_links() {
    let (running, server) = server().await;
    let mut session = server.open(None).await.unwrap();
    let view = ViewRequest { width: Some(64), height: Some(32), ..ViewRequest::default() };
    session.ask(ClientRequest::View(view)).await.unwrap();
    let preview = until(&mut session, |update| match update {
        Update::Preview(preview) if preview.header.width == 64 => Some(preview),
        _ => None,
    });
    let preview = preview.await;
    assert_eq!((preview.header.height, &*preview.header.mime_type), (32, "image/jpeg"));
    let models = server.models().await.unwrap();
    assert!(models.models.iter().any(|model| model.id == models.default));
    let id = session.id().to_owned();
    let mut scene = server.scene(&id).await.unwrap();
    scene["shapes"] = json!([{ "id": "ball", "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": 1 } }]);
    server.put_scene(&id, &scene).await.unwrap();
    scene["shapes"][0]["properties"]["radius"] = json!(-1);
    let refused = server.put_scene(&id, &scene).await.unwrap_err();
    assert!(refused.to_string().contains("radius"), "{refused}");
    let options = [("width", "32".to_owned()), ("height", "24".into()), ("samples", "1".into())];
    let picture = server.render(&id, "image/png", &options).await.unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    let link = server.share(&id, protocol::Access::View).await.unwrap();
    let shared = client::ServerAddress::parse(&link).unwrap().session.unwrap();
    let mut guest = server.open(Some(&shared)).await.unwrap();
    let refused = guest.ask(say("hello")).await.unwrap_err();
    assert!(matches!(refused, RequestError::Refused { code: ErrorCode::ReadOnly, .. }));
    running.stop().await;
}

/// Requirement F6: nothing is lost or doubled.
#[tokio::test]
async fn lost_connections_lose_and_double_no_event() {
    let (running, server) = server().await;
    let id = server.create_session().await.unwrap();
    let proxy = Proxy::start(running.addr(), usize::MAX).await;
    let through = Server::new(&proxy.addr.to_string(), None).unwrap();
    let mut session = through.open(Some(&id)).await.unwrap();
    let (mut events, mut finished, mut lost) = (Vec::new(), 0, 0);
    let messages = ["a snowman in front of a house", "make the house red", "add three trees"];
    for text in messages {
        let path = running.url(&format!("/api/sessions/{id}/messages"));
        let said = running.http().post(path).json(&json!({ "text": text })).send().await.unwrap();
        assert_eq!(said.status(), 202);
        while finished < 1 {
            match next(&mut session).await {
                Update::Message(message) if message.seq().is_some() => {
                    finished += usize::from(matches!(message, ServerMessage::RunFinished { .. }));
                    events.push(serde_json::to_value(&message).unwrap());
                    if events.len() % 4 == 0 {
                        proxy.cut();
                    }
                }
                Update::Lost { .. } => lost += 1,
                _ => {}
            }
        }
        finished = 0;
    }
    let told = running.get(&format!("/api/sessions/{id}/events?after=0")).await;
    let numbers = |events: &[Value]| -> Vec<u64> {
        events.iter().map(|event| event["seq"].as_u64().unwrap()).collect()
    };
    let told = told["events"].as_array().unwrap();
    assert_eq!(numbers(&events), numbers(told));
    assert_eq!(&events, told);
    // The last cut may come after all was read; each one before it is met by the next message at the latest.
    assert!(lost + 1 >= messages.len(), "only {lost} connections were lost");
    running.stop().await;
}

#[tokio::test]
async fn without_a_connection_requests_are_refused_and_the_view_is_kept() {
    let (running, server) = server().await;
    let id = server.create_session().await.unwrap();
    let proxy = Proxy::start(running.addr(), usize::MAX).await;
    let through = Server::new(&proxy.addr.to_string(), None).unwrap();
    let mut session = through.open(Some(&id)).await.unwrap();
    let view = ViewRequest { width: Some(80), height: Some(40), ..ViewRequest::default() };
    session.ask(ClientRequest::View(view)).await.unwrap();
    proxy.set_open(false);
    until(&mut session, |update| matches!(update, Update::Lost { .. }).then_some(())).await;
    assert_eq!(session.ask(say("hello")).await, Err(RequestError::NotConnected));
    // Said elsewhere meanwhile, heard on coming back.
    let mut other = server.open(Some(&id)).await.unwrap();
    other.ask(sphere("ball")).await.unwrap();
    proxy.set_open(true);
    let revision = until(&mut session, |update| match update {
        Update::Message(ServerMessage::SceneChanged { revision, .. }) => Some(revision),
        _ => None,
    });
    let revision = revision.await;
    until(&mut session, |update| matches!(update, Update::Resumed).then_some(())).await;
    let shown = until(&mut session, |update| match update {
        Update::Preview(preview) if preview.header.revision == revision => Some(preview.header),
        _ => None,
    });
    let shown = timeout(PATIENCE, shown).await.unwrap();
    assert_eq!(shown.height as f64 / shown.width as f64, 0.5, "the view is as it was asked for");
    assert_eq!(session.ask(say("a red ball")).await, Ok(None));
    running.stop().await;
}

#[tokio::test]
async fn a_session_that_is_deleted_ends() {
    let (running, server) = server().await;
    let mut session = server.open(None).await.unwrap();
    let path = running.url(&format!("/api/sessions/{}", session.id()));
    running.http().delete(path).send().await.unwrap();
    let ended = until(&mut session, |update| match update {
        Update::Ended(error) => Some(error),
        _ => None,
    });
    assert!(matches!(ended.await, ClientError::Refused { status: 404, .. }));
    assert!(timeout(PATIENCE, session.next()).await.unwrap().is_none());
    running.stop().await;
}

#[tokio::test]
async fn what_is_no_server_is_named() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = Server::new(&addr, None).unwrap().open(None).await.unwrap_err();
    assert!(error.to_string().contains(&addr), "{error}");
    assert!(error.is_transient());
}
