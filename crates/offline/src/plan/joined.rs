//! Clauses that only make sense together.

use crate::language::{Change, Clause, Determiner, Heard, Intent, Phrase};

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
        } else if staged || joined.last().is_some_and(|last| remedies(&clause, last)) {
            joined.pop();
        }
        joined.push(clause);
    }
    joined
}

/// "too big, make it smaller": the wish is what is to be done about the complaint before it.
fn remedies(clause: &Clause, complaint: &Clause) -> bool {
    let (Heard::Intents(wishes), Heard::Intents(complaints)) = (&clause.heard, &complaint.heard)
    else {
        return false;
    };
    let complains = |intent: &Intent| matches!(intent, Intent::Excess { .. });
    let it = |phrase: &Phrase| matches!(phrase.determiner, Determiner::It | Determiner::This);
    let amount = |change: &Change| {
        matches!(
            change,
            Change::Compare { .. } | Change::Shift(_) | Change::Size(_) | Change::Grow { .. }
        )
    };
    let remedy = |intent: &Intent| match intent {
        Intent::Expose(_) | Intent::Correct(_) => true,
        Intent::Change { target, changes } => target.0.iter().all(it) && changes.iter().all(amount),
        _ => false,
    };
    !complaints.is_empty() && complaints.iter().all(complains) && wishes.iter().all(remedy)
}
