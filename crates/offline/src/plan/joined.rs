//! Clauses that only make sense together.

use crate::language::{Change, Clause, Determiner, Heard, Intent};

/// Clauses that only make sense together: "take the ball off and put it on the floor" removes
/// nothing; "I want a garden. First the grass" builds no garden of its own.
pub(super) fn joined_up(clauses: Vec<Clause>, message: &str) -> Vec<Clause> {
    let mut joined: Vec<Clause> = Vec::new();
    let stepwise = message.to_lowercase().contains("first");
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
        } else if staged || joined.last().is_some_and(|last| is_heading(last, &clause, message)) {
            let heading = joined.pop();
            inherit_look(heading.as_ref(), &mut clause);
        }
        joined.push(clause);
    }
    joined
}

/// "Product shot: a bottle on a podium": what comes before the colon only names what follows.
pub(super) fn is_heading(heading: &Clause, next: &Clause, message: &str) -> bool {
    let made = |clause: &Clause| match &clause.heard {
        Heard::Intents(intents) => {
            intents.iter().all(|intent| match intent {
                Intent::Stage(_) => true,
                // A title has no article: "Base plate: a box 40 cm wide".
                Intent::Create(phrases) => phrases.iter().all(|phrase| {
                    let bare = phrase.determiner == Determiner::Bare;
                    bare && !phrase.plural && phrase.count.is_none()
                }),
                _ => false,
            })
        }
        Heard::Unclear(_) => false,
    };
    let named = heading.text.trim_end().trim_end_matches(':');
    let colon = message
        .find(named)
        .is_some_and(|at| message[at + named.len()..].trim_start().starts_with(':'));
    let creates = matches!(&next.heard, Heard::Intents(intents)
        if matches!(intents.as_slice(), [Intent::Create(_)]));
    let unclear = matches!(heading.heard, Heard::Unclear(_));
    colon && creates && (unclear || made(heading))
}

/// "Grey base plate: a box": the box is grey.
pub(super) fn inherit_look(heading: Option<&Clause>, clause: &mut Clause) {
    let named = heading.and_then(|heading| match &heading.heard {
        Heard::Intents(intents) => intents.iter().find_map(|intent| intent.phrases().first()),
        Heard::Unclear(_) => None,
    });
    if let (Some(named), Heard::Intents(intents)) = (named, &mut clause.heard)
        && let [Intent::Create(phrases)] = intents.as_mut_slice()
    {
        for phrase in phrases {
            if phrase.colours.is_empty() && phrase.finish.is_none() {
                phrase.colours.clone_from(&named.colours);
                phrase.finish = named.finish;
            }
        }
    }
}
