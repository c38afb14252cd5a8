//! The assets that a scene uses, and checks that they exist.

use std::collections::{BTreeMap, BTreeSet};

use crate::asset_name::AssetName;
use crate::assets::Assets;
use crate::document::{Geometry, Mesh, Scene};
use crate::read::nearest;
use crate::violations::{ReadErrors, Violations};

impl Scene {
    /// The names of all assets of the scene, meshes and images, without duplicates.
    pub fn asset_names(&self) -> BTreeSet<&AssetName> {
        self.mesh_names().union(&self.image_names()).copied().collect()
    }

    /// The names of the meshes of the scene, without duplicates.
    pub fn mesh_names(&self) -> BTreeSet<&AssetName> {
        self.meshes().map(|(_, mesh)| &mesh.asset).collect()
    }

    /// The names of the images of the scene, without duplicates.
    pub fn image_names(&self) -> BTreeSet<&AssetName> {
        self.images().map(|(_, name)| name).chain(self.environment.asset_name()).collect()
    }

    /// The meshes of the scene with the ids of their shapes.
    pub fn mesh_users(&self) -> BTreeMap<&AssetName, Vec<&str>> {
        users(self.meshes().map(|(id, mesh)| (id, &mesh.asset)))
    }

    /// The images of the scene with the places of their use, such as "shape 'a' property
    /// 'material'".
    pub fn image_places(&self) -> BTreeMap<&AssetName, Vec<String>> {
        let shapes = users(self.images()).into_iter();
        let mut places: BTreeMap<&AssetName, Vec<String>> = shapes
            .map(|(name, ids)| (name, ids.into_iter().map(shape_material).collect()))
            .collect();
        if let Some(name) = self.environment.asset_name() {
            places.entry(name).or_default().push(SURROUNDINGS.to_owned());
        }
        places
    }

    /// Checks that `assets` has all assets of the scene; an error for each shape with a missing
    /// one.
    pub fn check_assets(&self, assets: &dyn Assets) -> Result<(), Violations> {
        self.check_assets_but(&BTreeSet::new(), assets)
    }

    /// Like [`check_assets`](Self::check_assets), without the assets in `used`: an edit is not
    /// responsible for earlier ones.
    pub(crate) fn check_assets_but(
        &self,
        used: &BTreeSet<&AssetName>,
        assets: &dyn Assets,
    ) -> Result<(), Violations> {
        let mut errors = ReadErrors::default();
        for (id, mesh) in self.meshes().filter(|(_, mesh)| !used.contains(&mesh.asset)) {
            if assets.bounds(mesh.asset.as_str()).is_none() {
                let place = format!("shape '{id}' property 'asset'");
                errors.add(missing(&place, &mesh.asset, "asset", assets));
            }
        }
        for (name, places) in self.image_places() {
            if !used.contains(name) && !assets.has_image(name.as_str()) {
                for place in places {
                    errors.add(missing(&place, name, "image", assets));
                }
            }
        }
        errors.finish(Some(()))
    }

    fn meshes(&self) -> impl Iterator<Item = (&str, &Mesh)> {
        self.shapes.iter().filter_map(|shape| match &shape.geometry {
            Geometry::Mesh(mesh) => Some((shape.id.as_str(), mesh)),
            _ => None,
        })
    }

    /// The images in materials, with the ids of their shapes.
    fn images(&self) -> impl Iterator<Item = (&str, &AssetName)> {
        self.shapes.iter().flat_map(|shape| {
            shape.material.asset_names().into_iter().map(|name| (shape.id.as_str(), name))
        })
    }
}

fn users<'a>(
    uses: impl Iterator<Item = (&'a str, &'a AssetName)>,
) -> BTreeMap<&'a AssetName, Vec<&'a str>> {
    let mut users: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (id, name) in uses {
        let ids = users.entry(name).or_default();
        if ids.last() != Some(&id) {
            ids.push(id);
        }
    }
    users
}

/// The property of an environment that names its image.
const SURROUNDINGS: &str = "the environment property 'asset'";

fn shape_material(id: &str) -> String {
    format!("shape '{id}' property 'material'")
}

/// The error for a missing asset at a `place`; `kind` is "asset" or "image".
fn missing(place: &str, asset: &AssetName, kind: &str, assets: &dyn Assets) -> String {
    /// The most names to list, so that the model is not flooded.
    const MAX_NAMES: usize = 20;
    let start = format!("{place}: {kind} '{asset}' is not known here; ");
    let (known, otherwise) = match kind {
        "image" => (assets.image_names(), "there are no images, so use another texture"),
        _ => (assets.names(), "there are no assets, so use another type of shape"),
    };
    if known.is_empty() {
        return format!("{start}{otherwise}");
    }
    let titles: Vec<Option<String>> = known.iter().map(|name| assets.title(name)).collect();
    let called = |at: usize| titles[at].as_ref().unwrap_or(&known[at]).as_str();
    let both = known.iter().map(String::as_str).chain((0..known.len()).map(called));
    let near = nearest(asset.as_str(), both);
    // A title may be what was meant; the scene needs the name.
    let at = (0..known.len()).find(|&at| called(at) == near || known[at] == near).unwrap_or(0);
    let listed = (0..known.len()).take(MAX_NAMES).map(|at| match &titles[at] {
        Some(title) => format!("{} ({title})", known[at]),
        None => known[at].clone(),
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let rest = if known.len() > MAX_NAMES { ", ..." } else { "" };
    format!("{start}did you mean '{}'? Known {kind}s: {listed}{rest}", known[at])
}
