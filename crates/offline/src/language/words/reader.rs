//! A cursor over the tokens of one message: the small steps all of the grammar is made of.

use crate::colour::Colour;
use crate::language::words::lexicon::Token;
use crate::language::words::vocabulary::{Glue, Noun, Sense, Unit, Verb};

/// Reads tokens from left to right.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    tokens: &'a [Token],
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(tokens: &'a [Token]) -> Self {
        Self { tokens, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The word that was read last.
    pub(crate) fn previous(&self) -> Option<&'a str> {
        Some(self.tokens.get(self.at.checked_sub(1)?)?.text.as_str())
    }

    pub(crate) fn ahead(&self, steps: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + steps)
    }

    /// The tokens taken since `start`.
    pub(crate) fn since(&self, start: usize) -> &'a [Token] {
        self.tokens.get(start..self.at).unwrap_or_default()
    }

    /// The tokens not read yet.
    pub(crate) fn rest(&self) -> &'a [Token] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// The next `count` tokens.
    pub(crate) fn only(&self, count: usize) -> &'a [Token] {
        self.tokens.get(self.at..(self.at + count).min(self.tokens.len())).unwrap_or_default()
    }

    /// The tokens from `start` up to `end`.
    pub(crate) fn only_from(&self, start: usize, end: usize) -> &'a [Token] {
        self.tokens.get(start..end).unwrap_or_default()
    }

    pub(crate) fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    /// Takes the next token if `choose` finds a meaning in it.
    pub(crate) fn take<T>(&mut self, choose: impl Fn(&Sense) -> Option<T>) -> Option<T> {
        let found = self.peek()?.senses.iter().find_map(choose)?;
        self.at += 1;
        Some(found)
    }

    /// The meaning that `choose` finds in the token `steps` ahead.
    pub(crate) fn look<T>(&self, steps: usize, choose: impl Fn(&Sense) -> Option<T>) -> Option<T> {
        self.ahead(steps)?.senses.iter().find_map(choose)
    }

    /// Whether the token `steps` ahead has this sense.
    pub(crate) fn sees(&self, steps: usize, sense: &Sense) -> bool {
        self.ahead(steps).is_some_and(|token| token.senses.contains(sense))
    }

    pub(crate) fn sees_glue(&self, glue: Glue) -> bool {
        self.sees(0, &Sense::Glue(glue))
    }

    pub(crate) fn glue(&mut self, glue: Glue) -> bool {
        let found = self.sees_glue(glue);
        self.at += usize::from(found);
        found
    }

    /// Takes whichever of `glues` comes next.
    pub(crate) fn any_glue(&mut self, glues: &[Glue]) -> Option<Glue> {
        self.take(|sense| match sense {
            Sense::Glue(glue) if glues.contains(glue) => Some(*glue),
            _ => None,
        })
    }

    pub(crate) fn skip_fillers(&mut self) {
        while self.peek().is_some_and(|token| {
            token.senses.contains(&Sense::Filler) && !self.more_than_filler(token)
        }) {
            self.skip();
        }
    }

    /// The same, but "too" is not let go: "still too small".
    pub(crate) fn skip_fillers_but_too(&mut self) {
        while self.peek().is_some_and(|token| {
            let filler = token.senses.contains(&Sense::Filler) && !self.more_than_filler(token);
            filler && token.text != "too"
        }) {
            self.skip();
        }
    }

    /// "round", "very" and the like are fillers only where nothing else fits; "a well" is a thing.
    fn more_than_filler(&self, token: &Token) -> bool {
        let article = |sense: &Sense| matches!(sense, Sense::Glue(Glue::A | Glue::The));
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let object = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Assembly(_)));
        if before.is_some_and(|token| token.senses.iter().any(article))
            && token.senses.iter().any(object)
        {
            return true;
        }
        token.senses.iter().any(|sense| matches!(sense, Sense::Relation(_) | Sense::Rank(_)))
            || (matches!(token.text.as_str(), "very" | "really") && self.colour_here().is_some())
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek().is_none_or(|token| token.senses.contains(&Sense::Stop))
    }

    /// Whether the clause ends here: at a full stop, or where another verb follows after "and",
    /// "then" or a comma.
    pub(crate) fn clause_ends(&self) -> bool {
        let mut probe = self.clone();
        probe.skip_fillers();
        // "remove it again".
        if self.at > 0 && probe.sees_glue(Glue::Again) {
            probe.skip();
            probe.skip_fillers();
            return probe.at_end();
        }
        probe.at_end() || (probe.take_joint() && (probe.at_end() || probe.starts_clause()))
    }

    /// Takes "and", "then", "but" and commas; whether there was one.
    pub(crate) fn take_joint(&mut self) -> bool {
        let before = self.at;
        while self.sees(0, &Sense::Comma)
            || [Glue::And, Glue::Then, Glue::But].iter().any(|glue| self.sees_glue(*glue))
        {
            self.skip();
        }
        let joined = self.at > before;
        let only = self.peek().is_some_and(|token| token.text == "only");
        if !(only && self.starts_clause()) {
            self.skip_fillers();
        }
        joined
    }

    /// Whether a verb or a question starts here.
    pub(crate) fn starts_clause(&self) -> bool {
        let mut probe = self.clone();
        // "only the fire gives light".
        let gives = |token: &Token| token.senses.contains(&Sense::Glue(Glue::GivesLight));
        if self.peek().is_some_and(|token| token.text == "only")
            && self.rest().iter().take(6).any(gives)
        {
            return true;
        }
        probe.skip_fillers();
        match probe.peek().and_then(|token| token.senses.first()) {
            // "red and copper", "the frame": a noun or adjective wins over a verb.
            Some(Sense::Verb(verb)) => {
                !matches!(verb, Verb::Triple | Verb::Double)
                    || probe.look(1, as_noun_phrase_start).is_some()
            }
            Some(Sense::Ask(_) | Sense::Social(_)) => true,
            _ => probe.starts_statement(),
        }
    }

    /// Whether "the red cube is" or "it should be" starts here.
    fn starts_statement(&self) -> bool {
        const LONGEST_SUBJECT: usize = 5;
        let says = |token: &Token| {
            let verb = |sense: &Sense| {
                matches!(sense, Sense::Glue(Glue::Is | Glue::Should | Glue::LookLike))
            };
            token.senses.iter().any(verb)
        };
        let breaks = |token: &Token| {
            let joint = |sense: &Sense| {
                matches!(sense, Sense::Comma | Sense::Stop | Sense::Glue(Glue::And))
            };
            token.senses.iter().any(joint)
        };
        let subject = self.rest().iter().take(LONGEST_SUBJECT).take_while(|token| !breaks(token));
        [Glue::The, Glue::It, Glue::Them].iter().any(|glue| self.sees_glue(*glue))
            && subject.skip(1).any(says)
    }

    /// The colour that starts here and how many tokens it takes.
    fn colour_here(&self) -> Option<(Colour, usize)> {
        let words: Vec<&str> = (0..5)
            .map_while(|step| self.ahead(step))
            .take_while(|token| !token.text.is_empty() && !token.text.contains(','))
            .map(|token| token.text.as_str())
            .collect();
        Colour::of_words(&words).or_else(|| {
            let listed = |sense: &Sense| match sense {
                Sense::Colour(colour) => Some(colour.clone()),
                _ => None,
            };
            let shade = matches!(*words.first()?, "light" | "dark" | "pale" | "deep" | "pastel");
            // A mistyped colour, also after a shade.
            match (self.look(0, listed), shade) {
                (Some(colour), _) => Some((colour, 1)),
                (None, true) => {
                    let base = self.look(1, listed)?;
                    let name = base.name.clone();
                    let (colour, count) = Colour::of_words(&[words.first()?, name.as_str()])?;
                    Some((colour, count))
                }
                (None, false) => None,
            }
        })
    }

    /// How many words the colour has that starts here; 0 where there is none.
    pub(crate) fn colour_length(&self) -> usize {
        self.colour_here().map_or(0, |(_, length)| length)
    }

    pub(crate) fn colour(&mut self) -> Option<Colour> {
        let (colour, count) = self.colour_here()?;
        self.at += count;
        Some(colour)
    }

    pub(crate) fn number(&mut self) -> Option<f64> {
        self.take(|sense| match sense {
            Sense::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// A number with an optional unit, in metres; not a number that counts things or degrees.
    pub(crate) fn length(&mut self) -> Option<f64> {
        let start = self.at;
        let half = self.take(|sense| match sense {
            Sense::Factor(factor) if *factor < 1.0 => Some(*factor),
            _ => None,
        });
        if half.is_some() {
            self.glue(Glue::A);
        }
        let number = match half {
            Some(half) => Some(half),
            None => self.number().or_else(|| {
                let counted = self.sees_glue(Glue::A)
                    && self.look(1, as_unit).is_some_and(|unit| metres(unit).is_some());
                counted.then(|| self.skip()).map(|()| 1.0)
            }),
        };
        let length = number.and_then(|number| match self.look(0, as_unit) {
            None => half.is_none().then_some(number),
            Some(unit) => metres(unit).map(|metres| {
                self.skip();
                number * metres
            }),
        });
        if length.is_none() {
            self.at = start;
        }
        length
    }
}

pub(crate) fn as_unit(sense: &Sense) -> Option<Unit> {
    match sense {
        Sense::Unit(unit) => Some(*unit),
        _ => None,
    }
}

pub(crate) fn as_verb(sense: &Sense) -> Option<Verb> {
    match sense {
        Sense::Verb(verb) => Some(*verb),
        _ => None,
    }
}

pub(crate) fn as_noun(sense: &Sense) -> Option<Noun> {
    match sense {
        Sense::Noun(noun) => Some(noun.clone()),
        _ => None,
    }
}

fn as_noun_phrase_start(sense: &Sense) -> Option<()> {
    matches!(
        sense,
        Sense::Noun(_)
            | Sense::Glue(Glue::The | Glue::It | Glue::Them | Glue::All | Glue::This | Glue::Its)
    )
    .then_some(())
}

/// How many metres a unit of length has.
pub(crate) fn metres(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Metre => Some(1.0),
        Unit::Centimetre => Some(0.01),
        Unit::Millimetre => Some(0.001),
        Unit::Kilometre => Some(1000.0),
        Unit::Foot => Some(0.3048),
        Unit::Inch => Some(0.0254),
        Unit::Degree | Unit::Percent | Unit::Times => None,
    }
}
