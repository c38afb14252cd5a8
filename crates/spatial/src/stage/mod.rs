//! The stage: ground, key and fill light, a plain backdrop and a three-quarter camera that a scene gets with
//! its first object. They are ordinary things of the document, in the group [`STAGE`].
//!
//! Nothing but the document says what belongs to the stage: all its parts are functions of one [`Setting`], a studio
//! or a lawn, and one [`Fit`], the point the camera looks at and the size of the picture there. A part that no longer is what the fit of the
//! others makes of it was changed by somebody and is theirs from then on.

mod edits;
mod fit;
mod ground;
mod own;
mod parts;
mod setting;

use scene::{Camera, Edit, Environment, Id, LightSource, Objects, Scene, Violations, properties};

use crate::plan::{Plan, Planned};
use crate::space::{Body, Space};
use crate::view::View;

use edits::camera_edit;
use fit::{Fit, fit_around};
use ground::takes_place_of_ground;
pub use own::STAGE;
use own::{is_staged, own};
use parts::{FILL, GROUND, KEY, fill, ground, key};
use setting::Setting;

properties! {
    /// Arguments of `stage`.
    pub struct Stage {
        /// True adds what is missing of it, false takes away what nobody changed. Left out, it is added where
        /// scenes get one by themselves.
        pub on: Option<bool> = None,
    }
}

impl Planned for Stage {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let edits = match self.on.unwrap_or(true) {
            true => added(space),
            // The picture stays as it is framed.
            false => removed(space, &Owned { camera: false, ..Owned::of(space) }),
        };
        Ok(Plan { edits, ..Plan::default() })
    }
}

/// Whether [`stage_edits`] has anything to do after `scene`, without looking at where things are.
pub fn concerns_stage(scene: &Scene, rule: StageRule) -> bool {
    let has_part =
        scene.shape(GROUND).is_some() || [KEY, FILL].iter().any(|id| scene.light(id).is_some());
    has_part || rule.begins && scene.shapes.is_empty()
}

/// The share of a thing that has to be in the picture for it to be seen there.
const SEEN: f64 = 0.5;

/// What an edit may do to the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageRule {
    /// It comes with the first object of an empty scene.
    pub begins: bool,
    /// Somebody edits by hand, who keeps their picture while what they add is seen in it, and whose lights come to
    /// those that are there.
    pub by_hand: bool,
}

/// The edits that keep the stage true after the scene changed from `before` to `after`: it comes with the
/// first object, fits what is added, gives way part by part to ground, lights, backdrop and camera of
/// somebody's own, and goes with the last object.
pub fn stage_edits(before: &Space<'_>, after: &Space<'_>, rule: StageRule) -> Vec<Edit> {
    let was_empty = before.scene.shapes.is_empty();
    if was_empty {
        return if rule.begins { added(after) } else { Vec::new() };
    }
    let owned = Owned::of(before).unchanged(before, after);
    if owned.count() == 0 {
        return Vec::new();
    }
    if !after.shapes().any(|(_, body)| !is_staged(body)) {
        return removed(after, &owned);
    }
    let (removes, keeps) = owned.giving_way(before, after, rule);
    let mut edits = removed(after, &removes);
    let new_fit = fit_around(after).filter(|fit| {
        let may_move = !rule.by_hand || has_unseen_newcomer(before, after);
        may_move && keeps.fit.is_none_or(|old| !old.shows(fit))
    });
    // Whoever edits by hand keeps the surroundings, too.
    let setting = if rule.by_hand { keeps.setting } else { Setting::of(after) };
    let is_other = setting != keeps.setting;
    let old_fit = keeps
        .fit
        .filter(|_| is_other)
        .map(|fit| parts::whole_fit(&fit, after.scene, keeps.setting));
    if let Some(fit) = new_fit.or(old_fit) {
        edits.extend(keeps.refitted(&fit, setting, after.scene));
    }
    if is_other && keeps.backdrop {
        edits.extend(backdrop_edit(setting));
    }
    edits
}

/// The parts that nobody set up yet.
fn added(space: &Space<'_>) -> Vec<Edit> {
    let Some(fit) = fit_around(space) else { return Vec::new() };
    let scene = space.scene;
    let has_ground = scene.shape(GROUND).is_some() || own_grounds(space).next().is_some();
    let is_plain = scene.environment == Environment::default();
    let is_behind = is_plain
        || matches!(scene.environment, Environment::Darkness(_))
        || Setting::of_backdrop(&scene.environment).is_some();
    let setting = Setting::of(space);
    let has_light = own_lights(space) > 0 || !is_behind;
    let mut objects = Objects::default();
    if !has_ground {
        objects.shapes.extend(ground(&fit, setting));
    }
    if !has_light {
        objects.lights.extend(key(&fit, setting));
        objects.lights.extend(fill(&fit, setting));
    }
    let mut edits = vec![Edit::Put(objects)];
    if is_plain && !has_light {
        edits.extend(backdrop_edit(setting));
    }
    if scene.camera == Camera::default() {
        edits.extend(fit.camera_edit());
    }
    edits
}

/// Takes parts away. Camera and backdrop go back to those of an empty scene.
fn removed(space: &Space<'_>, owned: &Owned) -> Vec<Edit> {
    let scene = space.scene;
    let mut edits = Vec::new();
    let is_there = |id: &str| scene.shape(id).is_some() || scene.light(id).is_some();
    let id = |name: &str| Id::new(name).filter(|_| is_there(name));
    if owned.ground {
        edits.extend(id(GROUND).map(Edit::RemoveShape));
    }
    for (is_owned, name) in [(owned.key, KEY), (owned.fill, FILL)] {
        edits.extend(id(name).filter(|_| is_owned).map(Edit::RemoveLight));
    }
    if owned.backdrop {
        let environment = Environment::default();
        edits.push(Edit::SetEnvironment { environment, keeps_fog: true });
    }
    if owned.camera {
        edits.extend(camera_edit(&Camera::default()));
    }
    edits
}

fn backdrop_edit(setting: Setting) -> Option<Edit> {
    setting.backdrop().map(|environment| Edit::SetEnvironment { environment, keeps_fog: true })
}

/// The parts of the stage that are as it made them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Owned {
    setting: Setting,
    /// The fit of the parts; `None` where too few are left to tell.
    fit: Option<Fit>,
    ground: bool,
    key: bool,
    fill: bool,
    camera: bool,
    backdrop: bool,
}

impl Owned {
    fn of(space: &Space<'_>) -> Self {
        // Only the camera is the same in each.
        let [studio, outdoors] = Setting::ALL.map(|setting| Self::in_setting(space, setting));
        if outdoors.count() > studio.count() { outdoors } else { studio }
    }

    fn in_setting(space: &Space<'_>, setting: Setting) -> Self {
        let scene = space.scene;
        let ground = scene.shape(GROUND).and_then(|shape| parts::ground_of(shape, setting));
        let key = scene.light(KEY).and_then(|light| parts::key_of(light, setting));
        let fill = scene.light(FILL).and_then(|light| parts::fill_of(light, setting));
        let camera = Fit::of_camera(&scene.camera);
        let votes = |fit: &Fit| {
            [
                ground.is_some_and(|ground| fit.agrees_on_ground(&ground)),
                key.is_some_and(|other| fit.agrees(&other)),
                fill.is_some_and(|other| fit.agrees(&other)),
                camera.is_some_and(|other| fit.agrees(&other)),
            ]
        };
        let count = |fit: &Fit| votes(fit).into_iter().filter(|vote| *vote).count();
        let most = [key, fill, camera].into_iter().flatten().max_by_key(|fit| count(fit));
        let backdrop = Some(&scene.environment) == setting.backdrop().as_ref()
            && (ground.is_some() || key.is_some() || fill.is_some());
        match most.filter(|fit| count(fit) >= 2) {
            Some(fit) => {
                let [ground, key, fill, camera] = votes(&fit);
                Self { setting, fit: Some(fit), ground, key, fill, camera, backdrop }
            }
            // The last part has nothing to differ from.
            None => Self {
                setting,
                fit: None,
                ground: ground.is_some() && key.is_none() && fill.is_none(),
                key: key.is_some() && ground.is_none() && fill.is_none(),
                fill: fill.is_some() && ground.is_none() && key.is_none(),
                camera: false,
                backdrop,
            },
        }
    }

    fn count(&self) -> usize {
        let parts = [self.ground, self.key, self.fill, self.camera, self.backdrop];
        parts.into_iter().filter(|part| *part).count()
    }

    /// The parts that an edit left as they were.
    fn unchanged(self, before: &Space<'_>, after: &Space<'_>) -> Self {
        let (old, new) = (before.scene, after.scene);
        Self {
            ground: self.ground && old.shape(GROUND) == new.shape(GROUND),
            key: self.key && old.light(KEY) == new.light(KEY),
            fill: self.fill && old.light(FILL) == new.light(FILL),
            camera: self.camera && old.camera == new.camera,
            backdrop: self.backdrop && old.environment == new.environment,
            ..self
        }
    }

    /// The parts that somebody's own replace, and those that stay.
    fn giving_way(self, before: &Space<'_>, after: &Space<'_>, rule: StageRule) -> (Self, Self) {
        let count = |space: &Space<'_>| own_grounds(space).count();
        let ground = count(after) > count(before);
        let is_lit = before.scene.environment != after.scene.environment
            && is_lighting(&after.scene.environment);
        let has_own = !rule.by_hand && own_lights(after) > own_lights(before);
        let light = has_own || is_lit;
        let removes = Self {
            setting: self.setting,
            fit: self.fit,
            ground: self.ground && ground,
            key: self.key && light,
            fill: self.fill && light,
            camera: false,
            backdrop: false,
        };
        let keeps = Self {
            ground: self.ground && !ground,
            key: self.key && !light,
            fill: self.fill && !light,
            ..self
        };
        (removes, keeps)
    }

    /// The parts as another fit makes them in a setting. Lights stay as visible as they are.
    fn refitted(self, fit: &Fit, setting: Setting, scene: &Scene) -> Vec<Edit> {
        if self.fit.is_none() {
            return Vec::new();
        }
        let objects = Objects {
            shapes: self.ground.then(|| ground(fit, setting)).flatten().into_iter().collect(),
            lights: [self.key.then(|| key(fit, setting)), self.fill.then(|| fill(fit, setting))]
                .into_iter()
                .flatten()
                .flatten()
                .map(|light| parts::as_visible_as(light, scene))
                .collect(),
            ..Objects::default()
        };
        let camera = self.camera.then(|| fit.camera_edit()).flatten();
        [Edit::Put(objects)].into_iter().chain(camera).collect()
    }
}

/// The lights that somebody set up. In darkness what glows is one: a neon sign, a lit ceiling.
fn own_lights(space: &Space<'_>) -> usize {
    let is_staged =
        |light: &LightSource| light.group.as_ref().is_some_and(|group| group.as_str() == STAGE);
    let lights = space.scene.lights.iter().filter(|light| !is_staged(light)).count();
    let is_dark = matches!(space.scene.environment, Environment::Darkness(_));
    let glows = |body: &&Body<'_>| body.shape().is_some_and(|shape| shape.material.glows());
    lights + if is_dark { own(space).filter(glows).count() } else { 0 }
}

/// A sky and an image light a scene on purpose; plain colors and black are only what lies behind.
fn is_lighting(environment: &Environment) -> bool {
    matches!(environment, Environment::Sky(_) | Environment::ImageEnvironment(_))
}

fn own_grounds<'a, 'b>(space: &'b Space<'a>) -> impl Iterator<Item = &'b Body<'a>> {
    own(space).filter(|body| takes_place_of_ground(space, body))
}

/// Whether something came of which the picture shows too little.
fn has_unseen_newcomer(before: &Space<'_>, after: &Space<'_>) -> bool {
    let view = View::of(&after.scene.camera);
    own(after)
        .filter(|body| before.scene.shape(body.id).is_none())
        .any(|body| view.coverage(&body.solid).inside < SEEN)
}

#[cfg(test)]
mod tests;
