//! What can be passed over where a clause is not understood as it stands: words that say nothing of the
//! scene ("might I have", "lol"), reasons ("it feels clinical", "because ..."), purposes ("for a still
//! life"). What is left has to be understood whole, and nothing that carries a wish is ever passed over.

use crate::language::acts::clause::clause;
use crate::language::acts::intent::Intent;
use crate::language::acts::parting::{Parting, is_comma, is_remark, is_thing, partings};
use crate::language::places::gap::{gapped, undescribed};
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Sense, Verb};

/// The most unknown words of one clause that are passed over.
const MOST_STRANGE: usize = 4;
/// The most words of a clause that is tried.
const MOST_WORDS: usize = 60;

/// `said` without what can be passed over, as intents, and the words that were; None where what is left is
/// no wish either.
pub(in crate::language) fn passed_over(said: &[Token]) -> Option<(Vec<Intent>, Vec<String>)> {
    if said.len() > MOST_WORDS {
        return None;
    }
    let partings = partings(said);
    partings.iter().find_map(whole).or_else(|| partings.iter().find_map(thinned))
}

/// What is kept, as it stands.
fn whole(parting: &Parting<'_>) -> Option<(Vec<Intent>, Vec<String>)> {
    let intents = understood(parting.kept)
        .filter(|intents| !parting.passed.is_empty() && parting.suits(intents))?;
    Some((intents, phrase(parting.passed).into_iter().collect()))
}

/// What is kept, without the unknown words that name nothing.
fn thinned(parting: &Parting<'_>) -> Option<(Vec<Intent>, Vec<String>)> {
    let (intents, mut words) =
        without_strange(parting.kept).or_else(|| undescribed(parting.kept))?;
    words.extend(phrase(parting.passed));
    parting.suits(&intents).then_some((intents, words))
}

/// Whether all of a clause is idle talk: an interjection, or a remark without a word about a scene.
pub(in crate::language) fn is_chatter(said: &[Token]) -> bool {
    const LONGEST_INTERJECTION: usize = 2;
    let strange = said.iter().all(|token| token.senses.is_empty());
    (strange && said.len() <= LONGEST_INTERJECTION) || is_remark(said)
}

/// What the words mean without the unknown ones that name nothing, and those.
fn without_strange(words: &[Token]) -> Option<(Vec<Intent>, Vec<String>)> {
    let (strange, known): (Vec<usize>, Vec<usize>) =
        (0..words.len()).partition(|at| words[*at].senses.is_empty());
    let few = strange.len() <= MOST_STRANGE && 2 * strange.len() <= words.len();
    if strange.is_empty() || !few || strange.iter().any(|at| names_something(words, *at)) {
        return None;
    }
    let known: Vec<Token> = known.into_iter().map(|at| words[at].clone()).collect();
    // Without its verb a wish can be for new things only.
    let verb_lost = strange.first() == Some(&0) && !starts_with_verb(&known);
    let makes = |intent: &Intent| matches!(intent, Intent::Create(_) | Intent::Stage(_));
    let intents = understood(&known).filter(|intents| !verb_lost || intents.iter().all(makes))?;
    Some((intents, strange.into_iter().map(|at| words[at].text.clone()).collect()))
}

/// Whether an unknown word stands where the name of a thing, a colour or a material has to stand.
pub(in crate::language) fn names_something(words: &[Token], at: usize) -> bool {
    let describes = |token: &Token| {
        token.senses.is_empty()
            || token.senses.iter().any(|sense| {
                matches!(
                    sense,
                    Sense::Colour(_) | Sense::Size(_) | Sense::Finish(_) | Sense::Rank(_)
                )
            })
    };
    if is_nameless(&words[at]) {
        return false;
    }
    // "the wonky cube": what it describes is named after it.
    if words.get(at + 1).is_some_and(|token| token.senses.iter().any(is_thing)) {
        return false;
    }
    let Some(before) = words[..at].iter().rposition(|token| !describes(token)) else {
        return false;
    };
    // "should be purple lol" is complete without it, "a purple lol" is not.
    let described = words[before + 1..at].iter().any(|token| !token.senses.is_empty());
    let demands = |sense: &Sense| match sense {
        Sense::Relation(_) | Sense::Number(_) => true,
        Sense::Verb(_) | Sense::Glue(Glue::Is | Glue::Should) => !described,
        Sense::Glue(glue) => !matches!(
            glue,
            Glue::It
                | Glue::Them
                | Glue::Everything
                | Glue::And
                | Glue::Then
                | Glue::But
                | Glue::This
                | Glue::AllOfThem
                | Glue::Again
        ),
        _ => false,
    };
    words[before].senses.first().is_some_and(demands)
}

/// Whether a word that is not in the lexicon is known to name nothing.
pub(in crate::language) fn is_nameless(token: &Token) -> bool {
    ["i", "we", "us", "you", "he", "she", "who", "got", "yet", "already", "else", "there"]
        .contains(&token.text.as_str())
}

fn understood(words: &[Token]) -> Option<Vec<Intent>> {
    let words = &words[..words.iter().rposition(|token| !is_comma(token))? + 1];
    let mut reader = Reader::new(words);
    let whole = clause(&mut reader).filter(|_| {
        reader.skip_fillers();
        reader.peek().is_none()
    });
    whole.or_else(|| gapped(words)).filter(|intents| intents.iter().all(is_wish))
}

/// Whether something is asked for, be it a change or an answer; a bare name is none.
pub(in crate::language) fn is_wish(intent: &Intent) -> bool {
    !matches!(
        intent,
        Intent::Answer(_)
            | Intent::Nothing
            | Intent::Hello
            | Intent::Thanks
            | Intent::Continue
            | Intent::Leave(_)
            | Intent::Correct(_)
            | Intent::Help
    )
}

fn starts_with_verb(words: &[Token]) -> bool {
    let filler = |token: &&Token| token.senses.contains(&Sense::Filler);
    let first = words.iter().find(|token| !filler(token));
    first.is_some_and(|token| matches!(token.senses.first(), Some(Sense::Verb(_) | Sense::Ask(_))))
}

/// What no wish can do without: denials, conditions, exceptions, and what is beyond this model.
pub(in crate::language) fn turns_it_round(token: &Token) -> bool {
    let turns = |sense: &Sense| {
        matches!(
            sense,
            Sense::Glue(Glue::Not | Glue::Without | Glue::Except | Glue::Or)
                | Sense::Verb(Verb::Beyond)
        )
    };
    let conditions = ["if", "unless", "when", "whenever"];
    token.senses.iter().any(turns) || conditions.contains(&token.text.as_str())
}

/// A tail as it is told back, None where there is none.
fn phrase(tail: &[Token]) -> Option<String> {
    let words: Vec<&str> =
        tail.iter().map(|token| token.text.as_str()).filter(|text| *text != ",").collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use crate::language::{Heard, Names, hear};

    /// What was passed over of the only clause that is left; None where it is not understood.
    fn passed(text: &str) -> Option<String> {
        let names = Names::new(["red_box", "snowman", "lamp"]);
        let clauses = hear(text, &names);
        let [clause] = clauses.as_slice() else { return Some(format!("{clauses:?}")) };
        matches!(clause.heard, Heard::Intents(_)).then(|| clause.passed.join(", "))
    }

    #[test]
    fn what_says_nothing_of_the_scene_is_passed_over() {
        for (text, words) in [
            ("make a red sphere", ""),
            ("prithee give me a dining table", "prithee"),
            ("the trees should be purple innit", "innit"),
            ("make the lamp warmer, like in a dream", "like in a dream"),
            ("make it bigger because i cannot see it", "because i cannot see it"),
            ("set up a wooden table for a still life", ""),
            ("make the wonky box blue", "wonky"),
        ] {
            assert_eq!(passed(text).as_deref(), Some(words), "{text}");
        }
    }

    #[test]
    fn idle_talk_beside_a_wish_is_let_go() {
        for text in [
            "I've changed my mind. Make it blue.",
            "Make it blue. Wowzers!",
            "Gadzooks. make it blue",
        ] {
            assert_eq!(passed(text).as_deref(), Some(""), "{text}");
        }
    }

    #[test]
    fn what_may_name_something_or_turn_the_wish_round_is_not() {
        for text in [
            "delete the zorbl",
            "paint the zorbl red",
            "put the box on zorbl",
            "make it zorbl",
            "make it blue unless it zorbls",
            "yeet the red box to the left",
            "a zorbl hat for the snowman",
        ] {
            assert_eq!(passed(text), None, "{text}");
        }
    }
}
