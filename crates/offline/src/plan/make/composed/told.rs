//! What a message tells of a composed thing: its measures, its openings, its steps.

use crate::frames::{Dimension, Frame, Head, Phrase, Place, Quality, Region, Relation, Usual};
use crate::resolve::singulars;
use crate::tokens::{Feature, lexicon};

use super::pieces::{Opening, Side};

/// Numbers up to this are cells of a maze, not metres.
const MAX_CELLS: f64 = 30.0;
/// A narrow passage is so wide.
const NARROW: f64 = 1.6;
/// How wide a way of a maze is.
const CELL: f64 = 2.0;
/// How high a step is, in metres, and how many there are.
const RISE: f64 = 0.18;
const STEPS: usize = 10;
/// More are not made.
const MAX_STEPS: usize = 100;

/// What is told of a composed thing, with what is usual for the rest.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// Width, height and depth.
    pub(super) edges: [f64; 3],
    /// Whether any of them was told.
    pub(super) sized: bool,
    pub(super) round: bool,
    pub(super) ceiling: bool,
    pub(super) openings: Vec<Opening>,
    pub(super) steps: usize,
    pub(super) rise: f64,
    pub(super) landing: bool,
    /// Columns and rows of a maze.
    pub(super) cells: (usize, usize),
}

/// A part that only composed things have, as the lexicon tells of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub(super) name: &'static str,
    wide: f64,
    high: f64,
}

/// A slot of the meanings of a word that has this slot.
fn slots_with(word: &str, wanted: &str) -> Option<Vec<(&'static str, Feature)>> {
    let forms = singulars(word);
    let mut entries = forms.iter().flat_map(|form| lexicon().find(form));
    let entry = entries.find(|entry| entry.slots.iter().any(|(slot, _)| *slot == wanted));
    entry.map(|entry| entry.slots.to_vec())
}

fn symbol(slots: &[(&'static str, Feature)], wanted: &str) -> Option<&'static str> {
    slots.iter().find_map(|(slot, feature)| match feature {
        Feature::Symbol(symbol) if *slot == wanted => Some(*symbol),
        _ => None,
    })
}

fn number(slots: &[(&'static str, Feature)], wanted: &str) -> Option<f64> {
    slots.iter().find_map(|(slot, feature)| match feature {
        Feature::Number(number) if *slot == wanted => Some(*number),
        _ => None,
    })
}

/// The part of a composed thing that a description names.
pub(super) fn part_of(phrase: &Phrase) -> Option<Part> {
    let slots = slots_with(&phrase.word, "own")?;
    let size = |slot: &str| number(&slots, slot).unwrap_or(f64::MAX);
    Some(Part { name: symbol(&slots, "own")?, wide: size("wide"), high: size("high") })
}

/// The kind that a noun is composed as, and how large that is.
fn form_of(phrase: &Phrase) -> Option<(&'static str, Usual)> {
    if let Head::Built(kind) = phrase.head {
        return Some((kind, phrase.usual?));
    }
    let slots = slots_with(&phrase.word, "built")?;
    let edges = [number(&slots, "wide")?, number(&slots, "high")?, number(&slots, "deep")?];
    Some((symbol(&slots, "built")?, Usual { edges, material: symbol(&slots, "of_material") }))
}

/// Whether a kind of composed things has such a part.
fn takes(kind: &str, part: &str) -> bool {
    match kind {
        "steps" => matches!(part, "step" | "rise" | "landing"),
        "room" | "rotunda" | "passage" => matches!(part, "opening" | "ceiling"),
        "wall" => part == "opening",
        _ => false,
    }
}

/// What is asked for, with what is composed as that: its parts are no things of their own, and a room that is given measures or
/// a doorway is no furnished one.
pub(in crate::plan::make) fn composed(frame: &Frame, has_room: bool) -> Vec<Phrase> {
    let mut whole: Vec<Phrase> = Vec::new();
    for phrase in &frame.theme {
        let owner = whole.last_mut().filter(|owner| {
            let Some((kind, _)) = form_of(owner) else { return false };
            let own = part_of(phrase).is_some_and(|part| takes(kind, part.name));
            let surface = matches!(phrase.head, Head::Scenery(_)) && phrase.at.is_empty();
            own || surface && matches!(kind, "room" | "rotunda" | "passage")
        });
        match owner {
            Some(owner) => owner.with.push(phrase.clone()),
            None => whole.push(phrase.clone()),
        }
    }
    for phrase in &mut whole {
        let Some((kind, usual)) = form_of(phrase) else { continue };
        let is_part =
            |company: &Phrase| part_of(company).is_some_and(|part| takes(kind, part.name));
        let has_parts = phrase.with.iter().any(is_part);
        let of_shape =
            phrase.extra.as_deref().is_some_and(|word| slots_with(word, "shape").is_some());
        let measured = phrase.qualities.iter().chain(&frame.qualities).any(is_measure);
        let is_composed = match phrase.head {
            Head::Built(_) => true,
            // Beside a plain room, "another room" is one, too.
            Head::Theme(_) => has_parts || of_shape || measured || has_room && kind == "room",
            Head::Scenery("wall") if is_around(frame, phrase) => false,
            Head::Scenery("wall") => has_parts || phrase.plural && !phrase.pattern.is_empty(),
            Head::Object { .. } => has_parts,
            _ => false,
        };
        if is_composed && !phrase.is_definite() {
            phrase.head = Head::Built(kind);
            phrase.usual = Some(usual);
            phrase.extra = phrase.extra.take().filter(|_| !of_shape);
        }
    }
    whole
}

/// Whether a description names a part of what another is composed as: "a staircase. Nine steps.".
pub(in crate::plan) fn names_part_of(owner: &Phrase, phrase: &Phrase) -> bool {
    form_of(owner)
        .zip(part_of(phrase))
        .is_some_and(|((kind, _), part)| takes(kind, part.name) && phrase.at.is_empty())
}

/// Whether what comes with a composed thing is a part of it.
pub(in crate::plan::make) fn is_own_part(owner: &Phrase, company: &Phrase) -> bool {
    let Head::Built(kind) = owner.head else { return false };
    matches!(company.head, Head::Scenery(_))
        || part_of(company).is_some_and(|part| takes(kind, part.name))
}

/// Whether things stand inside of a composed thing rather than beside it.
pub(in crate::plan::make) fn is_hollow(phrase: &Phrase) -> bool {
    matches!(phrase.head, Head::Built("room" | "rotunda" | "passage"))
}

/// Whether something goes around something else.
fn is_around(frame: &Frame, phrase: &Phrase) -> bool {
    let places = if phrase.at.is_empty() { &frame.places } else { &phrase.at };
    !frame.around.is_empty() || places.iter().any(goes_around)
}

/// Whether a place is all around something.
pub(super) fn goes_around(place: &Place) -> bool {
    matches!(place.relation, Some(Relation::Around | Relation::Rim))
        || place.relation.is_none() && place.region == Some(Region::Around)
}

fn is_measure(quality: &Quality) -> bool {
    matches!(quality, Quality::Measured { .. } | Quality::Measures(_))
}

/// What is told of a composed thing of a kind.
pub(super) fn told(phrase: &Phrase, kind: &str) -> Told {
    let usual = phrase.usual.map_or([4.0, 2.6, 4.0], |usual| usual.edges);
    let mut told = Told {
        edges: usual,
        sized: phrase.qualities.iter().any(is_measure),
        round: kind == "rotunda" || phrase.qualities.contains(&Quality::Form("round")),
        ceiling: false,
        openings: Vec::new(),
        steps: STEPS,
        rise: RISE,
        landing: false,
        cells: (8, 8),
    };
    for quality in &phrase.qualities {
        told.take(quality, kind);
    }
    if told.round {
        told.edges[2] = told.edges[0];
    }
    if kind == "passage" && !told.sized {
        told.edges[0] = told.edges[0].max(NARROW);
    }
    for company in &phrase.with {
        if let Some(part) = part_of(company).filter(|part| takes(kind, part.name)) {
            told.take_part(company, part);
        }
    }
    if kind == "maze" {
        told.take_cells(&phrase.pattern);
    }
    told
}

/// The length that is told of a part: of a ceiling its height, of a step its rise.
fn length_of(phrase: &Phrase) -> Option<f64> {
    phrase.qualities.iter().find_map(|quality| match quality {
        Quality::Measured { amount, .. } => amount.metres(),
        _ => None,
    })
}

impl Told {
    fn take(&mut self, quality: &Quality, kind: &str) {
        let [wide, high, deep] = &mut self.edges;
        match quality {
            Quality::Measures([x, y, z]) => {
                // Of a passage the longer side leads away.
                let (across, along) =
                    if kind == "passage" { (x.min(*z), x.max(*z)) } else { (*x, *z) };
                (*wide, *deep) = (across, along);
                *high = if *y > 0.0 { *y } else { *high };
            }
            Quality::Measured { dimension, amount } => {
                let Some(metres) = amount.metres().filter(|metres| *metres > 0.0) else { return };
                match dimension {
                    Dimension::Height => *high = metres,
                    Dimension::Diameter => (*wide, *deep) = (metres, metres),
                    Dimension::Width if self.round => (*wide, *deep) = (metres, metres),
                    Dimension::Width => *wide = metres,
                    Dimension::Thickness | Dimension::Depth => *deep = metres,
                    Dimension::Length if kind == "wall" => *wide = metres,
                    Dimension::Length => *deep = metres,
                    Dimension::Size if matches!(kind, "passage") => *deep = metres,
                    Dimension::Size if kind == "wall" => *wide = metres,
                    Dimension::Size => (*wide, *deep) = (metres, metres),
                    _ => {}
                }
            }
            Quality::Size { dimension, factor } => match dimension {
                Dimension::Height => *high *= factor,
                Dimension::Width | Dimension::Thickness => *wide *= factor,
                Dimension::Length | Dimension::Depth => *deep *= factor,
                _ => (*wide, *deep) = (*wide * factor, *deep * factor),
            },
            _ => {}
        }
    }

    fn take_part(&mut self, company: &Phrase, part: Part) {
        let count = company.number().clamp(1, 8);
        match part.name {
            "ceiling" => match length_of(company) {
                Some(high) => self.edges[1] = high,
                None => self.ceiling = true,
            },
            "rise" => self.rise = length_of(company).unwrap_or(self.rise),
            "step" => {
                self.steps = company.number().clamp(1, MAX_STEPS);
                self.rise = length_of(company).unwrap_or(self.rise);
            }
            "landing" => self.landing = true,
            _ => {
                let wide = length_of(company).unwrap_or(part.wide);
                let side = self.side_of(company);
                let opening = Opening { wide, high: part.high, side };
                self.openings.extend(std::iter::repeat_n(opening, count));
            }
        }
    }

    /// In which wall an opening is: "on the short wall", "in the left wall".
    fn side_of(&self, company: &Phrase) -> Side {
        let mut targets = company.at.iter().filter_map(|place| place.target.as_deref());
        let Some(wall) = targets.next() else { return Side::Back };
        let [wide, _, deep] = self.edges;
        let is_short = wall.superlative == Some("short")
            || wall
                .qualities
                .iter()
                .any(|quality| matches!(quality, Quality::Size { factor, .. } if *factor < 1.0));
        match wall.superlative {
            Some("leftmost" | "left") => Side::Left,
            Some("rightmost" | "right") => Side::Right,
            _ if is_short && wide > deep => Side::Right,
            _ => Side::Back,
        }
    }

    /// "8 by 8" are cells, "20 m by 20 m" their whole.
    fn take_cells(&mut self, pattern: &crate::frames::Pattern) {
        let [wide, _, deep] = self.edges;
        let cells = |metres: f64| (metres / CELL).round().clamp(2.0, 24.0) as usize;
        let is_count = |number: f64| number <= MAX_CELLS && number.fract() == 0.0;
        self.cells = match (pattern.columns, pattern.rows) {
            (Some(columns), Some(rows)) => (columns.clamp(2, 24), rows.clamp(2, 24)),
            _ if self.sized && is_count(wide) && is_count(deep) => {
                ((wide as usize).clamp(2, 24), (deep as usize).clamp(2, 24))
            }
            _ => (cells(wide), cells(deep)),
        };
        let is_whole = self.sized && !(is_count(wide) && is_count(deep));
        if !is_whole {
            self.edges[0] = CELL * self.cells.0 as f64;
            self.edges[2] = CELL * self.cells.1 as f64;
        }
    }
}

/// What goes around things as a fence does: its height and thickness, whether it is of posts and rails, and the color or material it
/// has where none is told.
#[derive(Debug, Clone, Copy)]
pub(in crate::plan::make) struct Barrier {
    pub(in crate::plan::make) high: f64,
    pub(in crate::plan::make) thick: f64,
    pub(in crate::plan::make) rails: bool,
    pub(in crate::plan::make) material: Option<&'static str>,
    pub(in crate::plan::make) colour: Option<&'static str>,
}

/// What the lexicon tells of a fence, a hedge, a wall, with the measures that are told.
pub(in crate::plan::make) fn barrier(phrase: &Phrase) -> Option<Barrier> {
    let slots = slots_with(&phrase.word, "barrier")?;
    let mut barrier = Barrier {
        high: number(&slots, "high")?,
        thick: number(&slots, "thick")?,
        rails: symbol(&slots, "barrier") == Some("rails"),
        material: symbol(&slots, "of_material"),
        colour: symbol(&slots, "in_colour"),
    };
    for quality in &phrase.qualities {
        match quality {
            Quality::Measured { dimension: Dimension::Thickness, amount } => {
                barrier.thick = amount.metres().unwrap_or(barrier.thick);
            }
            Quality::Measured { dimension: Dimension::Height | Dimension::Size, amount } => {
                barrier.high = amount.metres().unwrap_or(barrier.high);
            }
            Quality::Size { dimension: Dimension::Height | Dimension::Size, factor } => {
                barrier.high *= factor;
            }
            _ => {}
        }
    }
    Some(barrier)
}

/// The ways through a fence: its gates and gaps.
pub(super) fn ways_through(phrase: &Phrase) -> Vec<Opening> {
    let openings = phrase.with.iter().filter_map(|company| {
        let part = part_of(company).filter(|part| part.name == "opening")?;
        let wide = length_of(company).unwrap_or(part.wide);
        let opening = Opening { wide, high: part.high, side: Side::Back };
        Some(std::iter::repeat_n(opening, company.number().clamp(1, 8)))
    });
    openings.flatten().collect()
}

/// Whether something is a way through a wall or a fence.
pub(in crate::plan::make) fn is_way_through(phrase: &Phrase) -> bool {
    part_of(phrase).is_some_and(|part| part.name == "opening")
}
