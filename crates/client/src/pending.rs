//! Requests that the server has not answered yet.
//!
//! The server handles the requests of a connection in order, and answers only some of them. A ping behind
//! each request makes one answer of all: when its pong comes, the request was carried out and is on disk,
//! unless an error with the request's id came before.

use protocol::{ClientMessage, ClientRequest, ServerMessage};
use serde_json::{Value, json};

use crate::error::RequestError;

/// What became of a request, with the direct reply if there was one.
pub(crate) type Outcome = Result<Option<ServerMessage>, RequestError>;

#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// In the order they were sent. Few: people and scripts wait for answers.
    waiting: Vec<(u64, Option<ServerMessage>)>,
}

/// What a message was in regard to requests.
pub(crate) enum Answered {
    /// This request is done.
    Done(u64, Outcome),
    /// A part of an answer, or the answer to a request nobody waits for.
    Kept,
    /// No answer.
    No(ServerMessage),
}

fn acknowledgement(id: u64) -> Value {
    json!(format!("ack-{id}"))
}

impl Pending {
    /// The messages that make the request, and its acknowledgement.
    pub(crate) fn begin(&mut self, id: u64, request: ClientRequest) -> [ClientMessage; 2] {
        self.waiting.push((id, None));
        [
            ClientMessage { request_id: Some(json!(id)), request },
            ClientMessage { request_id: Some(acknowledgement(id)), request: ClientRequest::Ping },
        ]
    }

    /// Takes a message that answers a request.
    pub(crate) fn take(&mut self, message: ServerMessage) -> Answered {
        let (ServerMessage::Error { request_id: Some(answered), .. }
        | ServerMessage::Pong { request_id: Some(answered) }
        | ServerMessage::Unchanged { request_id: Some(answered), .. }
        | ServerMessage::Picked { request_id: Some(answered), .. }) = &message
        else {
            return Answered::No(message);
        };
        if let Some(at) = self.waiting.iter().position(|(id, _)| acknowledgement(*id) == *answered)
        {
            let (id, reply) = self.waiting.remove(at);
            return Answered::Done(id, Ok(reply));
        }
        let Some(at) = self.waiting.iter().position(|(id, _)| json!(id) == *answered) else {
            return Answered::Kept;
        };
        match message {
            ServerMessage::Error { code, message, retryable, .. } => {
                let (id, _) = self.waiting.remove(at);
                Answered::Done(id, Err(RequestError::Refused { code, message, retryable }))
            }
            reply => {
                self.waiting[at].1 = Some(reply);
                Answered::Kept
            }
        }
    }

    /// The connection is gone: nobody knows what became of these.
    pub(crate) fn lose(&mut self) -> impl Iterator<Item = u64> {
        std::mem::take(&mut self.waiting).into_iter().map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use protocol::ErrorCode;

    use super::*;

    fn pong(id: &str) -> ServerMessage {
        ServerMessage::Pong { request_id: Some(json!(id)) }
    }

    #[test]
    fn a_request_is_done_when_its_ping_is_answered() {
        let mut pending = Pending::default();
        pending.begin(1, ClientRequest::Undo);
        pending.begin(2, ClientRequest::Redo);
        let unchanged = ServerMessage::Unchanged { request_id: Some(json!(1)), revision: 4 };
        assert!(matches!(pending.take(unchanged), Answered::Kept));
        let Answered::Done(1, Ok(Some(ServerMessage::Unchanged { revision: 4, .. }))) =
            pending.take(pong("ack-1"))
        else {
            panic!("the first is done with its reply");
        };
        assert_eq!(pending.lose().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn an_error_ends_a_request_and_its_pong_says_nothing_more() {
        let mut pending = Pending::default();
        pending.begin(7, ClientRequest::Undo);
        let error = ServerMessage::Error {
            request_id: Some(json!(7)),
            code: ErrorCode::NoHistory,
            message: "there is nothing to undo".into(),
            retryable: false,
        };
        assert!(matches!(
            pending.take(error),
            Answered::Done(7, Err(RequestError::Refused { .. }))
        ));
        assert!(matches!(pending.take(pong("ack-7")), Answered::Kept));
        let to_all = ServerMessage::Error {
            request_id: None,
            code: ErrorCode::NotSaved,
            message: "full".into(),
            retryable: true,
        };
        assert!(matches!(pending.take(to_all), Answered::No(_)));
    }
}
