//! `check_scene`: likely mistakes, from geometry, rays and a tiny picture.

use std::collections::HashSet;
use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::{Assets, Environment, Revision, Scene};
use serde_json::{Value, json};
use spatial::{Finding, Findings, Space, View, check, points_to_see};
use tracer::{Draft, Meshes, RenderSettings, World, render_draft};

use crate::render::Renderer;
use crate::shared::SharedScene;

/// `check_scene`.
pub(super) struct CheckScene {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
}

/// The most findings told at once; mending these usually mends others.
const MOST_FINDINGS: usize = 15;

#[async_trait]
impl Tool for CheckScene {
    fn name(&self) -> &str {
        "check_scene"
    }

    fn description(&self) -> &str {
        "Finds overlaps, floating, hidden or out-of-view things, absurd sizes, bad light, each with a \
         fix. Call it before you finish. What is meant so: update_shape with updates.intentional."
    }

    fn parameters(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        if let Some(name) = args.as_object().and_then(|args| args.keys().next()) {
            return ToolOutput::failure(format!("check_scene takes no arguments, got '{name}'"));
        }
        let (revision, assets) = self.scene.with_assets();
        let meshes = self.renderer.meshes(&revision.scene).await;
        let work = move |_: &_| report(&revision, &*assets, &meshes);
        match self.renderer.interactive(work).await {
            Ok(report) => ToolOutput::success(report),
            Err(fault) => ToolOutput::failure(fault.to_string()),
        }
    }
}

fn report(revision: &Revision, assets: &dyn Assets, meshes: &Meshes) -> Value {
    let findings = findings(&revision.scene, assets, meshes);
    let told: Vec<Value> =
        findings.found.iter().take(MOST_FINDINGS).map(Finding::to_json).collect();
    let mut report = json!({ "ok": told.is_empty(), "findings": told });
    if findings.found.len() > MOST_FINDINGS {
        report["more"] = (findings.found.len() - MOST_FINDINGS).into();
    }
    if findings.silenced > 0 {
        report["intentional"] = findings.silenced.into();
    }
    report
}

/// Everything that is likely wrong with `scene`, whose meshes are `assets` and, as far as the tracer
/// has them, `meshes`. Runs on the rayon pool it is called in.
pub fn findings(scene: &Scene, assets: &dyn Assets, meshes: &Meshes) -> Findings {
    let space = Space::of(scene, assets);
    let world = World::build_with(scene, meshes);
    let eye = View::of(&scene.camera).center();
    let glass: HashSet<&str> = scene
        .shapes
        .iter()
        .filter(|shape| shape.material.is_clear())
        .map(|shape| shape.id.as_str())
        .collect();
    let known: HashSet<_> = world.objects().map(|(id, _)| id.as_str()).collect();
    let mut is_seen = |body: &spatial::Body<'_>| {
        // What the tracer does not have it cannot see: nothing is said of it.
        !known.contains(body.id)
            || points_to_see(&body.solid, eye).any(|point| {
                let is_clear =
                    |id: &scene::Id| id.as_str() != body.id && glass.contains(id.as_str());
                world
                    .first_towards(eye.to_array(), point.to_array(), is_clear)
                    .is_some_and(|id| id.as_str() == body.id)
            })
    };
    let mut findings = check(&space, &mut is_seen);
    findings.found.extend(light(scene, &world));
    findings
}

/// Pixels of the picture the light is judged by.
const GLANCE: [u32; 2] = [40, 30];
/// Luminance below which a pixel shows nothing, and above which it shows nothing but white.
const DARK: f32 = 0.01;
const BURNT: f32 = 4.0;
/// Shares of the picture that may be dark and burnt out.
const MOST_DARK: f64 = 0.97;
const MOST_BURNT: f64 = 0.5;

/// What is wrong with the light, from a picture of one sample a pixel.
fn light(scene: &Scene, world: &World) -> Option<Finding> {
    if scene.shapes.is_empty() {
        return None;
    }
    let fine = Draft { block: 1, ..Draft::default() };
    let picture = render_draft(world, &RenderSettings::default(), fine, GLANCE, &|| false)?;
    let luminance = |[red, green, blue]: &[f32; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let mut levels: Vec<f32> = picture.pixels.iter().map(luminance).collect();
    levels.sort_unstable_by(f32::total_cmp);
    let share = |count: usize| count as f64 / levels.len() as f64;
    let dark = share(levels.partition_point(|level| *level < DARK));
    let burnt = share(levels.len() - levels.partition_point(|level| *level < BURNT));
    let finding = |check, message: String, fix| Finding { check, ids: Vec::new(), message, fix };
    if dark > MOST_DARK {
        let has_light =
            !scene.lights.is_empty() || !matches!(scene.environment, Environment::Darkness(_));
        let message = if has_light {
            "the picture is all but black: the lights are too weak, shine away, or are blocked"
        } else {
            "the picture is black: there is no light"
        };
        let fix = json!({ "name": "set_environment_lighting", "args": { "type": "gradient" } });
        return Some(finding("dark", message.into(), Some(fix)));
    }
    if burnt > MOST_BURNT {
        let middle = levels[levels.len() / 2];
        let message = format!(
            "{:.0} % of the picture is burnt out: divide what lights and environment emit by about {:.0}",
            100.0 * burnt,
            (middle / 0.5).max(2.0)
        );
        return Some(finding("burnt_out", message, None));
    }
    None
}
