//! Every step from a sentence to calls, as text.

use std::sync::Arc;
use std::time::Instant;

use scene::Scene;

use crate::chart::{Chart, grammar, readings};
use crate::dialogue::{State, interpret, traced};
use crate::history::read_message;
use crate::tokens::{Lattice, SceneNames, lexicon};

/// What becomes of the last of some sentences over a scene: tokens, readings with their scores, frames,
/// calls.
pub fn explain(sentences: &[String], scene: &Scene) -> String {
    let mut lines = Vec::new();
    let Some((sentence, earlier)) = sentences.split_last() else { return String::new() };
    let mut state = State::default();
    let mut scene = Arc::new(scene.clone());
    for sentence in earlier {
        let (sentence, selection) = read_message(sentence);
        let done = interpret(&sentence, &selection, &scene, &state);
        state.advance(&done, &scene, 0);
        scene = Arc::new(done.scene);
    }
    let (sentence, selection) = &read_message(sentence);
    let names = SceneNames::of(&scene);
    let lattice = Lattice::read(sentence, &names);
    let started = Instant::now();
    let lattice_again = Lattice::read(sentence, &names);
    let read = started.elapsed();
    let chart = Chart::of(&lattice_again, grammar());
    let parsed = started.elapsed();
    let found = readings(&chart, &lattice_again, grammar()).len();
    let covered = started.elapsed();
    lines.push(format!(
        "words {read:?}, chart of {} items {:?}, {found} readings {:?}",
        chart.items.len(),
        parsed - read,
        covered - parsed
    ));
    lines.push("tokens".to_owned());
    for (at, token) in lattice.tokens.iter().enumerate() {
        let symbols = &lexicon().symbols;
        let edges = lattice.edges.iter().filter(|edge| edge.from == at);
        let readings: Vec<String> = edges
            .map(|edge| {
                let features = symbols.feature_names(edge.features).join("+");
                let length = edge.to - edge.from;
                let (category, sense) = (symbols.name(edge.category), symbols.name(edge.sense));
                format!("{category}:{sense}[{features}]x{length}@{:.1}", edge.cost)
            })
            .collect();
        lines.push(format!(
            "  {:<12} skip {:?}: {}",
            token.text,
            lattice.skips[at],
            readings.join(" ")
        ));
    }
    let errors = &grammar().errors;
    if !errors.is_empty() {
        lines.push(format!("lines of the grammar that are no productions: {errors:?}"));
    }
    let started = Instant::now();
    let mut readings = vec!["readings".to_owned()];
    let done = traced(sentence, selection, &scene, &state, &mut |lines| readings.extend(lines()));
    lines.push(format!("all {:?}", started.elapsed()));
    lines.append(&mut readings);
    lines.push("frames".to_owned());
    lines.extend(done.frames.iter().map(|frame| format!("  {frame:?}")));
    lines.push("calls".to_owned());
    lines.extend(done.outcome.calls.iter().map(|(name, args)| format!("  {name} {args}")));
    lines.push("news".to_owned());
    lines.extend(done.news(&scene).iter().map(|news| format!("  {news}")));
    lines.push(format!("left unread: {:?}", done.unread));
    lines.extend(done.outcome.remarks.iter().map(|remark| format!("  {remark:?}")));
    lines.join("\n")
}
