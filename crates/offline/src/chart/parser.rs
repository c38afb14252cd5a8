//! The chart: everything that stretches of the words can be, with what it costs.
//!
//! Bottom up, by the end of a stretch and then by its start from right to left, so that everything a
//! production may continue with is known when it is looked for. Between the parts of a production
//! words may be left unread at their price. Of what one stretch is in the same way only the cheapest
//! few are kept; meanings are made afterwards, for the derivations that were chosen.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use crate::tokens::{Features, Lattice, Skip, Symbol, TokenKind, lexicon};

use super::grammar::{Grammar, MAX_PARTS, Source, Step};
use super::node::{Node, Value};

/// Derivations kept for one stretch with the same category, sense and features.
const MAX_ALIKE: usize = 3;
/// Derivations kept for one stretch with the same category.
const MAX_OF_CATEGORY: usize = 9;
/// The most words left unread between two parts of a production, and what they may cost.
const MAX_GAP: usize = 3;
const MAX_GAP_COST: f32 = 3.0;
/// The parts of a measure lie together: only fillers are left out between them.
const MAX_TIGHT_GAP: f32 = 0.12;
/// The most items: a message of nonsense must not take seconds.
const MAX_ITEMS: usize = 24_000;
/// What a mark costs besides that is left unread before a noun: "from the west, long shadows".
const MARK_BEFORE_NOUN: f32 = 1.5;

/// A stretch of words read as a category.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) category: Symbol,
    pub(crate) sense: Symbol,
    pub(crate) features: Features,
    pub(crate) start: u16,
    pub(crate) end: u16,
    pub(crate) cost: f32,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    Edge(u32),
    Rule(u32, Children),
}

/// The items of the parts.
type Children = [u32; MAX_PARTS];

/// An item on the agenda, the cheapest first.
#[derive(Debug)]
struct Waiting(Item);

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cost.total_cmp(&self.0.cost)
    }
}

/// A production of which the first parts were found.
#[derive(Debug, Clone)]
struct Partial {
    rule: u32,
    found: u8,
    start: u16,
    cost: f32,
    children: Children,
}

/// All items of a message.
#[derive(Debug)]
pub(crate) struct Chart<'a> {
    lattice: &'a Lattice,
    grammar: &'a Grammar,
    pub(crate) items: Vec<Item>,
    /// Productions that wait for a category, by where they end.
    waiting: Vec<HashMap<Symbol, Vec<Partial>, BuildHasherDefault<Plain>>>,
}

/// Numbers of categories are spread well enough as they are.
#[derive(Debug, Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u16(&mut self, number: u16) {
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl<'a> Chart<'a> {
    /// Reads all that the lattice can be.
    pub(crate) fn of(lattice: &'a Lattice, grammar: &'a Grammar) -> Self {
        let length = lattice.tokens.len();
        let waiting = vec![HashMap::default(); length + 1];
        let mut chart = Self { lattice, grammar, items: Vec::new(), waiting };
        for end in 1..=length {
            let mut pending: Vec<Vec<Item>> = vec![Vec::new(); end];
            for (number, edge) in
                lattice.edges.iter().enumerate().filter(|(_, edge)| edge.to == end)
            {
                pending[edge.from].push(Item {
                    category: edge.category,
                    sense: edge.sense,
                    features: edge.features,
                    start: short(edge.from),
                    end: short(edge.to),
                    cost: edge.cost,
                    origin: Origin::Edge(u32::try_from(number).unwrap_or_default()),
                });
            }
            for start in (0..end).rev() {
                chart.fill(start, &mut pending);
            }
        }
        chart
    }

    /// Completes everything from `start` to the end that `pending` is about.
    fn fill(&mut self, start: usize, pending: &mut [Vec<Item>]) {
        let mut kept: Vec<(Symbol, Symbol, Features)> = Vec::new();
        // The cheapest first: what it completes costs no less, so nothing that is dropped is better than
        // what is kept.
        let mut agenda: BinaryHeap<Waiting> = BinaryHeap::new();
        while self.items.len() < MAX_ITEMS {
            agenda.extend(pending[start].drain(..).map(Waiting));
            let Some(Waiting(item)) = agenda.pop() else { break };
            let key = (item.category, item.sense, item.features);
            let alike = kept.iter().filter(|known| **known == key).count();
            let of_category = kept.iter().filter(|known| known.0 == item.category).count();
            if alike >= MAX_ALIKE || of_category >= MAX_OF_CATEGORY {
                continue;
            }
            kept.push(key);
            self.items.push(item);
            self.extend(self.items.len() - 1, pending);
        }
    }

    /// Begins and continues productions with an item.
    fn extend(&mut self, number: usize, pending: &mut [Vec<Item>]) {
        let item = self.items[number].clone();
        let grammar = self.grammar;
        let id = u32::try_from(number).unwrap_or_default();
        for rule in grammar.starting(item.category) {
            let production = &grammar.rules[*rule as usize];
            if production.parts[0].fits(item.sense, item.features) {
                let mut children = [0; MAX_PARTS];
                children[0] = id;
                let partial = Partial {
                    rule: *rule,
                    found: 1,
                    start: item.start,
                    cost: item.cost + production.cost,
                    children,
                };
                self.advance(partial, &item, pending);
            }
        }
        let (mut gap, mut parting, mut end) = (0.0, 0.0, usize::from(item.start));
        for _ in 0..=MAX_GAP {
            let count = self.waiting[end].get(&item.category).map_or(0, Vec::len);
            for at in 0..count {
                // What is added meanwhile waits for other items than this one.
                let Some(waiting) = self.waiting[end].get(&item.category) else { break };
                let mut partial = waiting[at].clone();
                let rule = partial.rule as usize;
                let found = usize::from(partial.found);
                if grammar.rules[rule].tight && gap > MAX_TIGHT_GAP {
                    continue;
                }
                if grammar.rules[rule].parts[found].fits(item.sense, item.features) {
                    partial.children[found] = id;
                    partial.found += 1;
                    partial.cost += item.cost + gap;
                    partial.cost += if grammar.before_noun[rule] { parting } else { 0.0 };
                    self.advance(partial, &item, pending);
                }
            }
            let Some(before) = end.checked_sub(1) else { break };
            let Skip::Cost(cost) = self.lattice.skips[before] else { break };
            gap += cost;
            if self.lattice.tokens[before].kind == TokenKind::Mark {
                parting += MARK_BEFORE_NOUN;
            }
            end = before;
            if gap > MAX_GAP_COST {
                break;
            }
        }
    }

    fn advance(&mut self, partial: Partial, last: &Item, pending: &mut [Vec<Item>]) {
        let rule = &self.grammar.rules[partial.rule as usize];
        let found = usize::from(partial.found);
        if let Some(next) = rule.parts.get(found) {
            let waiting = &mut self.waiting[usize::from(last.end)];
            waiting.entry(next.category).or_default().push(partial);
            return;
        }
        let head = rule.head.map(|at| {
            let head = &self.items[partial.children[at] as usize];
            (head.sense, head.features)
        });
        let (sense, features) = rule.result(head);
        pending[usize::from(partial.start)].push(Item {
            category: rule.category,
            sense,
            features,
            start: partial.start,
            end: last.end,
            cost: partial.cost,
            origin: Origin::Rule(partial.rule, partial.children),
        });
    }

    /// What an item means.
    pub(crate) fn meaning(&self, number: usize) -> Node {
        let item = &self.items[number];
        let (from, to) = (usize::from(item.start), usize::from(item.end));
        let mut node = Node { slots: Vec::new(), from, to };
        match &item.origin {
            Origin::Edge(edge) => {
                let slots = self.lattice.edges[*edge as usize].slots.iter();
                node.slots.extend(slots.map(|(slot, feature)| (*slot, Value::from(feature))));
                if item.features & self.grammar.several != 0 {
                    node.slots.push(("several", Value::Symbol("yes")));
                }
            }
            Origin::Rule(rule, children) => {
                let rule = &self.grammar.rules[*rule as usize];
                for step in &rule.steps {
                    match step {
                        Step::Merge(part) => {
                            node.slots.extend(self.meaning(children[*part] as usize).slots);
                        }
                        Step::Set(slot, source) => {
                            if let Some(value) = self.value(source, children) {
                                node.set(slot, value);
                            }
                        }
                        Step::Add(slot, source) => {
                            if let Some(value) = self.value(source, children) {
                                node.slots.push((slot, value));
                            }
                        }
                    }
                }
            }
        }
        node
    }

    fn value(&self, source: &Source, children: &Children) -> Option<Value> {
        let meaning = |part: usize| self.meaning(children[part] as usize);
        Some(match source {
            Source::Part(part) => Value::Node(meaning(*part)),
            Source::Slot(part, slot) => meaning(*part).get(slot)?.clone(),
            Source::Sense(part) => {
                let sense = self.items[children[*part] as usize].sense;
                Value::Symbol(self.grammar.symbols.name(sense))
            }
            Source::Text(part) => {
                let item = &self.items[children[*part] as usize];
                if let Origin::Edge(edge) = &item.origin
                    && let Some(spelled) = &self.lattice.edges[*edge as usize].spelled
                {
                    return Some(Value::Text(spelled.as_ref().to_owned()));
                }
                let tokens = &self.lattice.tokens[usize::from(item.start)..usize::from(item.end)];
                let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
                Value::Text(words.join(" "))
            }
            Source::Symbol(symbol) => Value::Symbol(symbol),
            Source::Number(number) => Value::Number(*number),
        })
    }

    /// Marks the tokens that an item reads.
    pub(crate) fn mark_read(&self, number: usize, read: &mut [bool]) {
        let item = &self.items[number];
        match &item.origin {
            Origin::Edge(_) => {
                read[usize::from(item.start)..usize::from(item.end)].fill(true);
            }
            Origin::Rule(rule, children) => {
                let parts = self.grammar.rules[*rule as usize].parts.len();
                for child in &children[..parts] {
                    self.mark_read(*child as usize, read);
                }
            }
        }
    }

    /// The derivation as text, a line for each production and word.
    pub(crate) fn derivation(&self, number: usize, depth: usize, lines: &mut Vec<String>) {
        let item = &self.items[number];
        let indent = "  ".repeat(depth);
        match &item.origin {
            Origin::Edge(_) => {
                let tokens = &self.lattice.tokens[usize::from(item.start)..usize::from(item.end)];
                let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
                let symbols = &lexicon().symbols;
                let (category, sense) = (symbols.name(item.category), symbols.name(item.sense));
                lines.push(format!(
                    "{indent}{category}:{sense} “{}” @{:.2}",
                    words.join(" "),
                    item.cost
                ));
            }
            Origin::Rule(rule, children) => {
                let rule = &self.grammar.rules[*rule as usize];
                lines.push(format!("{indent}{} @{:.2}", rule.text, item.cost));
                for child in &children[..rule.parts.len()] {
                    self.derivation(*child as usize, depth + 1, lines);
                }
            }
        }
    }
}

fn short(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
