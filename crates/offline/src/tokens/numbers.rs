//! Numbers in digits and in words.

use std::sync::Arc;

use super::edge::Edge;
use super::lexicon::{Feature, Lexicon};
use super::scan::{Token, TokenKind};

/// An edge for each number: digits, and words that follow each other ("two hundred and five").
pub(super) fn number_edges(tokens: &[Token], words: &[Edge], lexicon: &Lexicon) -> Vec<Edge> {
    let symbols = &lexicon.symbols;
    let (Some(numeral), Some(hundred), Some(cardinal)) =
        (symbols.number("Num"), symbols.number("factor"), symbols.number("cardinal"))
    else {
        return Vec::new();
    };
    let edge = |from, to, value| Edge {
        from,
        to,
        category: numeral,
        sense: cardinal,
        features: 0,
        cost: 0.0,
        slots: Arc::new(vec![("number", Feature::Number(value))]),
        spelled: None,
    };
    let mut edges = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenKind::Number(value) = token.kind
            && !is_label(tokens, at)
        {
            edges.push(edge(at, at + 1, value));
        }
    }
    // "tree x4": so many of them.
    for (at, token) in tokens.iter().enumerate() {
        if let Some(value) = token.text.strip_prefix('x').and_then(|count| count.parse().ok()) {
            edges.push(Edge { sense: hundred, ..edge(at, at + 1, value) });
        }
    }
    let value_at = |edges: &[Edge], at: usize| {
        words.iter().chain(edges).find_map(|edge| {
            let fits = edge.from == at && edge.to == at + 1 && edge.category == numeral;
            let is_factor = edge.sense == hundred;
            let value = edge.slots.iter().find_map(|(_, feature)| match feature {
                Feature::Number(value) => Some(*value),
                _ => None,
            });
            (fits && (is_factor || edge.sense == cardinal)).then_some((value?, is_factor))
        })
    };
    for from in 0..tokens.len() {
        let (mut total, mut to, mut last) = (0.0, from, f64::INFINITY);
        while let Some((value, is_factor)) = value_at(&edges, to) {
            if is_factor {
                total = if total == 0.0 { value } else { total * value };
                last = value;
            } else if value < last
                && (last.is_infinite() || (value < 10.0) == (last < 100.0) || last >= 100.0)
            {
                total += value;
                last = if value >= 20.0 { value } else { 0.0 };
            } else {
                break;
            }
            to += 1;
        }
        if to > from + 1 {
            edges.push(edge(from, to, total));
        }
    }
    // "minus two".
    let minus = symbols.number("Minus");
    let negative: Vec<Edge> = words
        .iter()
        .filter(|word| Some(word.category) == minus)
        .filter_map(|word| Some(edge(word.from, word.to + 1, -value_at(&edges, word.to)?.0)))
        .collect();
    edges.extend(negative);
    edges
}

/// "1953: a bed", "row 2: carrots": what a colon follows tells no number of what comes behind it.
fn is_label(tokens: &[Token], at: usize) -> bool {
    let [colon, after] = [1, 2].map(|more| tokens.get(at + more));
    colon.is_some_and(|colon| colon.text == ":")
        && after.is_some_and(|after| after.kind == TokenKind::Word)
}
