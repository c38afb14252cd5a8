//! `search_memory`, a tool that searches earlier conversations and scenes (requirement C6).

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use serde_json::{Value, json};
use store::{Listing, Store};

/// The default number of passages.
const DEFAULT_LIMIT: usize = 5;
/// The most passages of one search.
const MAX_LIMIT: usize = 20;

/// Searches the messages, objects and names of other sessions. Only for servers that list their
/// sessions.
pub struct SearchMemory {
    /// Where sessions are kept.
    pub store: Arc<dyn Store>,
    /// The session it works for; its own passages are left out.
    pub session: Arc<str>,
}

#[async_trait]
impl Tool for SearchMemory {
    fn name(&self) -> &str {
        "search_memory"
    }

    fn description(&self) -> &str {
        "Searches earlier conversations of other sessions, the objects made in them, and their names, for \
         all words of the query: use it when the user refers to something from before that is not in this conversation."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "description": "A few words that were said then, or of an object's id or type." },
                "limit": { "type": "integer", "minimum": 1, "maximum": MAX_LIMIT,
                           "description": "The most passages; 5 when left out." },
            },
            "required": ["query"],
        }).into()
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let query = match args["query"].as_str().map(str::trim) {
            Some(query) if !query.is_empty() => query,
            _ => {
                return ToolOutput::failure(
                    "search_memory requires 'query': a few words to look for",
                );
            }
        };
        let limit = match &args["limit"] {
            Value::Null => DEFAULT_LIMIT,
            limit => match limit.as_u64().filter(|limit| (1..=MAX_LIMIT as u64).contains(limit)) {
                Some(limit) => limit as usize,
                None => {
                    let error = format!("'limit' must be from 1 to {MAX_LIMIT}, got {limit}");
                    return ToolOutput::failure(error);
                }
            },
        };
        match self.find(query, limit).await {
            Ok(found) => ToolOutput::success(json!({ "query": query, "found": found })),
            Err(error) => {
                ToolOutput::failure(format!("the memory cannot be searched now: {error}"))
            }
        }
    }
}

impl SearchMemory {
    /// Passages first, then sessions found only by name.
    async fn find(&self, query: &str, limit: usize) -> Result<Vec<Value>, store::StoreError> {
        // Some of the best matches may be in this session.
        let passages = self.store.search(query, limit + MAX_LIMIT).await?;
        let mut found: Vec<Value> = passages
            .into_iter()
            .filter(|passage| *passage.session != *self.session)
            .map(|passage| json!({ "session_name": passage.name, "said": passage.excerpt }))
            .take(limit)
            .collect();
        let words = Some(query.to_owned());
        let named = self.store.list(Listing { words, limit: limit + 1, offset: 0 }).await?;
        let new: Vec<Value> = named
            .into_iter()
            .map(|listed| listed.session)
            .filter(|session| *session.id != *self.session)
            .filter(|session| !found.iter().any(|it| it["session_name"] == session.name))
            .map(|session| json!({ "session_name": session.name }))
            .collect();
        found.extend(new.into_iter().take(limit.saturating_sub(found.len())));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use store::{Append, MemoryStore, NewSession, Record, RecordKind};

    use super::*;

    async fn store_of(said: &[(&str, &str)]) -> Arc<dyn Store> {
        let store = MemoryStore::default();
        for (session, text) in said {
            let new = NewSession {
                id: (*session).into(),
                epoch: "e".into(),
                name: format!("about {session}"),
                now_ms: 1,
            };
            store.create(new).await.unwrap();
            let record = Record {
                kind: RecordKind::Event,
                seq: Some(1),
                body: "{}".into(),
                passage: Some((*text).into()),
            };
            let append = Append {
                session: (*session).into(),
                records: vec![record],
                now_ms: 2,
                ..Append::default()
            };
            store.append(append).await.unwrap();
        }
        Arc::new(store)
    }

    #[tokio::test]
    async fn what_was_said_elsewhere_is_found_and_bad_arguments_are_named() {
        let said = [("oak", "a table of dark oak"), ("here", "the oak again"), ("lamp", "a lamp")];
        let store = store_of(&said).await;
        let tool = SearchMemory { store, session: "here".into() };
        let output = tool.call(json!({ "query": "oak" })).await.outcome.unwrap();
        assert_eq!(
            output["found"],
            json!([{ "session_name": "about oak", "said": output["found"][0]["said"] }])
        );
        assert!(output["found"][0]["said"].as_str().unwrap().contains("dark oak"));
        for (args, message) in
            [(json!({}), "'query'"), (json!({ "query": "x", "limit": 0 }), "'limit'")]
        {
            let error = tool.call(args).await.outcome.unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
