//! What only makes sense after something was done: "no, the box", "a bit more", "not that big",
//! "undo", and what must not be done: "don't move it".

use crate::language::acts::changes::changes;
use crate::language::acts::clause::Heard;
use crate::language::acts::commands::command;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Change, Correction, Intent, Place, Question, Target};
use crate::language::dialogue::correcting::correcting;
use crate::language::phrases::noun_phrase::{phrase_with, target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::as_size_word;
use crate::language::phrases::tail::Tail;
use crate::language::places::place::as_degree;
use crate::language::words::names::Names;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense, Social};

/// What a message is with regard to what was done before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// A wish of its own.
    None,
    /// Takes this many of the last changes back.
    Undo(usize),
    /// Does again what was taken back.
    Redo,
    /// Does the last thing differently, or more of it.
    Correction,
    /// Says that it is too much.
    Excess,
    /// A number or a length alone: an answer, or the last wish with another number.
    Amount,
    /// Answers a question, or wants the same done to something else.
    Answer,
}

/// What `message` is with regard to what was done before.
pub(crate) fn follow_up(message: &str) -> FollowUp {
    let clauses = crate::language::hear(message, &Names::default());
    let [only] = clauses.as_slice() else { return FollowUp::None };
    match &only.heard {
        Heard::Intents(intents) => match intents.as_slice() {
            [Intent::Undo { redo: false, steps }] => FollowUp::Undo(*steps),
            [Intent::Undo { redo: true, .. }] => FollowUp::Redo,
            [Intent::Correct(Correction::Remade(_))] => FollowUp::None,
            [Intent::Correct(_)] => FollowUp::Correction,
            [Intent::Excess { .. }] => FollowUp::Excess,
            [Intent::Answer(target)] if is_amount(target) => FollowUp::Amount,
            [Intent::Answer(_) | Intent::Repeat(_)] => FollowUp::Answer,
            _ => FollowUp::None,
        },
        Heard::Unclear(_) => FollowUp::None,
    }
}

/// "20", "2 m": no more than that.
fn is_amount(target: &Target) -> bool {
    let [phrase] = target.0.as_slice() else { return false };
    let sized = phrase.head.is_none() && phrase.size.extent.is_some();
    phrase.ordinal.is_some() || sized && phrase.determiner == Determiner::Bare
}

/// The kind of thing that a message speaks of last, in whatever way.
pub(crate) fn kind_spoken_of(message: &str, names: &Names) -> Option<Noun> {
    let clauses = crate::language::hear(message, names);
    let intents = clauses.iter().rev().flat_map(|clause| match &clause.heard {
        Heard::Intents(intents) => intents.as_slice(),
        Heard::Unclear(_) => &[],
    });
    intents.rev().find_map(|intent| {
        let phrases = match intent {
            // "a street with three houses".
            Intent::Stage(staging) => staging.with.as_slice(),
            intent => intent.phrases(),
        };
        let kind = |phrase: &&Phrase| {
            matches!(
                phrase.head,
                Some(Noun::Shape(_) | Noun::Assembly(_) | Noun::Light(_) | Noun::Later(_))
            )
        };
        phrases.iter().find(kind).and_then(|phrase| phrase.head.clone())
    })
}

/// The things by which a message places others, "next to the red ball", and between which it measures.
pub(crate) fn reference_points(message: &str, names: &Names) -> Vec<Target> {
    let clauses = crate::language::hear(message, names);
    let intents = || {
        clauses.iter().flat_map(|clause| match &clause.heard {
            Heard::Intents(intents) => intents.as_slice(),
            Heard::Unclear(_) => &[],
        })
    };
    let places = intents().flat_map(|intent| -> Vec<&Place> {
        match intent {
            Intent::Change { changes, .. } => changes.iter().filter_map(placed_at).collect(),
            intent => intent.phrases().iter().flat_map(|phrase| &phrase.places).collect(),
        }
    });
    let measured = intents().flat_map(|intent| match intent {
        Intent::Ask(Question::Distance(first, other)) => vec![first, other],
        _ => Vec::new(),
    });
    let told = |phrase: &Phrase| phrase.determiner == Determiner::The && !phrase.plural;
    let by = places.filter_map(|place| match place {
        Place::Relative { target, .. } => Some(target),
        _ => None,
    });
    by.chain(measured).filter(|target| target.0.iter().all(told)).cloned().collect()
}

fn placed_at(change: &Change) -> Option<&Place> {
    match change {
        Change::Place(place) => Some(place),
        _ => None,
    }
}

/// The first thing that `text` names with "the", else by its noun alone, also where the rest is not understood.
pub(crate) fn mentioned(text: &str, names: &Names) -> Option<Target> {
    let tokens = crate::language::words::lexicon::tag(text, names);
    let mut reader = Reader::new(&tokens);
    let mut bare = None;
    while reader.peek().is_some() {
        let start = reader.at;
        let the = reader.sees_glue(Glue::The);
        if let Some(phrase) =
            phrase_with(&mut reader, Tail::BARE).filter(|phrase| phrase.head.is_some())
        {
            if the {
                return Some(Target::of(phrase));
            }
            let named = matches!(phrase.head, Some(Noun::Shape(_) | Noun::Assembly(_)));
            if named && phrase.determiner == Determiner::Bare && !phrase.plural && bare.is_none() {
                bare = Some(Target::of(Phrase { determiner: Determiner::The, ..phrase }));
            }
        }
        reader.at = start + 1;
    }
    bare
}

/// "no, the box", "not the sphere, the box", "a bit more", "not that big", "again".
pub(crate) fn correction(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let corrected = |correction| Some(vec![Intent::Correct(correction)]);
    let start = reader.at;
    if let Some(found) = correcting(reader).filter(|_| reader.clause_ends()) {
        return Some(found);
    }
    reader.at = start;
    // "the other way round was better": as it was.
    if reader.glue(Glue::TurnedRound)
        && reader.previous().is_some_and(|word| word.starts_with("the other way"))
        && reader.peek().is_some_and(|token| token.text.ends_with("better"))
    {
        reader.skip();
        return Some(vec![Intent::Undo { redo: false, steps: 1 }]);
    }
    reader.at = start;
    if let Some(found) = amount(reader).filter(|_| reader.clause_ends()) {
        return corrected(found);
    }
    None
}

/// "more", "a bit more", "even more", "again", "less", "not that big", "not so much".
fn amount(reader: &mut Reader<'_>) -> Option<Correction> {
    let start = reader.at;
    if reader.glue(Glue::Not) {
        // "not that big", "not so far", "not as much".
        let so = reader.any_glue(&[Glue::This, Glue::As]).is_some()
            || reader.take(so).is_some()
            || reader.glue(Glue::That);
        let far = reader.any_glue(&[Glue::Far, Glue::Close, Glue::Low]).is_some();
        let _ = far && reader.any_glue(&[Glue::Apart, Glue::Together]).is_some();
        let _ = far
            || reader.take(as_size_word).is_some()
            || reader.take(as_degree).is_some()
            || crate::language::phrases::noun_phrase::tone(reader).is_some()
            || reader.colour().is_some()
            || reader.take(any_way).is_some();
        if so && reader.clause_ends() {
            return Some(Correction::Less);
        }
        reader.at = start;
        return None;
    }
    if reader.peek().is_some_and(|token| token.text == "back") {
        reader.skip();
        return Some(Correction::Back);
    }
    // "only the red one should glow".
    if reader.previous() == Some("only")
        && let Some(target) = target(reader, Tail::SUBJECT)
        && target.0.iter().all(|phrase| !phrase.is_new())
        && reader.glue(Glue::Should)
    {
        let glows = |token: &crate::language::words::lexicon::Token| {
            let shines = Sense::Verb(crate::language::words::vocabulary::Verb::Glow);
            token.senses.contains(&shines) || token.text.starts_with("glow")
        };
        let mut glowing = false;
        while !reader.clause_ends() {
            glowing |= reader.peek().is_some_and(glows);
            reader.skip();
        }
        return Some(Correction::Only { target, glowing });
    }
    reader.at = start;
    // "another 50 cm".
    if reader.glue(Glue::Another)
        && reader.look(1, crate::language::words::reader::as_unit).is_some()
        && let Some(metres) = reader.length().filter(|_| reader.clause_ends())
    {
        return Some(Correction::By(metres));
    }
    reader.at = start;
    // "another 50"; "another one" is one more thing.
    if reader.glue(Glue::Another)
        && reader.peek().is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_digit()))
        && let Some(number) = reader.number().filter(|_| reader.clause_ends())
    {
        return Some(Correction::Further(number));
    }
    reader.at = start;
    if reader.glue(Glue::TurnedRound) || reader.any_glue(&[Glue::Clockwise]).is_some() {
        // "the other way round".
        let round = reader.previous().is_some_and(|word| word.starts_with("the other way"));
        let better = reader.peek().is_some_and(|token| token.text.ends_with("better"));
        if round && !better && reader.clause_ends() {
            return Some(Correction::Reversed);
        }
    }
    reader.at = start;
    let degree = crate::language::places::place::degree(reader);
    if reader.glue(Glue::More) || reader.take(again).is_some() {
        let _ = reader.glue(Glue::Of) && (reader.glue(Glue::This) || reader.glue(Glue::Same));
        let late = reader.take(as_degree);
        return Some(Correction::More(degree.or(late)));
    }
    if reader.glue(Glue::Less) {
        return Some(Correction::Less);
    }
    reader.at = start;
    None
}

fn so(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Filler).then_some(())
}

fn again(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Glue(Glue::Again)).then_some(())
}

fn any_way(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Way(_) | Sense::Compare(_)).then_some(())
}

/// After "no", "not the sphere but", "I meant": what is meant instead.
pub(crate) fn instead(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let wrong = refused(reader)?;
    let corrected = |correction| Some(vec![Intent::Correct(correction)]);
    let start = reader.at;
    // "no, seven".
    let counts = |number: &f64| number.fract() == 0.0 && (1.0..=1e4).contains(number);
    if let Some(number) = reader.number().filter(counts)
        && reader.clause_ends()
    {
        return corrected(Correction::Number(number as usize));
    }
    reader.at = start;
    if let Some(target) = target(reader, Tail::SUBJECT)
        && reader.clause_ends()
        && target.0.iter().all(|phrase| !phrase.is_new() && !is_look(phrase))
    {
        return corrected(Correction::Instead { meant: target, wrong });
    }
    reader.at = start;
    if let Some(made) = creations(reader).filter(|_| reader.clause_ends())
        && let [Intent::Create(phrases)] = made.as_slice()
    {
        return corrected(Correction::Remade(phrases.clone()));
    }
    reader.at = start;
    let found = changes(reader);
    if !found.is_empty() && reader.clause_ends() {
        let becomes = found.iter().find_map(|change| match change {
            Change::Become(phrase) => Some((**phrase).clone()),
            _ => None,
        });
        return match becomes {
            Some(phrase) => corrected(Correction::Remade(vec![phrase])),
            None => corrected(Correction::Rather(found)),
        };
    }
    reader.at = start;
    None
}

/// "green" alone: what it is to become.
fn is_look(phrase: &Phrase) -> bool {
    phrase.determiner == Determiner::Bare && phrase.head.is_none() && phrase.rank.is_none()
}

/// "no,", "no, not the sphere,", "I meant", "not the sphere but": none where nothing is refused, else
/// what was wrong, where it was named.
fn refused(reader: &mut Reader<'_>) -> Option<Option<Box<Phrase>>> {
    let start = reader.at;
    let mut said = false;
    let mut named = None;
    loop {
        reader.skip_fillers();
        let before = reader.at;
        let no = reader.peek().is_some_and(|token| {
            token.text == "no" || token.senses.contains(&Sense::Social(Social::No))
        });
        if no || reader.sees_glue(Glue::Meant) {
            reader.skip();
            said = true;
        } else if reader.glue(Glue::Not) {
            // "not the sphere(,) (but)": what was wrong.
            let wrong = phrase_with(reader, Tail::BARE);
            // "not on the box, on the cylinder".
            let elsewhere =
                wrong.is_none() && crate::language::places::place::place(reader).is_some();
            let joined = reader.take_joint();
            if elsewhere && joined {
                said = true;
                continue;
            }
            if wrong.is_none() || !(joined || reader.sees_glue(Glue::The)) {
                reader.at = before;
                break;
            }
            named = wrong.map(Box::new);
            said = true;
        } else if !(said && reader.take_joint()) {
            break;
        }
    }
    if !said || reader.at_end() {
        reader.at = start;
        return None;
    }
    Some(named)
}

/// "don't move it", "never delete the floor", "leave the box alone".
pub(crate) fn forbidden(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if !reader.glue(Glue::Not) {
        return None;
    }
    let bare = reader.previous() == Some("not");
    reader.skip_fillers();
    let start = reader.at;
    // "not the rug": it is left out of what was done.
    if bare
        && let Some(spared) = target(reader, Tail::SUBJECT).filter(|_| reader.clause_ends())
        && spared.0.iter().all(|phrase| !phrase.is_new() && !is_look(phrase))
    {
        return Some(vec![Intent::Correct(Correction::Spare(spared))]);
    }
    reader.at = start;
    let commanded = command(reader).filter(|_| reader.clause_ends());
    let targets: Vec<Phrase> = match commanded {
        Some(intents) => intents.iter().flat_map(spared).collect(),
        None => {
            // "don't touch the box", "don't move it": no more than a verb and what it is about.
            reader.at = start;
            reader.skip();
            target(reader, Tail::BARE)?.0
        }
    };
    let target = (!targets.is_empty()).then_some(Target(targets));
    Some(vec![Intent::Leave(target)])
}

fn spared(intent: &Intent) -> Vec<Phrase> {
    let known = |target: &Target| -> Vec<Phrase> {
        target.0.iter().filter(|phrase| phrase.head != Some(Noun::Scene)).cloned().collect()
    };
    match intent {
        Intent::Change { target, .. }
        | Intent::Remove(target)
        | Intent::Duplicate { target, .. }
        | Intent::Arrange { target, .. }
        | Intent::Mirror { target, .. }
        | Intent::Furnish { target, .. }
        | Intent::Wanting { target, .. } => known(target),
        _ => Vec::new(),
    }
}
