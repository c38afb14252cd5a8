//! Colons: "leftmost ball: make it bigger", "Box: 120 x 60 x 75 cm", "Product shot: a bottle".

use catalogue::catalogue;

use crate::language::acts::clause::{Clause, Heard};
use crate::language::acts::intent::Intent;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::places::gap::wish;
use crate::language::words::lexicon::Token;
use crate::language::words::vocabulary::{Glue, Noun, Pattern, Sense, Verb};

/// The tokens without polite words between commas: "a castle, please, with towers".
pub(in crate::language) fn without_courtesies(mut tokens: Vec<Token>) -> Vec<Token> {
    let comma = |token: &Token| token.senses.contains(&Sense::Comma);
    let filler = |token: &Token| token.senses.first() == Some(&Sense::Filler);
    let mut at = 0;
    while at + 2 < tokens.len() {
        let fillers = tokens[at + 1..].iter().take_while(|token| filler(token)).count();
        let closed = tokens.get(at + 1 + fillers).is_some_and(comma);
        if fillers > 0 && closed && comma(&tokens[at]) {
            tokens.drain(at + 1..at + 2 + fillers);
        }
        at += 1;
    }
    tokens
}

/// The most words before and after a colon that are tried together.
const MOST_WORDS: usize = 40;

/// The tokens with the colons taken out that part what is spoken of from what is said of it.
pub(in crate::language) fn joined_at_colons(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut from = 0;
    while let Some(colon) = tokens[from..].iter().position(|token| token.text == ":") {
        let colon = from + colon;
        let start = tokens[..colon].iter().rposition(is_stop).map_or(0, |stop| stop + 1);
        let end =
            tokens[colon + 1..].iter().position(is_stop).map_or(tokens.len(), |at| at + colon + 1);
        from = colon + 1;
        let (subject, said) = (&tokens[start..colon], &tokens[colon + 1..end]);
        if subject.is_empty() || said.is_empty() || end - start > MOST_WORDS || acts(subject) {
            continue;
        }
        let joined = named_for_it(subject, said)
            .or_else(|| with_its_parts(subject, said))
            .or_else(|| together(subject, said));
        if let Some(joined) = joined {
            from = start + joined.len();
            tokens.splice(start..end, joined);
        }
    }
    tokens
}

fn is_stop(token: &Token) -> bool {
    token.senses.contains(&Sense::Stop)
}

fn acts(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| matches!(token.senses.first(), Some(Sense::Verb(_) | Sense::Ask(_))))
}

/// "leftmost ball: make it bigger": what is spoken of stands for "it".
fn named_for_it(subject: &[Token], said: &[Token]) -> Option<Vec<Token>> {
    let it = |sense: &Sense| matches!(sense, Sense::Glue(Glue::It | Glue::Them));
    let at = said.iter().position(|token| token.senses.iter().any(it))?;
    let noun = |sense: &Sense| matches!(sense, Sense::Noun(noun) if *noun != Noun::Thing);
    if !subject.iter().any(|token| token.senses.iter().any(noun)) {
        return None;
    }
    let mut joined = said[..at].to_vec();
    let determined = subject.first().is_some_and(|token| {
        let pointing = |sense: &Sense| {
            matches!(sense, Sense::Glue(Glue::The | Glue::All | Glue::Its | Glue::This | Glue::A))
        };
        token.senses.iter().any(pointing)
    });
    if !determined {
        joined.push(Token {
            senses: vec![Sense::Glue(Glue::The)],
            text: "the".into(),
            ..said[at].clone()
        });
    }
    joined.extend(subject.iter().cloned());
    joined.extend(said[at + 1..].iter().cloned());
    wish(&joined).map(|_| joined)
}

/// "Aeroplane: white body, blue tail": an object and parts of it.
fn with_its_parts(subject: &[Token], said: &[Token]) -> Option<Vec<Token>> {
    let comma = Token { senses: vec![Sense::Comma], text: ",".into(), ..subject.last()?.clone() };
    let joined: Vec<Token> =
        subject.iter().chain(std::iter::once(&comma)).chain(said).cloned().collect();
    let intents = wish(&joined)?;
    let [Intent::Create(phrases)] = intents.as_slice() else { return None };
    let (whole, parts) = phrases.split_first()?;
    let Some(Noun::Assembly(assembly)) = whole.head else { return None };
    let object = catalogue().find(assembly.0)?;
    let is_part = |part: &Phrase| {
        let noun = crate::language::id_like(&part.words).pop().unwrap_or_default();
        object.has_part(&noun) || object.option(&noun).is_some()
    };
    (!parts.is_empty() && parts.iter().all(is_part)).then_some(joined)
}

/// "Box: 120 x 60 x 75 cm", "background: black": all of it one wish, where the rest alone is none.
fn together(subject: &[Token], said: &[Token]) -> Option<Vec<Token>> {
    let verb = |token: &Token| matches!(token.senses.first(), Some(Sense::Verb(verb)) if *verb != Verb::Frame);
    if said.first().is_some_and(verb) {
        return None;
    }
    let joined: Vec<Token> = subject.iter().chain(said).cloned().collect();
    wish(&joined).map(|_| joined)
}

/// The clauses without those that are only the heading of what follows.
pub(in crate::language) fn without_headings(clauses: Vec<Clause>, message: &str) -> Vec<Clause> {
    let mut kept: Vec<Clause> = Vec::new();
    for mut clause in clauses {
        if let Some(heading) = kept.pop_if(|last| is_heading(last, &clause, message)) {
            inherit_look(&heading, &mut clause);
        }
        kept.push(clause);
    }
    kept
}

/// "Product shot: a bottle on a podium": what comes before the colon only names what follows.
fn is_heading(heading: &Clause, next: &Clause, message: &str) -> bool {
    let made = |clause: &Clause| match &clause.heard {
        Heard::Intents(intents) => {
            intents.iter().all(|intent| match intent {
                Intent::Stage(_) => true,
                // "Build a little wall: ten blocks".
                Intent::Create(phrases) if made_of_several(phrases, next) => true,
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

/// Whether what comes next are the several shapes that a wall or a tower is made of.
fn made_of_several(heading: &[Phrase], next: &Clause) -> bool {
    let built = |phrase: &Phrase| {
        phrase.head == Some(Noun::Wall) || (phrase.pattern.is_some() && phrase.head.is_none())
    };
    let shapes = |phrase: &Phrase| {
        matches!(phrase.head, Some(Noun::Shape(_))) && phrase.count.is_some_and(|count| count > 1)
    };
    let next = match &next.heard {
        Heard::Intents(intents) => intents.iter().flat_map(Intent::phrases),
        Heard::Unclear(_) => return false,
    };
    heading.iter().all(built) && next.clone().next().is_some() && next.clone().all(shapes)
}

/// "Grey base plate: a box": the box is grey.
fn inherit_look(heading: &Clause, clause: &mut Clause) {
    let named = match &heading.heard {
        Heard::Intents(intents) => intents.iter().find_map(|intent| intent.phrases().first()),
        Heard::Unclear(_) => None,
    };
    if let (Some(named), Heard::Intents(intents)) = (named, &mut clause.heard)
        && let [Intent::Create(phrases)] = intents.as_mut_slice()
    {
        for phrase in phrases {
            if phrase.pattern.is_none() && phrase.count.is_some_and(|count| count > 1) {
                let wall = (named.head == Some(Noun::Wall)).then_some(Pattern::Wall);
                phrase.pattern = named.pattern.or(wall);
            }
            if phrase.colours.is_empty() && phrase.finish.is_none() {
                phrase.colours.clone_from(&named.colours);
                phrase.finish = named.finish;
            }
        }
    }
}
