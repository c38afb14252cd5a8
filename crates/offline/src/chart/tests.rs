//! The grammar loads, and readings are what the productions say.

use crate::tokens::{Lattice, SceneNames};

use super::{Chart, Grammar, grammar, readings};

fn best(message: &str) -> String {
    let lattice = Lattice::read(message, &SceneNames::default());
    let grammar = grammar();
    let chart = Chart::of(&lattice, grammar);
    let readings = readings(&chart, &lattice, grammar);
    let texts: Vec<String> = readings
        .first()
        .map(|best| best.utterances.iter().map(ToString::to_string).collect())
        .unwrap_or_default();
    texts.join(" ; ")
}

#[test]
fn every_line_of_the_grammar_is_a_production() {
    assert_eq!(grammar().errors, Vec::<String>::new());
}

#[test]
fn a_broken_line_is_told() {
    let broken = Grammar::read(&["NP -> Det Nb => $2", "NP Det Nb", "A -> B => $x"]);
    assert_eq!(broken.errors, ["NP Det Nb", "A -> B => $x"]);
}

#[test]
fn a_passive_means_what_its_active_means() {
    let active = best("put the ball on the table");
    let passive = best("the ball should be put on the table");
    assert!(active.contains("act=move") && passive.contains("act=move"), "{active} | {passive}");
}

#[test]
fn a_negation_is_never_left_unread() {
    assert!(best("don't remove the ball").contains("negated=yes"));
    assert!(!best("remove the ball").contains("negated"));
}
