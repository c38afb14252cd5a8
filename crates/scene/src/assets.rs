//! What the document must know of the things it names but does not hold.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::bounds::Aabb;
use crate::document::{Geometry, Mesh, Scene};
use crate::read::{Place, Read, nearest};
use crate::violations::{Faults, Violations};

/// Where meshes are kept. The document only asks for their extent.
pub trait Assets: std::fmt::Debug + Send + Sync {
    /// The smallest box around the mesh `name`, before it is scaled, turned and moved; `None` when
    /// there is no such mesh.
    fn bounds(&self, name: &str) -> Option<Aabb>;

    /// The names there are, for messages; may be cut short.
    fn names(&self) -> Vec<String>;

    /// What people call the mesh `name`, where that is something else.
    fn title(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A place without meshes.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssets;

impl Assets for NoAssets {
    fn bounds(&self, _: &str) -> Option<Aabb> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The longest name of an asset, in characters.
pub const LONGEST_ASSET_NAME: usize = 512;

/// The name of an asset: non-empty, at most [`LONGEST_ASSET_NAME`] characters, no control
/// characters. What it means is up to the [`Assets`] it is looked up in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct AssetName(String);

impl AssetName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for AssetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Read for AssetName {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let name = value.as_str().filter(|name| {
            !name.trim().is_empty()
                && name.chars().count() <= LONGEST_ASSET_NAME
                && !name.chars().any(char::is_control)
        });
        if name.is_none() {
            at.must_be(&Self::expected(), value, faults);
        }
        name.map(|name| Self(name.to_owned()))
    }

    fn expected() -> String {
        format!("the name of a mesh, a text of at most {LONGEST_ASSET_NAME} characters")
    }
}

impl Scene {
    /// The names of all assets the scene uses, each once.
    pub fn asset_names(&self) -> BTreeSet<&AssetName> {
        self.meshes().map(|(_, mesh)| &mesh.asset).collect()
    }

    /// The assets the scene uses with the ids of the shapes that do.
    pub fn asset_users(&self) -> BTreeMap<&AssetName, Vec<&str>> {
        let mut users: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, mesh) in self.meshes() {
            users.entry(&mesh.asset).or_default().push(id);
        }
        users
    }

    /// Whether `assets` holds everything the scene names; a fault for each shape whose asset is
    /// missing.
    pub fn check_assets(&self, assets: &dyn Assets) -> Result<(), Violations> {
        self.check_assets_but(&BTreeSet::new(), assets)
    }

    /// As [`check_assets`](Self::check_assets), without asking for those in `used`: an edit is not
    /// to blame for what was there before it.
    pub(crate) fn check_assets_but(
        &self,
        used: &BTreeSet<&AssetName>,
        assets: &dyn Assets,
    ) -> Result<(), Violations> {
        let mut faults = Faults::default();
        for (id, mesh) in self.meshes().filter(|(_, mesh)| !used.contains(&mesh.asset)) {
            if assets.bounds(mesh.asset.as_str()).is_none() {
                faults.add(missing(id, &mesh.asset, assets));
            }
        }
        faults.finish(Some(()))
    }

    fn meshes(&self) -> impl Iterator<Item = (&str, &Mesh)> {
        self.shapes.iter().filter_map(|shape| match &shape.geometry {
            Geometry::Mesh(mesh) => Some((shape.id.as_str(), mesh)),
            _ => None,
        })
    }
}

fn missing(id: &str, asset: &AssetName, assets: &dyn Assets) -> String {
    /// Enough names to choose from without flooding the model.
    const MOST_NAMES: usize = 20;
    let start = format!("shape '{id}' property 'asset': asset '{asset}' is not known here; ");
    let known = assets.names();
    if known.is_empty() {
        return format!("{start}there are no assets, so use another type of shape");
    }
    let titles: Vec<Option<String>> = known.iter().map(|name| assets.title(name)).collect();
    let called = |at: usize| titles[at].as_ref().unwrap_or(&known[at]).as_str();
    let both = known.iter().map(String::as_str).chain((0..known.len()).map(called));
    let near = nearest(asset.as_str(), both);
    // A title says which mesh is meant; what a scene has to say is its name.
    let at = (0..known.len()).find(|&at| called(at) == near || known[at] == near).unwrap_or(0);
    let listed = (0..known.len()).take(MOST_NAMES).map(|at| match &titles[at] {
        Some(title) => format!("{} ({title})", known[at]),
        None => known[at].clone(),
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let rest = if known.len() > MOST_NAMES { ", ..." } else { "" };
    format!("{start}did you mean '{}'? Known assets: {listed}{rest}", known[at])
}
