//! What is said beside the matter: clauses that tell why, for whom or what somebody does, and what stands
//! in brackets. They are left out as a whole.

use crate::tokens::{Lattice, Skip, TokenKind};

/// A stretch that may be left out, and what that costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aside {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) cost: f32,
}

/// A clause with a conjunction in front of it, one with a subject and a verb of its own, and brackets; each
/// of its words costs a little more.
const OPENED: f32 = 2.2;
const CLAUSE: f32 = 2.7;
const RELATIVE: f32 = 1.4;
const BRACKETS: f32 = 1.0;
const DASHES: f32 = 1.6;
const RUN_ON: f32 = 0.3;
const ORDER: f32 = 3.0;
const WORD: f32 = 0.12;
/// The most words between a subject and its verb.
const MAX_SUBJECT: usize = 4;

/// All stretches that may be left out.
pub(super) fn asides(lattice: &Lattice, links: &[bool]) -> Vec<Aside> {
    let length = lattice.tokens.len();
    let is_end = |at: usize| matches!(lattice.skips[at], Skip::End);
    let is_mark = |at: usize| lattice.tokens[at].kind == TokenKind::Mark;
    let mut found = Vec::new();
    let mut push = |from: usize, to: usize, price: f32| {
        // A message is never beside the matter as a whole, and seldom what somebody is told to do.
        let is_told = |at: usize| (links[at - 1] || is_mark(at - 1)) && lattice.is_order(at);
        let told = if (from + 1..to).any(is_told) { ORDER } else { 0.0 };
        if to > from && to - from < length {
            found.push(Aside { from, to, cost: price + told + WORD * (to - from) as f32 });
        }
    };
    for from in 0..length {
        let end = (from..length).find(|at| is_end(*at)).unwrap_or(length);
        // "for my class I need a cube": it lasts to where a wish begins.
        let wish = (from + 1..end).find(|at| lattice.wishes(*at));
        if let Some(close) = closed_at(lattice, from) {
            push(from, close, BRACKETS);
        }
        // "the sphere - if it will balance - and the cone".
        let is_dash =
            |at: usize| at > 0 && matches!(lattice.tokens[at].text.as_str(), "-" | "–" | "—");
        if let Some(close) = (from + 2..end).find(|at| is_dash(*at)).filter(|_| is_dash(from)) {
            push(from, close + 1, DASHES);
        }
        let opens = lattice.edge_at(from, "Aside");
        let starts = from == 0 || links[from - 1] || is_end(from - 1) || is_mark(from - 1);
        if let Some(opened) = opens {
            // It lasts to the end of the sentence, or to a mark where it stands in front.
            push(from, end, OPENED);
            let mark = (opened..end).find(|at| is_mark(*at)).filter(|_| !starts);
            mark.into_iter().for_each(|stop| push(from, stop, OPENED));
            if starts {
                let mark = (opened..end).find(|at| is_mark(*at));
                mark.into_iter().chain(wish).for_each(|stop| push(from, stop, OPENED));
            }
        }
        // "..., alas poor Yorick": the end of a sentence of which most words are unknown.
        let strange = (from..end).filter(|at| lattice.is_unknown(*at)).count();
        if from > 0 && is_mark(from - 1) && 2 * strange > end - from {
            push(from, end, CLAUSE);
        }
        // "a car that has stopped to let people pass": what something did or is to do.
        if from > 0 && lattice.relates(from) {
            let stop =
                (from + 1..end).find(|at| is_mark(*at) || lattice.edge_at(*at, "Conj").is_some());
            push(from, stop.unwrap_or(end), RELATIVE);
        }
        // "too dark i cant see my cake": where it follows without a mark, somebody has to do something.
        let runs_on =
            !starts && (lattice.edge_at(from, "Clause").is_some() || lattice.someone_acts(from));
        if runs_on {
            push(from, wish.unwrap_or(end), CLAUSE + RUN_ON);
        }
        if starts && tells(lattice, links, from, end) {
            push(from, end, CLAUSE);
            let stops = (from + 1..end).filter(|at| is_mark(*at) || links[*at]);
            stops.take(3).for_each(|stop| push(from, stop, CLAUSE));
        }
    }
    found
}

/// After the bracket that closes the one at a token.
fn closed_at(lattice: &Lattice, from: usize) -> Option<usize> {
    lattice.edge_at(from, "Open")?;
    let rest = from + 1..lattice.tokens.len();
    rest.into_iter().find(|at| lattice.edge_at(*at, "Close").is_some()).map(|at| at + 1)
}

/// Whether a subject stands here with its verb after it: somebody does something, something is so. What
/// asks or wishes tells nothing.
fn tells(lattice: &Lattice, links: &[bool], from: usize, end: usize) -> bool {
    let is = |at: usize, names: &[&str]| names.iter().find_map(|name| lattice.edge_at(at, name));
    if lattice.wishes(from) || is(from, &["Fix", "Wh", "Know"]).is_some() {
        return false;
    }
    if is(from, &["Clause"]).is_some() {
        return true;
    }
    if let Some(after) = is(from, &["Subject", "Pron"]) {
        let follows = |at: usize| {
            let verbs = ["Be", "Have", "Verb", "Modal", "Turn"];
            at < end && (is(at, &verbs).is_some() || lattice.is_unknown(at))
        };
        return follows(after) || follows(after + 1);
    }
    // "My neighbour is coming": people are no things of the scene.
    let person = is(from, &["Det"]).and_then(|after| is(after, &["Person"]));
    if person.is_some_and(|after| {
        after < end && is(after, &["Be", "Have", "Verb", "Modal", "Turn", "Says"]).is_some()
    }) {
        return true;
    }
    // "My pupils can't see them."
    let is_verb = |at: usize| lattice.is_inflected_verb(at) || is(at, &["Turn"]).is_some();
    let parts = |at: &usize| lattice.tokens[*at].kind == TokenKind::Mark || links[*at];
    // "Two of the pears have been eaten", not "two ladies going across".
    let counted = is(from, &["Num"]).is_some()
        && (from + 2..end.min(from + 2 + MAX_SUBJECT))
            .take_while(|at| !parts(at))
            .any(|at| is(at, &["Have", "Modal"]).is_some());
    if counted {
        return true;
    }
    is(from, &["Det"]).is_some()
        && (from + 2..end.min(from + 2 + MAX_SUBJECT)).take_while(|at| !parts(at)).any(is_verb)
}
