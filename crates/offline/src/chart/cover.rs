//! Whole messages: the cheapest ways to read one as utterances, one after the other.

use crate::tokens::{Lattice, Skip, lexicon};

use super::aside::asides;
use super::grammar::Grammar;
use super::node::Node;
use super::parser::Chart;

/// A way to read a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// What it costs; less is likelier.
    pub(crate) cost: f32,
    /// What is said, in order.
    pub(crate) utterances: Vec<Node>,
    /// The items of the utterances.
    pub(crate) items: Vec<usize>,
    /// How many tokens were read.
    pub(crate) read: usize,
    /// The tokens that were not read.
    pub(crate) unread: Vec<usize>,
    /// Whether a condition was left out: "if it will balance".
    pub(crate) conditional: bool,
    /// What was left out as beside the matter though it may ask for something.
    pub(crate) asides: Vec<(usize, usize)>,
    /// What is spoken of beside the matter: "the floor looks dull. Make it green".
    pub(crate) topics: Vec<Node>,
}

/// What each utterance costs, and one that follows another without a word or a mark between them.
const UTTERANCE: f32 = 0.8;
const RUN_ON: f32 = 0.9;
/// One that begins with a noun right after an adjective: "the green | apple" is one thing.
const PARTED_NOUN: f32 = 4.0;
/// A word that links utterances.
const LINK: f32 = 0.1;
/// A word that may not be left out was left out.
const NEVER: f32 = 12.0;
/// The ways kept at each token.
const MAX_WAYS: usize = 8;
/// Utterances tried from one token to another.
const MAX_UTTERANCES: usize = 6;

#[derive(Debug, Clone)]
struct Way {
    cost: f32,
    /// The items of utterances.
    items: Vec<usize>,
    /// Whether an utterance ends right here.
    is_open: bool,
    /// What was left out as said beside the matter.
    asides: Vec<(usize, usize)>,
}

/// The cheapest readings, the best first.
pub(crate) fn readings(chart: &Chart<'_>, lattice: &Lattice, grammar: &Grammar) -> Vec<Reading> {
    let length = lattice.tokens.len();
    let links = links(lattice);
    let mut starting: Vec<Vec<usize>> = vec![Vec::new(); length + 1];
    for (number, item) in chart.items.iter().enumerate() {
        if item.category == grammar.utterance {
            starting[usize::from(item.start)].push(number);
        }
    }
    let mut ways: Vec<Vec<Way>> = vec![Vec::new(); length + 1];
    ways[0].push(Way { cost: 0.0, items: Vec::new(), is_open: false, asides: Vec::new() });
    let asides = asides(lattice, &links);
    for at in 0..length {
        let mut here = std::mem::take(&mut ways[at]);
        here.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        here.truncate(MAX_WAYS);
        let skip = match lattice.skips[at] {
            _ if links[at] => LINK,
            Skip::End => 0.0,
            Skip::Cost(cost) => cost,
            Skip::Never => NEVER,
        };
        // What is said last closes a sentence; what is left of one word is no utterance of its own.
        let closes = links[at] || matches!(lattice.skips[at], Skip::End) || skip <= 0.2;
        let begins = |at: usize, name: &str| lattice.edge_at(at, name).is_some();
        let parts_noun = at > 0
            && begins(at, "Noun")
            && ["Det", "Num", "Verb", "Adj"].iter().all(|name| !begins(at, name))
            && begins(at - 1, "Adj")
            && !begins(at - 1, "Noun");
        let mut by_end: Vec<(u16, usize)> = Vec::new();
        starting[at]
            .sort_by(|one, other| chart.items[*one].cost.total_cmp(&chart.items[*other].cost));
        for way in here {
            let is_open = way.is_open && !closes;
            let (items, beside) = (way.items.clone(), way.asides.clone());
            ways[at + 1].push(Way { cost: way.cost + skip, is_open, items, asides: beside });
            for aside in asides.iter().filter(|aside| aside.from == at) {
                let cost = way.cost + aside.cost;
                let mut asides = way.asides.clone();
                asides.push((at, aside.to));
                ways[aside.to].push(Way { cost, items: way.items.clone(), is_open: false, asides });
            }
            by_end.clear();
            for number in &starting[at] {
                let item = &chart.items[*number];
                let known = by_end.iter_mut().find(|(end, _)| *end == item.end);
                let count = match known {
                    Some((_, count)) => count,
                    None => {
                        by_end.push((item.end, 0));
                        let last = by_end.len() - 1;
                        &mut by_end[last].1
                    }
                };
                *count += 1;
                if *count > MAX_UTTERANCES {
                    continue;
                }
                let run_on = match way.is_open {
                    true if parts_noun => PARTED_NOUN,
                    true => RUN_ON,
                    false => 0.0,
                };
                let cost = way.cost + item.cost + UTTERANCE + run_on;
                let mut items = way.items.clone();
                items.push(*number);
                let asides = way.asides.clone();
                ways[usize::from(item.end)].push(Way { cost, items, is_open: true, asides });
            }
        }
    }
    let mut all = std::mem::take(&mut ways[length]);
    all.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    all.truncate(MAX_WAYS);
    all.into_iter().map(|way| reading(&way, chart, lattice, grammar, &links)).collect()
}

/// The asides that may ask for something: those that speak of things, and neither tell why nor of what the rest is about.
fn untold(way: &Way, chart: &Chart<'_>, lattice: &Lattice) -> Vec<(usize, usize)> {
    let first = way.items.iter().map(|item| usize::from(chart.items[*item].start)).min();
    let is_first = |from: usize| first.is_none_or(|first| from < first);
    let asks = |(from, to): &(usize, usize)| {
        // "two of the pears have been eaten" is what the rest is about.
        let of = |end: usize| lattice.edge_at(end, "Prep").is_some();
        let is_new = lattice.is_indefinite(*from) && !of(*from + 1)
            || lattice.edge_at(*from, "Num").is_some_and(|end| !of(end));
        !lattice.gives_reason(*from)
            && (is_new || !is_first(*from))
            && (*from..*to).any(|at| lattice.names_thing(at))
    };
    way.asides.iter().copied().filter(asks).collect()
}

/// The first thing that is named in a stretch as one that is there.
fn topic(
    (from, to): (usize, usize),
    chart: &Chart<'_>,
    lattice: &Lattice,
    grammar: &Grammar,
) -> Option<Node> {
    // "That will never go through the door": where something is matters less.
    let is_place = |start: usize| start > from && lattice.edge_at(start - 1, "Rel").is_some();
    let named = chart.items.iter().enumerate().filter(|(_, item)| {
        (from..to).contains(&usize::from(item.start))
            && !is_place(usize::from(item.start))
            && usize::from(item.end) <= to
            && grammar.names_known(item.category, item.features)
    });
    // The longest of those that begin first: "the middle one is dull" names more than "the middle".
    let first = named.min_by(|(_, one), (_, other)| {
        let (start, end) = (one.start.cmp(&other.start), other.end.cmp(&one.end));
        start.then(end).then(one.cost.total_cmp(&other.cost))
    });
    first.map(|(number, _)| chart.meaning(number))
}

fn reading(
    way: &Way,
    chart: &Chart<'_>,
    lattice: &Lattice,
    grammar: &Grammar,
    links: &[bool],
) -> Reading {
    let mut read = vec![false; lattice.tokens.len()];
    for item in &way.items {
        chart.mark_read(*item, &mut read);
    }
    // What costs little to leave out is not missed.
    let is_missed = |at: &usize| {
        let matters = match lattice.skips[*at] {
            Skip::Cost(cost) => cost >= 1.0,
            Skip::End => false,
            Skip::Never => true,
        };
        let beside = way.asides.iter().any(|(from, to)| (*from..*to).contains(at));
        matters && !links[*at] && !read[*at] && !beside
    };
    // "isn't it?" is no condition.
    let opens = |(from, _): &(usize, usize)| {
        lattice.skips[*from] == Skip::Never && lattice.edge_at(*from, "Clause").is_none()
    };
    Reading {
        conditional: way.asides.iter().any(opens),
        topics: way
            .asides
            .iter()
            .filter_map(|aside| topic(*aside, chart, lattice, grammar))
            .collect(),
        asides: untold(way, chart, lattice),
        cost: way.cost,
        utterances: way.items.iter().map(|item| chart.meaning(*item)).collect(),
        items: way.items.clone(),
        read: read.iter().filter(|read| **read).count(),
        unread: (0..read.len()).filter(is_missed).collect(),
    }
}

/// The tokens that may link utterances.
fn links(lattice: &Lattice) -> Vec<bool> {
    let link = lexicon().symbols.number("Link");
    let mut links = vec![false; lattice.tokens.len()];
    for edge in lattice.edges.iter().filter(|edge| Some(edge.category) == link) {
        // "who", "when": at the head of a sentence they ask.
        let is_head = edge.from == 0 || lattice.skips[edge.from - 1] == Skip::End;
        let asks = is_head && lattice.turning[edge.from];
        // "too big" is a complaint, "blue, too" a link.
        let complains = matches!(lattice.skips[edge.from], Skip::Cost(cost) if cost > 2.0)
            && lattice.edge_at(edge.from, "Too").is_some();
        if !asks && !complains {
            links[edge.from..edge.to].fill(true);
        }
    }
    links
}
