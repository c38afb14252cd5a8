//! Finding local model servers on their documented ports.
//!
//! Only loopback is queried, without following redirects, and long or slow responses are ignored, since any
//! program may listen on a port.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use reqwest::redirect;
use serde_json::Value;

use crate::http::http_client_builder;
use crate::openai::read_props;
use crate::providers::{KnownProvider, ProviderKind};
use crate::registry::{Listed, listing};

/// The timeout of a query.
const TIMEOUT: Duration = Duration::from_millis(300);
/// The largest response: the list of the models on one machine has some kilobytes.
const MAX_BYTES: usize = 1 << 20;

/// Concurrent queries: as many as there are programs in the table.
const AT_ONCE: usize = 8;

/// A local model server.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalServer {
    /// Its program.
    pub program: KnownProvider,
    /// Its base URL, in the form that its client takes.
    pub base_url: String,
    /// Its models; `None` if its client queries them (Ollama).
    pub models: Option<Vec<Listed>>,
}

/// Queries `programs`, rows of the table with a port, concurrently.
pub async fn find_local(programs: impl IntoIterator<Item = KnownProvider>) -> Vec<LocalServer> {
    let client = http_client_builder()
        .no_proxy()
        .redirect(redirect::Policy::none())
        .connect_timeout(TIMEOUT)
        .timeout(TIMEOUT)
        .build();
    let Ok(client) = client else { return Vec::new() };
    let asked = programs.into_iter().map(|program| ask(&client, program));
    let mut asked = stream::iter(asked).buffered(AT_ONCE);
    let mut found = Vec::new();
    while let Some(server) = asked.next().await {
        found.extend(server);
    }
    found
}

async fn ask(client: &reqwest::Client, program: KnownProvider) -> Option<LocalServer> {
    let address = format!("http://127.0.0.1:{}", program.port?);
    if program.kind == ProviderKind::Ollama {
        document(client, &format!("{address}/api/version")).await?["version"].as_str()?;
        return Some(LocalServer { program, base_url: address, models: None });
    }
    let base_url = format!("{address}/v1");
    // LM Studio's native list has more facts than its OpenAI-compatible one.
    let list = match program.name {
        "lmstudio" => document(client, &format!("{address}/api/v0/models")).await,
        _ => None,
    };
    let list = match list.filter(|list| list["data"].is_array()) {
        Some(list) => list,
        None => document(client, &format!("{base_url}/models")).await?,
    };
    list["data"].as_array()?;
    let mut models = listing::read(&list)?;
    // A server with several models has no facts of each.
    if program.name == "llamacpp"
        && models.len() == 1
        && let Some(props) = document(client, &format!("{address}/props")).await
    {
        models.iter_mut().for_each(|model| read_props(model, &props));
    }
    models.retain(|model| model.converses != Some(false) && !model.id.contains("embed"));
    models.iter_mut().for_each(|model| model.facts.prices = None);
    Some(LocalServer { program, base_url, models: Some(models) })
}

async fn document(client: &reqwest::Client, url: &str) -> Option<Value> {
    let mut response = client.get(url).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a server with these responses, and 404 for all other paths; returns its port.
    async fn serve(answers: HashMap<&'static str, String>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut head = vec![0; 4096];
                let read = socket.read(&mut head).await.unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let answer = match answers.get(path) {
                    Some(answer) => answer.clone(),
                    None => {
                        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                            .into()
                    }
                };
                let _ = socket.write_all(answer.as_bytes()).await;
            }
        });
        port
    }

    fn ok(body: &str) -> String {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
    }

    fn program(name: &str, port: u16) -> KnownProvider {
        let known = KnownProvider::named(name).expect("a known program");
        KnownProvider { port: Some(port), ..*known }
    }

    #[tokio::test]
    async fn each_program_is_asked_in_its_own_way() {
        let ollama = serve(HashMap::from([("/api/version", ok("{\"version\":\"0.12.0\"}"))])).await;
        let studio = serve(HashMap::from([(
            "/api/v0/models",
            ok(r#"{"data":[{"id":"q","type":"vlm","max_context_length":32000,"loaded_context_length":8000},
                {"id":"nomic","type":"embeddings"}]}"#),
        )]))
        .await;
        let llama = serve(HashMap::from([
            ("/v1/models", ok(r#"{"data":[{"id":"m.gguf","meta":{"n_ctx_train":131072}}]}"#)),
            ("/props", ok(r#"{"default_generation_settings":{"n_ctx":16384},"modalities":{"vision":true}}"#)),
        ]))
        .await;
        let programs =
            [program("ollama", ollama), program("lmstudio", studio), program("llamacpp", llama)];
        let found = find_local(programs).await;
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(
            (found[0].base_url.clone(), &found[0].models),
            (format!("http://127.0.0.1:{ollama}"), &None)
        );
        let models = found[1].models.as_ref().unwrap();
        assert_eq!((models.len(), models[0].facts.context_window), (1, 8_000));
        assert!(models[0].facts.images);
        let model = &found[2].models.as_ref().unwrap()[0];
        assert_eq!((model.facts.context_window, model.facts.images), (16_384, true));
    }

    #[tokio::test]
    async fn what_is_no_such_server_is_left_alone() {
        let target = serve(HashMap::from([("/v1/models", ok(r#"{"data":[{"id":"far"}]}"#))])).await;
        let redirect = format!(
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{target}/v1/models\r\ncontent-length: 0\r\n\r\n"
        );
        let redirects = serve(HashMap::from([("/v1/models", redirect)])).await;
        let page = serve(HashMap::from([("/v1/models", ok("<html>hello</html>"))])).await;
        let long = format!("{{\"data\":[\"{}\"]}}", "x".repeat(MAX_BYTES));
        let endless = serve(HashMap::from([("/v1/models", ok(&long))])).await;
        // Accepts and never answers.
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let silent_port = silent.local_addr().unwrap().port();
        let ports = [redirects, page, endless, silent_port];
        assert_eq!(find_local(ports.map(|port| program("vllm", port))).await, []);
    }
}
