//! Clauses that only make sense together.

use crate::language::{Change, Clause, Determiner, Heard, Intent};

/// Clauses that only make sense together: "take the ball off and put it on the floor" removes
/// nothing; "I want a garden. First the grass" builds no garden of its own.
pub(super) fn joined_up(clauses: Vec<Clause>, message: &str) -> Vec<Clause> {
    let mut joined: Vec<Clause> = Vec::new();
    let message = message.to_lowercase();
    let steps = ["first", "start with", "begin with", "starting with", "beginning with"];
    let stepwise = steps.iter().any(|step| message.contains(step));
    for mut clause in clauses {
        let before = joined.last().and_then(|last| match &last.heard {
            Heard::Intents(intents) => Some(intents.as_slice()),
            Heard::Unclear(_) => None,
        });
        let taken = match before {
            Some([Intent::Remove(taken)]) => Some(taken.clone()),
            _ => None,
        };
        let staged = matches!(before, Some([Intent::Stage(_)])) && stepwise;
        if let Heard::Intents(intents) = &mut clause.heard
            && let [Intent::Change { target, changes }] = intents.as_mut_slice()
            && let (Some(taken), [Change::Place(_)]) = (&taken, changes.as_slice())
            && target
                .0
                .iter()
                .all(|phrase| matches!(phrase.determiner, Determiner::It | Determiner::Them))
        {
            target.clone_from(taken);
            joined.pop();
        } else if staged {
            joined.pop();
        }
        joined.push(clause);
    }
    joined
}
