//! Clauses that only make sense together.

use crate::language::{Change, Clause, Determiner, Heard, Intent, Phrase};

/// Clauses that only make sense together: "take the ball off and put it on the floor" removes
/// nothing; "I want a garden. First the grass" builds no garden of its own.
pub(in crate::plan) fn joined_up(clauses: Vec<Clause>, message: &str) -> Vec<Clause> {
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
        } else if joined.last().is_some_and(|last| remedies(&clause, last)) {
            let complaint = joined.pop();
            of_what_is_wrong(&mut clause, complaint);
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
    let too = complaint.text.split(' ').any(|word| word.eq_ignore_ascii_case("too"));
    let moves = |changes: &[Change]| matches!(changes, [Change::Shift(_) | Change::Away { .. }]);
    let moved = wishes.iter().any(
        |intent| matches!(intent, Intent::Change { changes, .. } if moves(changes.as_slice())),
    );
    let complains = |intent: &Intent| match intent {
        Intent::Excess { .. } => true,
        Intent::Change { changes, .. } => {
            let compares = matches!(changes.as_slice(), [Change::Compare { .. }]);
            too && (compares && !moved || moves(changes) && moved)
        }
        _ => false,
    };
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

/// "the block is too big. Make it half the size": it is what was complained about.
fn of_what_is_wrong(clause: &mut Clause, complaint: Option<Clause>) {
    if let Some(Heard::Intents(complaints)) = complaint.map(|clause| clause.heard)
        && let [Intent::Change { target: wrong, .. }] = complaints.as_slice()
        && let Heard::Intents(wishes) = &mut clause.heard
    {
        for target in wishes.iter_mut().filter_map(Intent::target_mut) {
            target.clone_from(wrong);
        }
    }
}
