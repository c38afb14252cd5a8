//! Composed things: what no object is and boxes do for. A room, a passage, a maze, a flight of steps, a wall with a
//! doorway, a fence around something, as large and as many-parted as the message tells.

mod around;
mod forms;
mod maze;
mod pieces;
pub(in crate::plan) mod told;

use scene::Material;
use serde_json::json;

use crate::frames::{Head, Phrase, Quality};
use crate::plan::planner::{Done, Planner};
use crate::resolve::{Kind, STARS, Thing};

use super::shapes;
use told::{Told, told};
pub(super) use told::{composed, is_hollow, is_own_part, is_way_through};

use pieces::{Piece, Role};

/// Where the eye stands in a passage, in metres.
const EYE: f64 = 1.6;
/// How far rooms are apart, in metres.
const BETWEEN: f64 = 0.2;
/// Half of what a picture shows across at a distance of one.
const HALF_VIEW: f64 = 0.55;

impl Planner<'_> {
    /// Makes a composed thing around the origin; the id of its group.
    pub(super) fn make_composed(&mut self, phrase: &Phrase, kind: &str) -> Done<String> {
        let told = told(phrase, kind);
        let pieces = forms::pieces(kind, &told);
        let id = self.new_id(&Phrase { qualities: Vec::new(), ..phrase.clone() }, kind);
        let rooms = self.rooms();
        self.build(&id, &pieces, phrase)?;
        if let Some(before) =
            rooms.last().and_then(|room| self.extent_of(std::slice::from_ref(room)))
        {
            let behind = before.min.z - 0.5 * told.edges[2] - BETWEEN;
            let spot = before.center().with_y(0.0).with_z(behind);
            self.shift_by(std::slice::from_ref(&id), spot)?;
        }
        if told.sized {
            self.sized.push(id.clone());
        }
        let state = self.state();
        let others = state.world().contents().any(|thing| thing.id != id);
        if !others && !self.camera_told {
            self.look_into(kind, &told)?;
        }
        Ok(id)
    }

    /// The rooms and passages that there are.
    pub(super) fn rooms(&self) -> Vec<String> {
        let state = self.state();
        let is_room =
            |thing: &&Thing| thing.scenery && thing.kind == Kind::Group && thing.id != STARS;
        state.world().wholes().filter(is_room).map(|thing| thing.id.clone()).collect()
    }

    /// Makes the pieces of something as one group, each in the looks that are told of it.
    pub(in crate::plan) fn build(&mut self, id: &str, pieces: &[Piece], phrase: &Phrase) -> Done {
        let grey = json!({ "type": "lambertian", "albedo": [0.6, 0.6, 0.6] });
        let usual = phrase.usual.and_then(|usual| usual.material).map(|name| json!(name));
        let whole = shapes::surface(&phrase.qualities, &Material::default());
        let whole = whole.or(usual).unwrap_or(grey);
        for piece in pieces {
            let own = phrase.with.iter().find(|company| piece.role.is_meant(company));
            let own = own.and_then(|own| shapes::surface(&own.qualities, &Material::default()));
            let mut properties = piece.properties.clone();
            properties["material"] = own.unwrap_or_else(|| whole.clone());
            let name = self.free_id(&format!("{id} {}", piece.name));
            self.call(
                "create_shape",
                json!({ "id": name, "type": piece.shape, "group": id, "properties": properties }),
            )?;
        }
        Ok(())
    }

    /// Into a room and along a passage from their open side.
    fn look_into(&mut self, kind: &str, told: &Told) -> Done {
        let [width, height, depth] = told.edges;
        let (center, look_at) = match kind {
            "passage" => ([0.0, EYE, 0.5 * depth - 0.3], [0.0, 0.85 * EYE, -0.5 * depth]),
            "room" | "rotunda" => {
                let far = (0.5 * width).max(0.9 * height) / HALF_VIEW;
                ([0.0, 1.15 * height, 0.5 * depth + far], [0.0, 0.35 * height, -0.1 * depth])
            }
            _ => return Ok(()),
        };
        self.call("set_camera", json!({ "center": center, "look_at": look_at }))?;
        self.camera_told = true;
        Ok(())
    }
}

impl Role {
    /// Whether what comes with a composed thing is this part of it: "cream walls", "a wooden floor".
    fn is_meant(self, company: &Phrase) -> bool {
        !company.qualities.iter().all(|quality| matches!(quality, Quality::Measured { .. }))
            && match (&company.head, self) {
                (Head::Scenery("wall"), Self::Wall) | (Head::Scenery("floor"), Self::Floor) => true,
                (_, Self::Step | Self::Landing | Self::Ceiling) => {
                    told::part_of(company).is_some_and(|part| part.name == self.name())
                }
                _ => false,
            }
    }
}
