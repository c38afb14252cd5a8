//! A scene to try calls on.

use std::sync::Arc;

use catalogue::{OwnObject, OwnObjects};
use scene::{NoAssets, Scene, SceneManager, Violations};
use serde_json::{Value, json};
use spatial::{Call, Relation, Space};

pub(crate) struct Stage(pub(crate) SceneManager, Arc<OwnObjects>);

/// A stage with shapes `(id, type, properties)`.
pub(crate) fn stage(shapes: &[(&str, &str, Value)]) -> Stage {
    let shapes: Vec<Value> = shapes
        .iter()
        .map(|(id, kind, properties)| json!({ "id": id, "type": kind, "properties": properties }))
        .collect();
    stage_of(&json!({ "version": 1, "shapes": shapes }))
}

pub(crate) fn stage_of(file: &Value) -> Stage {
    Stage(SceneManager::new(Scene::from_json(file).unwrap()), Arc::default())
}

impl Stage {
    pub(crate) fn scene(&self) -> Arc<Scene> {
        Arc::clone(&self.0.current().scene)
    }

    /// The same stage with objects of the user's own.
    pub(crate) fn with_own(self, own: Vec<OwnObject>) -> Self {
        self.1.publish(own.into_iter().map(Arc::new).collect());
        self
    }

    /// Makes a call; what it is about.
    pub(crate) fn try_call(&mut self, name: &str, args: Value) -> Result<Vec<String>, Violations> {
        let call = Call::parse(name, &args)?;
        let mut draft = self.0.draft();
        let space = Space::of(draft.scene(), &NoAssets).with_own_objects(&self.1);
        let plan = call.plan(&space)?;
        for edit in &plan.edits {
            draft.apply(edit)?;
        }
        self.0.commit(draft, Vec::new())?;
        Ok(plan.about.into_iter().map(|(_, id)| id).collect())
    }

    pub(crate) fn call(&mut self, name: &str, args: Value) -> Vec<String> {
        let told = format!("{name} {args}");
        self.try_call(name, args).unwrap_or_else(|error| panic!("{told}: {error}"))
    }

    /// Makes a call that must be refused; the scene must be untouched.
    pub(crate) fn refused(&mut self, name: &str, args: Value) -> String {
        let before = self.scene();
        let error = self.try_call(name, args).unwrap_err().to_string();
        assert!(Arc::ptr_eq(&before, &self.scene()));
        error
    }

    pub(crate) fn relation(&self, one: &str, other: &str) -> Relation {
        let scene = self.scene();
        let space = Space::of(&scene, &NoAssets);
        space.unit(one).unwrap().solid.relation(&space.unit(other).unwrap().solid)
    }

    pub(crate) fn extent(&self, id: &str) -> spatial::Extent {
        let scene = self.scene();
        Space::of(&scene, &NoAssets).unit(id).unwrap().solid.extent()
    }

    pub(crate) fn center(&self, id: &str) -> [f64; 3] {
        self.extent(id).center().to_array()
    }
}

/// How far a length of about a metre may be off: rings are chains of straight pieces.
pub(crate) fn exactness(kind: &str) -> f64 {
    if kind == "torus" || kind == "tube" { 0.003 } else { 1e-9 }
}

/// How many [`forms`] there are.
pub(crate) const FORMS: usize = 25;

/// One of every kind of shape, about a metre large, upright, lying, turned and tilted.
pub(crate) fn forms() -> Vec<(&'static str, Value)> {
    vec![
        ("sphere", json!({ "center": [0.1, 0.2, 0.3], "radius": 0.6 })),
        ("box", json!({ "center": [0, 0, 0], "dimensions": [1, 0.5, 0.8] })),
        (
            "box",
            json!({ "center": [0, 0, 0], "dimensions": [1, 0.5, 0.8], "rotation": [30, 40, 50] }),
        ),
        ("quad", json!({ "corner": [-0.7, 0, 0.7], "u": [1.4, 0, 0], "v": [0, 0, -1.4] })),
        ("quad", json!({ "corner": [-0.5, 0, 0.6], "u": [1.1, 0.3, 0], "v": [0, 0.4, -1.2] })),
        ("disc", json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 0.7 })),
        ("disc", json!({ "center": [0, 0, 0], "normal": [0.3, 1, -0.2], "radius": 0.7 })),
        (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0, 1, 0], "radius": 0.4, "capped": true }),
        ),
        (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [1, 0.3, 0.5], "radius": 0.3, "capped": true }),
        ),
        (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0, 1, 0], "radius": 0.4, "capped": false }),
        ),
        (
            "cone",
            json!({ "base_center": [0, 0, 0], "base_radius": 0.5, "top_center": [0, 1, 0], "top_radius": 0, "capped": true }),
        ),
        (
            "cone",
            json!({ "base_center": [0, 1, 0], "base_radius": 0.5, "top_center": [0.4, 0, 0.1], "top_radius": 0.2, "capped": true }),
        ),
        ("capsule", json!({ "start": [0, 0, 0], "end": [0.4, 0.9, -0.2], "radius": 0.3 })),
        (
            "torus",
            json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 0.4, "thickness": 0.6 }),
        ),
        (
            "torus",
            json!({ "center": [0, 0, 0], "normal": [0.2, 0.1, 1], "radius": 0.6, "thickness": 0.2,
                    "start_angle": -20, "end_angle": 160 }),
        ),
        (
            "ellipsoid",
            json!({ "center": [0, 0, 0], "radii": [0.7, 0.3, 0.5], "rotation": [20, 30, 40] }),
        ),
        (
            "rounded_box",
            json!({ "center": [0, 0, 0], "dimensions": [1, 0.6, 0.8], "radius": 0.2,
                    "rotation": [30, 40, 50] }),
        ),
        ("rounded_box", json!({ "center": [0, 0, 0], "dimensions": [1, 0.4, 0.8], "radius": 0.2 })),
        (
            "tube",
            json!({ "points": [[-0.5, 0, 0], [0, 0.4, 0.3], [0.5, 0, 0]], "radius": 0.15,
                    "curve": "straight" }),
        ),
        (
            "lathe",
            json!({ "base_center": [0, 0, 0], "rotation": [20, 0, 30],
                    "profile": [[0, 0], [0.4, 0], [0.5, 0.4], [0.2, 0.8]] }),
        ),
        (
            "extrusion",
            json!({ "center": [0, 0, 0], "outline": [[-0.5, -0.4], [0.5, -0.4], [0.5, 0], [0, 0], [0, 0.5],
                    [-0.5, 0.5]], "depth": 0.4, "rotation": [10, 20, 30] }),
        ),
        (
            "extrusion",
            json!({ "center": [0, 0, 0], "outline": [[-0.5, -0.4], [0.5, -0.4], [0.3, 0.3], [-0.2, 0.5]],
                    "depth": 0.6 }),
        ),
        (
            "cone",
            json!({ "base_center": [0, 0, 0], "base_radius": 0.2, "top_center": [0, 1, 0], "top_radius": 0.5, "capped": true }),
        ),
        (
            "polyhedron",
            json!({ "center": [0, 0.1, 0], "rotation": [0, 20, 10], "vertices": [[0.6, 0, 0], [-0.5, 0, 0.1],
                    [0, 0.7, 0], [0, -0.4, 0], [0, 0, 0.5], [0, 0, -0.6]], "faces": [[0, 2, 4], [4, 2, 1],
                    [1, 2, 5], [5, 2, 0], [4, 3, 0], [1, 3, 4], [5, 3, 1], [0, 3, 5]] }),
        ),
        ("triangle", json!({ "vertices": [[-0.6, 0, 0.5], [0.7, 0.1, 0.5], [0, 0.2, -0.8]] })),
    ]
}

/// Every pair of [`forms`], called `a` and `b`, the second one elsewhere.
pub(crate) fn pairs() -> impl Iterator<Item = (String, Stage)> {
    let count = forms().len();
    (0..count * count).map(move |at| {
        let ((one, first), (other, second)) =
            (forms()[at / count].clone(), forms()[at % count].clone());
        let name = format!("{one} {first} and {other} {second}");
        let mut stage = stage(&[("a", one, first), ("b", other, second)]);
        stage.call("move", json!({ "ids": ["b"], "by": [4, 1.5, -2] }));
        (name, stage)
    })
}

pub(crate) fn near(actual: f64, expected: f64) -> bool {
    (actual - expected).abs() < 1e-6
}
