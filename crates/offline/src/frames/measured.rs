//! Of what a measure is said: of a thing, of the ring that several stand in, or of what comes with it.

use crate::chart::Node;

use super::units::usual_size;
use super::{Amount, Dimension, Head, Layout, Phrase, Quality};

/// How many times as large as usual a thing is at most whose ring has no measure of its own.
const MOST: f64 = 2.0;
/// How large a shape is by itself.
const SHAPE: f64 = 1.0;

/// "ten stones in a circle, 8 m across": what is said of a ring goes to it, so much larger is none of its things.
pub(super) fn give_to_ring(phrase: &mut Phrase) {
    let is_ring = matches!(phrase.pattern.layout, Some(Layout::Circle | Layout::Arc));
    if !is_ring || phrase.pattern.radius.is_some() {
        return;
    }
    let usual = usual_size(&phrase.head).map_or(SHAPE, |size| size.into_iter().fold(0.0, f64::max));
    let radius = |quality: &Quality| match quality {
        Quality::Measured { dimension, amount } => {
            let metres = amount.metres()?;
            let half = match dimension {
                Dimension::Radius => metres,
                Dimension::Diameter | Dimension::Width | Dimension::Size => 0.5 * metres,
                _ => return None,
            };
            (metres > MOST * usual).then_some(half)
        }
        _ => None,
    };
    if let Some(at) = phrase.qualities.iter().position(|quality| radius(quality).is_some()) {
        phrase.pattern.radius = radius(&phrase.qualities[at]);
        phrase.qualities.remove(at);
    }
}

/// "a plinth, 1 m tall, with a vase on it, 30 cm high": a measure that is said after what comes with a thing is that of the
/// latter where the thing has one already, or would be stranger with it.
pub(super) fn give_to_company(phrase: &mut Phrase, node: &Node) {
    let Some(companion) = phrase.with.last().filter(|last| last.qualities.is_empty()) else {
        return;
    };
    let begins = companion.tokens.0;
    let said_after = |dimension: Dimension| {
        let told =
            |quality: &&Node| quality.symbol("dim").and_then(Dimension::of) == Some(dimension);
        node.nodes("qs").filter(told).last().is_some_and(|quality| quality.from > begins)
    };
    let Some((at, dimension, amount)) =
        phrase.qualities.iter().enumerate().rev().find_map(|(at, quality)| match quality {
            Quality::Measured { dimension, amount } if said_after(*dimension) => {
                Some((at, *dimension, *amount))
            }
            _ => None,
        })
    else {
        return;
    };
    let has_own = phrase.qualities[..at].iter().any(
        |quality| matches!(quality, Quality::Measured { dimension: own, .. } if *own == dimension),
    );
    let far = |head: &Head| Some(strangeness(amount, dimension, usual_size(head)?));
    let fits_better = match (far(&phrase.head), far(&companion.head)) {
        (Some(own), Some(other)) => other + MOST.ln() < own,
        _ => false,
    };
    if has_own || fits_better {
        let quality = phrase.qualities.remove(at);
        if let Some(last) = phrase.with.last_mut() {
            last.qualities.push(quality);
        }
    }
}

/// How far a measure is from what is usual, in powers of e.
fn strangeness(amount: Amount, dimension: Dimension, [width, height, depth]: [f64; 3]) -> f64 {
    let usual = match dimension {
        Dimension::Height => height,
        Dimension::Width => width,
        Dimension::Depth => depth,
        _ => width.max(height).max(depth),
    };
    let metres = amount.metres().unwrap_or(usual);
    (metres.abs().max(1e-6) / usual.max(1e-6)).ln().abs()
}
