//! Sizes: words ("small", "tall") and measures ("radius 2", "2x1x3", "50 cm wide").

use glam::DVec3;

use crate::language::acts::changes::{as_comparison, is_less};
use crate::language::phrases::noun_phrase::phrase;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::places::place::as_degree;
use crate::language::words::reader::{Reader, as_unit, metres};
use crate::language::words::vocabulary::{Degree, Glue, Measure, Sense, SizeWord};

/// How big something is to be. Numbers are metres and win over words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Size {
    /// How much bigger than usual along x, y and z.
    pub(crate) factors: DVec3,
    /// The words that made the factors.
    pub(crate) words: Vec<String>,
    pub(crate) radius: Option<f64>,
    pub(crate) diameter: Option<f64>,
    pub(crate) width: Option<f64>,
    pub(crate) height: Option<f64>,
    pub(crate) depth: Option<f64>,
    /// The tube of a ring, the diameter of what is round and long, the height of a slab.
    pub(crate) thickness: Option<f64>,
    /// To the middle of the tube of a ring.
    pub(crate) ring_radius: Option<f64>,
    /// The radius of the hole in a ring.
    pub(crate) hole_radius: Option<f64>,
    /// Width, depth and height alike.
    pub(crate) extent: Option<f64>,
    /// The width was told as a length: "1 m long".
    pub(crate) length_told: bool,
    /// Measured by another thing.
    pub(crate) like: Option<Like>,
}

/// As big as another thing, times a factor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Like {
    pub(crate) factor: f64,
    pub(crate) model: Box<Phrase>,
    /// "bigger than" rather than "as big as": it is enough to be so.
    pub(crate) than: bool,
}

impl Default for Size {
    fn default() -> Self {
        Self {
            factors: DVec3::ONE,
            words: Vec::new(),
            radius: None,
            diameter: None,
            width: None,
            height: None,
            depth: None,
            thickness: None,
            ring_radius: None,
            hole_radius: None,
            extent: None,
            length_told: false,
            like: None,
        }
    }
}

impl Size {
    /// Whether nothing was said about the size.
    pub(crate) fn is_unsaid(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it was told which edge is so long: "2 m tall", "radius 1".
    pub(crate) fn names_an_edge(&self) -> bool {
        let edges =
            [self.radius, self.diameter, self.width, self.height, self.depth, self.thickness];
        edges.iter().any(Option::is_some)
    }

    /// All lengths that were said, in metres.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = f64> {
        let edges = [self.width, self.height, self.depth, self.thickness, self.extent];
        let round = [self.radius, self.diameter, self.ring_radius, self.hole_radius];
        round.into_iter().chain(edges).flatten()
    }

    fn set(&mut self, measure: Measure, metres: f64) -> bool {
        let slot = match measure {
            Measure::Radius => &mut self.radius,
            Measure::Diameter => &mut self.diameter,
            Measure::Width => &mut self.width,
            Measure::Height => &mut self.height,
            Measure::Depth => &mut self.depth,
            Measure::Length => &mut self.width,
            Measure::Thickness => &mut self.thickness,
            Measure::TubeRadius => &mut self.thickness,
            Measure::RingRadius => &mut self.ring_radius,
            Measure::InnerRadius | Measure::InnerDiameter => &mut self.hole_radius,
            Measure::Size => &mut self.extent,
            _ => return false,
        };
        let factor = match measure {
            Measure::TubeRadius => 2.0,
            Measure::InnerDiameter => 0.5,
            _ => 1.0,
        };
        *slot = Some(metres * factor);
        self.length_told |= measure == Measure::Length;
        true
    }

    fn set_dimensions(&mut self, sides: &[f64]) -> bool {
        match *sides {
            [width, depth] => (self.width, self.depth) = (Some(width), Some(depth)),
            [width, height, depth] => {
                (self.width, self.height, self.depth) = (Some(width), Some(height), Some(depth));
            }
            _ => return false,
        }
        true
    }

    /// "120 x 60 x 75 cm", also with the edges they are behind: "(W x D x H)".
    fn dimensions(&mut self, reader: &mut Reader<'_>, sides: &[f64]) -> bool {
        let unit = unit_factor(reader);
        let sides: Vec<f64> = sides.iter().map(|side| side * unit).collect();
        let order = reader.take(|sense| match sense {
            Sense::Edges(order) => Some(order.clone()),
            _ => None,
        });
        let Some(order) = order.filter(|order| order.len() == sides.len()) else {
            return self.set_dimensions(&sides);
        };
        for (edge, metres) in order.chars().zip(sides) {
            let measure = match edge {
                'h' => Measure::Height,
                'd' => Measure::Depth,
                _ => Measure::Width,
            };
            self.set(measure, metres);
        }
        true
    }

    /// "1, 0.5 and 0.25 m": half of the width, the height and the depth; of two the second is that of both others.
    fn half_axes(&mut self, reader: &mut Reader<'_>) -> bool {
        let mut halves = reader.take(as_dimensions).unwrap_or_default();
        while halves.len() < 3 {
            let before = reader.at;
            let joined = halves.is_empty() || reader.take_joint() || is_by(reader);
            let Some(half) = reader.number().filter(|_| joined) else {
                reader.at = before;
                break;
            };
            halves.push(half);
            // "1 m, 0.5 m": in one unit.
            if reader.look(0, as_unit).is_some() && reader.sees(1, &Sense::Comma) {
                reader.skip();
            }
        }
        let unit = unit_factor(reader);
        let edge = |half: &f64| Some(half * 2.0 * unit);
        let (width, others) = match halves.as_slice() {
            [width, other] => (width, [other, other]),
            [width, height, depth] => (width, [height, depth]),
            _ => return false,
        };
        (self.width, self.height, self.depth) = (edge(width), edge(others[0]), edge(others[1]));
        true
    }

    fn stretch(&mut self, word: SizeWord, text: &str) {
        self.factors *= match word {
            SizeWord::Tiny => DVec3::splat(0.25),
            SizeWord::Small | SizeWord::Half => DVec3::splat(0.5),
            SizeWord::Medium => DVec3::ONE,
            SizeWord::Big => DVec3::splat(1.6),
            SizeWord::Double => DVec3::splat(2.0),
            SizeWord::Huge => DVec3::splat(3.0),
            SizeWord::Enormous => DVec3::splat(5.0),
            SizeWord::Tall => DVec3::new(1.0, 2.0, 1.0),
            SizeWord::Wide | SizeWord::Long => DVec3::new(2.0, 1.0, 1.0),
            SizeWord::Thin => DVec3::new(0.25, 1.0, 0.25),
            SizeWord::Thick => DVec3::new(1.6, 1.0, 1.6),
            SizeWord::Flat => DVec3::new(1.0, 0.2, 1.0),
        };
        self.words.push(text.to_owned());
    }

    /// Takes a size word ("small", "2x1x3", "2 m tall", "2 metre") if one comes next.
    pub(crate) fn adjective(&mut self, reader: &mut Reader<'_>) -> bool {
        if let Some(sides) = reader.take(as_dimensions) {
            return self.dimensions(reader, &sides);
        }
        if self.number_with_measure(reader) {
            return true;
        }
        let Some(token) = reader.peek() else { return false };
        let text = token.text.clone();
        match reader.take(as_size_word) {
            Some(word) => {
                self.stretch(word, &text);
                true
            }
            None => false,
        }
    }

    /// "2 m tall", "50 cm wide", "3 m" (the extent), "2 m in diameter", "12 m by 8 m".
    fn number_with_measure(&mut self, reader: &mut Reader<'_>) -> bool {
        let start = reader.at;
        if let Some(sides) = sides(reader) {
            return self.set_dimensions(&sides);
        }
        reader.at = start;
        let has_unit = reader.look(1, as_unit).is_some();
        if let Some(metres) = reader.length() {
            let in_start = reader.at;
            let _ = reader.glue(Glue::MadeOf) || reader.glue(Glue::In);
            if let Some(measure) = reader.take(as_measure) {
                if self.set(measure, metres) {
                    return true;
                }
            } else if has_unit {
                reader.at = in_start;
                return self.set(Measure::Size, metres);
            }
        }
        reader.at = start;
        false
    }

    /// "(a) radius (of) 2", "size 2x1x3", "2 m tall", "the size of the box" after a noun.
    pub(crate) fn modifier(&mut self, reader: &mut Reader<'_>) -> bool {
        let start = reader.at;
        let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::Its]);
        if let Some(measure) = reader.take(as_measure) {
            let _ = reader.any_glue(&[Glue::Of, Glue::To, Glue::Is]);
            if measure == Measure::HalfAxes {
                if self.half_axes(reader) {
                    return true;
                }
            } else if let Some(sides) = reader.take(as_dimensions) {
                if self.dimensions(reader, &sides) {
                    return true;
                }
            } else if let Some(metres) = reader.length()
                && self.set(measure, metres)
            {
                return true;
            } else if measure == Measure::Size
                && let Some(model) = phrase(reader)
            {
                self.like = Some(Like { factor: 1.0, model: Box::new(model), than: false });
                return true;
            }
        }
        reader.at = start;
        if let Some(sides) = reader.take(as_dimensions) {
            return self.dimensions(reader, &sides);
        }
        self.of_each(reader)
            || self.number_with_measure(reader)
            || self.like(reader)
            || self.compared(reader)
    }

    /// "1 m each", "each 20 cm wide", "each of them 1 m tall".
    fn of_each(&mut self, reader: &mut Reader<'_>) -> bool {
        let (start, before) = (reader.at, self.clone());
        skip_each(reader);
        let first = reader.at > start;
        let told = self.number_with_measure(reader);
        let measured = reader.at;
        if told && !first {
            skip_each(reader);
        }
        if told && (first || reader.at > measured) {
            return true;
        }
        *self = before;
        reader.at = start;
        false
    }

    /// "twice as big as the box", "half the size of it", "as big as the box", "the same size as".
    pub(crate) fn like(&mut self, reader: &mut Reader<'_>) -> bool {
        let start = reader.at;
        let factor = times(reader).unwrap_or(1.0);
        let sized = if reader.glue(Glue::As) {
            if reader.take(as_size_word).is_some() {
                self.words.extend(reader.previous().map(str::to_owned));
            }
            reader.glue(Glue::As)
        } else {
            let _ = reader.any_glue(&[Glue::The, Glue::Same]);
            reader.take(as_measure) == Some(Measure::Size)
                && reader.any_glue(&[Glue::Of, Glue::As]).is_some()
        };
        if sized && let Some(model) = phrase(reader) {
            self.like = Some(Like { factor, model: Box::new(model), than: false });
            return true;
        }
        reader.at = start;
        false
    }

    /// "twice its size", "half its height": of something new, by what was spoken of before it.
    pub(crate) fn like_its(&mut self, reader: &mut Reader<'_>) -> bool {
        let start = reader.at;
        let factor = times(reader);
        let measure = if reader.glue(Glue::Its) { reader.take(as_measure) } else { None };
        let (Some(factor), Some(Measure::Size | Measure::Height)) = (factor, measure) else {
            reader.at = start;
            return false;
        };
        if measure == Some(Measure::Height) {
            self.words.push("tall".to_owned());
        }
        let model = Box::new(Phrase::new(Determiner::It));
        self.like = Some(Like { factor, model, than: false });
        true
    }

    /// "a bit smaller than the box", of something new.
    fn compared(&mut self, reader: &mut Reader<'_>) -> bool {
        let start = reader.at;
        let step = match reader.take(as_degree) {
            Some(Degree::Slight) => 1.2,
            Some(Degree::Strong) => 2.0,
            None => 1.5,
        };
        if let Some(comparison) = reader.take(as_comparison)
            && reader.glue(Glue::Than)
            && let Some(model) = phrase(reader)
        {
            let factor = if is_less(comparison) { 1.0 / step } else { step };
            self.like = Some(Like { factor, model: Box::new(model), than: false });
            return true;
        }
        reader.at = start;
        false
    }
}

/// "12 metres by 8 metres", "4 by 4 by 2 cm": the edges in metres; numbers without a unit count things.
fn sides(reader: &mut Reader<'_>) -> Option<Vec<f64>> {
    let unit = |reader: &mut Reader<'_>| reader.take(|sense| metres(as_unit(sense)?));
    let mut sides = vec![(reader.number()?, unit(reader))];
    while reader.glue(Glue::By) || is_by(reader) {
        sides.push((reader.number()?, unit(reader)));
    }
    let (_, last) = *sides.last()?;
    let last = last.filter(|_| sides.len() > 1)?;
    Some(sides.into_iter().map(|(number, unit)| number * unit.unwrap_or(last)).collect())
}

/// The "x" of "4 m x 2 m".
fn is_by(reader: &mut Reader<'_>) -> bool {
    let by = reader.sees(0, &Sense::Unit(crate::language::words::vocabulary::Unit::Times))
        && reader.peek().is_some_and(|token| token.text == "x")
        && reader.look(1, |sense| matches!(sense, Sense::Number(_)).then_some(())).is_some();
    reader.at += usize::from(by);
    by
}

/// "each", "apiece" beside a measure: said of every one of several.
fn skip_each(reader: &mut Reader<'_>) {
    const EACH: [&str; 7] =
        ["each", "each one", "each of them", "every one", "apiece", "all of them", "a piece"];
    if reader.peek().is_some_and(|token| EACH.contains(&token.text.as_str())) {
        reader.skip();
        let one = reader.peek().is_some_and(|token| token.text == "one");
        reader.at += usize::from(one);
    }
}

/// "twice", "half", "3 times", "3x", "50 percent" as a factor.
pub(crate) fn times(reader: &mut Reader<'_>) -> Option<f64> {
    use crate::language::words::vocabulary::Unit;
    let start = reader.at;
    let factor = reader.take(|sense| match sense {
        Sense::Factor(factor) => Some(*factor),
        _ => None,
    });
    if factor.is_some() {
        return factor;
    }
    if let Some(number) = reader.number() {
        if reader.sees(0, &Sense::Unit(Unit::Times)) || reader.sees_glue(Glue::Times) {
            reader.skip();
            return Some(number);
        }
        if reader.sees(0, &Sense::Unit(Unit::Percent)) {
            reader.skip();
            return Some(number / 100.0);
        }
    }
    reader.at = start;
    None
}

fn unit_factor(reader: &mut Reader<'_>) -> f64 {
    reader.take(|sense| metres(as_unit(sense)?)).unwrap_or(1.0)
}

pub(crate) fn as_dimensions(sense: &Sense) -> Option<Vec<f64>> {
    match sense {
        Sense::Dimensions(sides) => Some(sides.clone()),
        _ => None,
    }
}

pub(crate) fn as_size_word(sense: &Sense) -> Option<SizeWord> {
    match sense {
        Sense::Size(word) => Some(*word),
        _ => None,
    }
}

pub(crate) fn as_measure(sense: &Sense) -> Option<Measure> {
    match sense {
        Sense::Measure(measure) => Some(*measure),
        _ => None,
    }
}
