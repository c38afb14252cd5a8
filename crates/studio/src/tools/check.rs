//! `check_scene`: likely mistakes, from geometry, rays and a tiny picture.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::{Assets, Revision, Scene};
use serde_json::{Value, json};
use spatial::{ASPECT, Body, Finding, Findings, Sight, Space, View, check_unseen, points_to_see};
use tracer::{Meshes, World};

use crate::render::Renderer;
use crate::shared::SharedScene;
use crate::tools::lamps::lights_that_reach_nothing;
use crate::tools::light::light;

/// `check_scene`.
pub(super) struct CheckScene {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
}

/// The most findings in one result; fixing these usually fixes others.
const MAX_FINDINGS: usize = 15;

#[async_trait]
impl Tool for CheckScene {
    fn name(&self) -> &str {
        "check_scene"
    }

    fn description(&self) -> &str {
        "Hints at what may be wrong, with fixes: overlaps, floating, hidden, out of view, sizes, light. What is \
         meant so: updates.intentional [check]."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object", "properties": {} }).into()
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        if let Some(name) = args.as_object().and_then(|args| args.keys().next()) {
            return ToolOutput::failure(format!("check_scene takes no arguments, got '{name}'"));
        }
        let (revision, assets) = self.scene.with_assets();
        let client = self.scene.render_client();
        let meshes = self.renderer.meshes(&revision.scene, client).await;
        let work = move |_: &_| report(&revision, &*assets, &meshes);
        match self.renderer.brief(client, work).await {
            Ok(report) => ToolOutput::success(report),
            Err(error) => ToolOutput::failure(error.to_string()),
        }
    }
}

fn report(revision: &Revision, assets: &dyn Assets, meshes: &Meshes) -> Value {
    let findings = findings(&revision.scene, assets, meshes);
    let told: Vec<Value> =
        of_each_kind(&findings.found).take(MAX_FINDINGS).map(Finding::to_json).collect();
    let mut report = json!({ "ok": told.is_empty(), "findings": told });
    if findings.found.len() > MAX_FINDINGS {
        report["more"] = (findings.found.len() - MAX_FINDINGS).into();
    }
    if findings.silenced > 0 {
        report["intentional"] = findings.silenced.into();
    }
    report
}

/// The first finding of each kind, then the second of each, and so on: many of one kind leave room for the others.
fn of_each_kind(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut ranked: Vec<(usize, &Finding)> = findings
        .iter()
        .map(|finding| {
            let count = counts.entry(finding.check).or_default();
            *count += 1;
            (*count, finding)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, finding)| finding)
}

/// All findings of `scene`; `assets` knows the bounds of its meshes, and `meshes` holds the ones that
/// can be traced. Runs on the current rayon pool.
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
    let mut sight = |body: &Body<'_>| {
        // Objects that cannot be traced have no findings.
        if !known.contains(body.id) {
            return Sight::Seen;
        }
        let mut covers: BTreeMap<&str, usize> = BTreeMap::new();
        for point in points_to_see(&body.solid, eye) {
            let is_clear = |id: &scene::Id| id.as_str() != body.id && glass.contains(id.as_str());
            match world.first_towards(eye.to_array(), point.to_array(), is_clear) {
                Some(id) if id.as_str() == body.id => return Sight::Seen,
                Some(id) => *covers.entry(id.as_str()).or_default() += 1,
                None => {}
            }
        }
        let by = covers.into_iter().max_by_key(|(_, count)| *count);
        Sight::Hidden { by: by.map(|(id, _)| id.to_owned()) }
    };
    // One of them runs on one thread, the other on all others.
    let (mut findings, light) = rayon::join(
        || check_unseen(&space, &seen(&world), &mut sight),
        || (light(&space, &world), lights_that_reach_nothing(scene, &world)),
    );
    findings.found.extend(light.1.found);
    findings.silenced += light.1.silenced;
    if let Some((kind, finding)) = light.0 {
        match scene.shapes.iter().any(|shape| shape.intentional.contains(kind)) {
            true => findings.silenced += 1,
            false => findings.found.push(finding),
        }
    }
    findings
}

/// The objects that a grid of rays through the picture hits first.
fn seen(world: &World) -> HashSet<&str> {
    /// Rays per row and per column.
    const GRID: [u16; 2] = [32, 24];
    let middle = |at: u16, count: u16| (f32::from(at) + 0.5) / f32::from(count);
    let rays = (0..GRID[0]).flat_map(|x| (0..GRID[1]).map(move |y| (x, y)));
    let met =
        rays.filter_map(|(x, y)| world.pick(middle(x, GRID[0]), middle(y, GRID[1]), ASPECT as f32));
    let ids: HashSet<scene::Id> = met.map(|picked| picked.id).collect();
    world
        .objects()
        .map(|(id, _)| id)
        .filter(|id| ids.contains(*id))
        .map(scene::Id::as_str)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_findings_of_a_kind_leave_room_for_the_others() {
        let finding = |check, message: &str| Finding {
            check,
            ids: Vec::new(),
            message: message.to_owned(),
            fix: None,
        };
        let findings = [
            finding("overlap", "1"),
            finding("overlap", "2"),
            finding("overlap", "3"),
            finding("floating", "4"),
            finding("dark", "5"),
            finding("floating", "6"),
        ];
        let order: Vec<&str> = of_each_kind(&findings).map(|one| one.message.as_str()).collect();
        assert_eq!(order, ["1", "4", "5", "2", "6", "3"]);
    }
}
