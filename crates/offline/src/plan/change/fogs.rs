//! Fog made thicker and thinner.

use glam::DVec3;
use serde_json::{Map, Value, json};

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Quality, Region, Relation};
use crate::plan::layout::spot::ground_of;
use crate::plan::new_fog::{NewFog, Top};
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

/// How high fog lies that is low, as a share of the highest thing, and at least and at most, in metres.
const LOW: f64 = 0.3;
const LOWEST: f64 = 0.12;
/// It is seen where it is at least as high as so much of the distance of the camera.
const SEEN: f64 = 0.03;
const HIGHEST: f64 = 2.5;
/// How much thicker it is than fog that is everywhere.
const DENSER: f64 = 2.5;

/// How low the fog of a description lies: "fog that's low", "mist over the water", "a metre of fog".
fn top_of(phrase: &Phrase) -> Option<Top> {
    let told = phrase.qualities.iter().find_map(|quality| match quality {
        Quality::Size { dimension: Dimension::Height, factor } if *factor < 1.0 => Some(Top::Low),
        Quality::Measured { amount, .. } => amount.metres().map(Top::Metres),
        _ => None,
    });
    let lies = phrase.at.iter().chain(&phrase.places).any(|place| {
        let on = [Some(Relation::On), Some(Relation::Above)];
        on.contains(&place.relation) || place.region == Some(Region::Ground)
    });
    told.or_else(|| lies.then_some(Top::Low))
}

impl Planner<'_> {
    /// "add fog": so that one sees a few times as far as to what the camera looks at.
    pub(crate) fn fog(&mut self, frame: &Frame) -> Done {
        let percent = frame.fog.unwrap_or(40.0);
        if percent <= 0.0 {
            return self.set_fog(None);
        }
        let stronger = match frame.amount {
            Some(Amount::Degree(degree)) => degree,
            _ => 1.0,
        };
        let height = frame.view.height.and_then(Amount::metres).map(Top::Metres);
        let top = height.or_else(|| frame.is_low.then_some(Top::Low));
        self.make_fog(percent / 10.0 / stronger.max(0.2), top)
    }

    /// Fog as a thing that is wished: "thick fog over the water".
    pub(in crate::plan) fn fog_of(&mut self, phrase: &Phrase) -> Done {
        let thick = phrase.qualities.iter().find_map(|quality| match quality {
            Quality::Size { dimension: Dimension::Height, .. } => None,
            Quality::Size { factor, .. } => Some(*factor),
            Quality::Tone("soft" | "dim") => Some(0.5),
            Quality::Tone("hard" | "bright") => Some(1.6),
            _ => None,
        });
        self.make_fog(4.0 / thick.unwrap_or(1.0).clamp(0.2, 4.0), top_of(phrase))
    }

    fn make_fog(&mut self, reach: f64, top: Option<Top>) -> Done {
        self.new_fog = Some(NewFog { reach, top });
        self.see_through_fog();
        Ok(())
    }

    /// Makes new fog as thick as the distance of the camera asks for, which may have moved since.
    pub(in crate::plan) fn see_through_fog(&mut self) {
        let Some(NewFog { reach, top }) = self.new_fog else { return };
        let camera = &self.draft.scene().camera;
        let distance = DVec3::from(camera.center.get()).distance(camera.look_at.get().into());
        let denser = if top.is_some() { DENSER } else { 1.0 };
        let mut fog = json!({ "visibility": distance * reach / denser });
        if let Some(top) = top {
            let state = self.state();
            let world = state.world();
            let ground = ground_of(world);
            let highest = world.contents().map(|thing| thing.extent.max.y).fold(ground, f64::max);
            let above = match top {
                Top::Metres(metres) => metres,
                Top::Low => {
                    let least = (SEEN * distance).clamp(LOWEST, HIGHEST);
                    (LOW * (highest - ground)).clamp(least, HIGHEST)
                }
            };
            fog["height"] = json!(ground + above);
        }
        // Fog that cannot be set stays as it was.
        let _ = self.put_fog(fog);
    }

    pub(crate) fn set_fog(&mut self, visibility: Option<f64>) -> Done {
        let old = self.draft.scene().environment.to_json()["fog"].clone();
        self.put_fog(match (visibility, old) {
            (Some(metres), Value::Object(mut fog)) => {
                fog.insert("visibility".into(), json!(metres));
                Value::Object(fog)
            }
            (Some(metres), _) => json!({ "visibility": metres }),
            (None, _) => Value::Null,
        })
    }

    fn put_fog(&mut self, fog: Value) -> Done {
        let mut file = match self.draft.scene().environment.to_json() {
            Value::Object(file) => file,
            _ => Map::new(),
        };
        file.insert("fog".into(), fog);
        self.set_environment(&Value::Object(file))
    }

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
