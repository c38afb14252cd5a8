//! Fog made thicker and thinner.

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Quality};
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// How many times thicker "foggier" is.
const STEP: f64 = 1.8;

/// By how much a frame asks for thicker fog: more than 1 for "more fog", less for "less fog".
pub(super) fn thickening(frame: &Frame) -> Option<f64> {
    let of_fog = |phrase: &Phrase| matches!(phrase.head, Head::Scene("fog"));
    let is_of_fog = !frame.theme.is_empty() && frame.theme.iter().all(of_fog);
    let by = |more: bool, amount: Option<Amount>| {
        let factor = match amount {
            Some(Amount::Degree(degree)) => STEP.powf(degree),
            Some(Amount::Times(times) | Amount::Plain(times)) if times > 0.0 => times,
            Some(Amount::Percent(percent)) => 1.0 + percent.abs() / 100.0,
            _ => STEP,
        };
        if more { factor } else { factor.recip() }
    };
    let told = frame.qualities.iter().find_map(|quality| match quality {
        Quality::Compared { dimension, more, amount, than: None }
            if is_of_fog || *dimension == Dimension::Fog =>
        {
            Some(by(*more, *amount))
        }
        Quality::Scaled { factor, than: None, .. } if is_of_fog => Some(*factor),
        Quality::Size { factor, .. } if is_of_fog => Some(*factor),
        _ => None,
    });
    let named = || (frame.dimension == Some(Dimension::Fog)).then_some(frame.more?);
    told.or_else(|| named().map(|more| by(more, frame.amount)))
}

impl Planner<'_> {
    /// "less fog": one sees farther.
    pub(super) fn thicken_fog(&mut self, factor: f64) -> Done {
        let file = self.draft.scene().environment.to_json();
        match file["fog"]["visibility"].as_f64() {
            Some(visibility) => self.set_fog(Some(visibility / factor.clamp(0.05, 20.0))),
            None if factor > 1.0 => self.fog(&Frame::default()),
            None => Err(Stopped(Remark::Refused("There is no fog in the scene.".into()))),
        }
    }
}
