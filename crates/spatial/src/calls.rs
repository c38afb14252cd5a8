//! All calls that change or ask about a scene, by name: read once at the border, then planned
//! against the scene they meet.

use std::borrow::Cow;
use std::sync::Arc;

use scene::read::{ObjectReader, Properties, PropertyPath, ReadErrors, nearest};
use scene::{EDIT_NAMES, Edit, Kind, Scene, Shape, Violations};
use serde_json::Value;

use crate::arrange::copy::{Duplicate, Mirror};
use crate::arrange::drop_down::{DROP, DropDown};
use crate::arrange::group::{Grouping, Remove, Ungrouping, remove_members, update_members};
use crate::arrange::look::{Frame, LookAt};
use crate::arrange::motion::{Move, Resize, Rotate};
use crate::arrange::object::AddObject;
use crate::arrange::order::{REORDER, Reorder};
use crate::arrange::pattern::Array;
use crate::arrange::place::Place;
use crate::arrange::share::{CREATE_SHAPE, CreateSharing, ShareMaterial};
use crate::arrange::spread::{Align, Distribute};
use crate::batch::{BATCH_NAME, Batch};
use crate::measure::Measure;
use crate::plan::{Plan, Planned};
use crate::select::Select;
use crate::space::{Space, is_pattern};
use crate::stage::{STAGE, Stage};

/// The names of arguments, and whether each is required.
pub(crate) type Fields = &'static [(&'static str, bool)];

/// Makes the readers of calls by name.
macro_rules! calls {
    ($($name:literal => $args:ident),* $(,)?) => {
        /// The names of the calls that change a scene by computation, in the order of [`Call`].
        pub const COMPUTED_NAMES: &[&str] = &[$($name),*];

        /// A call that changes the scene.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Call {
            /// An edit of one thing.
            Edit(Edit),
            /// Several calls as one change.
            Batch(Batch<Self>),
            /// `create_shape` with the name of a shared material.
            CreateSharing(CreateSharing),
            /// `stage`: for edits by hand; models are not offered it.
            Stage(Stage),
            /// `reorder`: for edits by hand, too.
            Reorder(Reorder),
            /// `drop`: for edits by hand, too.
            Drop(DropDown),
            $(
                #[doc = concat!("`", $name, "`.")]
                $args($args),
            )*
        }

        impl Call {
            fn parse_computed(name: &str, args: &Value, errors: &mut ReadErrors) -> Option<Self> {
                match name {
                    $( $name => read_args::<$args>(name, args, errors).map(Self::$args), )*
                    _ => None,
                }
            }

            fn plan_computed(&self, space: &Space<'_>) -> Result<Plan, Violations> {
                match self {
                    $( Self::$args(args) => args.plan(space), )*
                    Self::Edit(edit) => plan_edit(edit, space),
                    Self::CreateSharing(create) => create.plan(space),
                    Self::Stage(stage) => stage.plan(space),
                    Self::Reorder(reorder) => reorder.plan(space),
                    Self::Drop(drop) => drop.plan(space),
                    Self::Batch(_) => Err(Violations::one("a batch is planned call by call")),
                }
            }
        }

        /// Name, schema and fields of the arguments of each call.
        pub(crate) fn computed_schemas() -> Vec<(&'static str, schemars::Schema, Fields)> {
            vec![$( ($name, schemars::schema_for!($args), $args::FIELDS) ),*]
        }
    };
}

calls! {
    "add_object" => AddObject,
    "place" => Place,
    "align" => Align,
    "distribute" => Distribute,
    "array" => Array,
    "duplicate" => Duplicate,
    "mirror" => Mirror,
    "group" => Grouping,
    "ungroup" => Ungrouping,
    "remove" => Remove,
    "share_material" => ShareMaterial,
    "move" => Move,
    "rotate" => Rotate,
    "scale" => Resize,
    "look_at" => LookAt,
    "frame" => Frame,
}

impl Call {
    /// Reads the call `name` with `args`. All errors that show without the scene are reported.
    pub fn parse(name: &str, args: &Value) -> Result<Self, Violations> {
        if name == BATCH_NAME {
            return Batch::parse(args, Self::parse).map(Self::Batch);
        }
        if EDIT_NAMES.contains(&name) {
            return match Edit::parse(name, args) {
                Err(unknown) if name == CREATE_SHAPE => {
                    CreateSharing::parse(args, unknown).map(Self::CreateSharing)
                }
                read => read.map(Self::Edit),
            };
        }
        if name == STAGE {
            let mut errors = ReadErrors::default();
            let stage = read_args::<Stage>(name, args, &mut errors).map(Self::Stage);
            return errors.finish(stage);
        }
        if name == REORDER {
            let mut errors = ReadErrors::default();
            let reorder = read_args::<Reorder>(name, args, &mut errors).map(Self::Reorder);
            return errors.finish(reorder);
        }
        if name == DROP {
            let mut errors = ReadErrors::default();
            let drop = read_args::<DropDown>(name, args, &mut errors).map(Self::Drop);
            return errors.finish(drop);
        }
        if !COMPUTED_NAMES.contains(&name) {
            let known = [&EDIT_NAMES[..], COMPUTED_NAMES, &[BATCH_NAME]].concat();
            return Err(Violations::one(format!(
                "there is no edit '{}'; did you mean '{}'? Known edits: {}",
                name.chars().take(60).collect::<String>(),
                nearest(name, known.iter().copied()),
                known.join(", ")
            )));
        }
        let mut errors = ReadErrors::default();
        let call = Self::parse_computed(name, args, &mut errors);
        errors.finish(call)
    }

    /// What the call comes to in the scene of `space`; a batch is planned call by call instead.
    pub fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        self.plan_computed(space)
    }

    /// Whether this asks for a stage only where scenes get one by themselves.
    pub fn is_optional_stage(&self) -> bool {
        matches!(self, Self::Stage(Stage { on: None }))
    }

    /// Whether planning needs to know where things are; an edit of one thing does not.
    pub fn needs_space(&self, scene: &Scene) -> bool {
        match self {
            Self::Edit(edit) => stands_for_several(edit, scene) || names_material(edit),
            _ => true,
        }
    }

    /// What a call that [does not need the space](Self::needs_space) comes to.
    pub fn plan_alone(&self) -> Plan {
        match self {
            Self::Edit(edit) => alone(edit),
            _ => Plan::default(),
        }
    }
}

/// A question about the scene that geometry answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// `measure`.
    Measure(Measure),
    /// `select_objects`.
    Select(Select),
}

impl Question {
    /// The names of the questions.
    pub const NAMES: [&str; 2] = ["measure", "select_objects"];

    /// Reads the question `name`. All errors that show without the scene are reported.
    pub fn parse(name: &str, args: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let question = match name {
            "measure" => read_args(name, args, &mut errors).map(Self::Measure),
            _ => read_args(name, args, &mut errors).map(Self::Select),
        };
        errors.finish(question)
    }

    /// The answer.
    pub fn answer(&self, space: &Space<'_>) -> Result<Value, Violations> {
        match self {
            Self::Measure(measure) => measure.answer(space),
            Self::Select(select) => select.answer(space),
        }
    }
}

/// Other words for arguments, which count where a call takes the second and not the first.
const ALIASES: [(&str, &str); 6] = [
    ("id", "ids"),
    ("name", "object"),
    ("position", "at"),
    ("center", "at"),
    ("rotation", "turn"),
    ("turned", "turn"),
];

/// The arguments by their own names.
fn renamed<'a>(args: &'a Value, known: &[&str]) -> Cow<'a, Value> {
    let Some(given) = args.as_object() else { return Cow::Borrowed(args) };
    let meant = |name: &str| {
        let is_unknown = !known.contains(&name);
        let own = ALIASES.iter().filter(|(alias, own)| *alias == name && known.contains(own));
        own.map(|(_, own)| *own).find(|own| is_unknown && !given.contains_key(*own))
    };
    if !given.keys().any(|name| meant(name).is_some()) {
        return Cow::Borrowed(args);
    }
    let entry =
        |(name, value): (&String, &Value)| (meant(name).unwrap_or(name).to_owned(), value.clone());
    Cow::Owned(Value::Object(given.iter().map(entry).collect()))
}

/// Reads arguments; unknown ones are refused by name.
fn read_args<T: Properties>(name: &str, args: &Value, errors: &mut ReadErrors) -> Option<T> {
    let known: Vec<&str> = T::FIELDS.iter().map(|(name, _)| *name).collect();
    let args = renamed(args, &known);
    let mut reader = ObjectReader::new(&args, PropertyPath::of(name), errors)?;
    reader.reject_unknown(&known);
    let read = T::read_fields(&mut reader)?;
    read.check(&mut reader);
    Some(read)
}

/// Whether an edit names a group, or all that a pattern fits.
fn stands_for_several(edit: &Edit, scene: &Scene) -> bool {
    let id = match edit {
        Edit::UpdateShape(update) | Edit::UpdateLight(update) => update.id(),
        Edit::RemoveShape(id) | Edit::RemoveLight(id) => id,
        _ => return false,
    };
    scene.kind_of(id.as_str()) == Some("group") || is_pattern(scene, id.as_str())
}

/// Whether an edit adds a shape that says by what name its material is shared.
fn names_material(edit: &Edit) -> bool {
    matches!(edit, Edit::CreateShape(shape) if shape.material_name.is_some())
}

/// A new shape shares a material only if it has the same as those that do: a pasted copy of what has been changed
/// since keeps its looks.
fn sharing_what_it_has(edit: &Edit, scene: &Scene) -> Edit {
    let Edit::CreateShape(shape) = edit else { return edit.clone() };
    let sharer = scene.shapes.iter().find(|other| other.material_name == shape.material_name);
    match sharer {
        Some(sharer) if sharer.material != shape.material => {
            Edit::CreateShape(Arc::new(Shape { material_name: None, ..(**shape).clone() }))
        }
        _ => edit.clone(),
    }
}

/// An edit of a group acts on its members; any other stands for itself.
fn plan_edit(edit: &Edit, space: &Space<'_>) -> Result<Plan, Violations> {
    if names_material(edit) {
        return Ok(alone(&sharing_what_it_has(edit, space.scene)));
    }
    if !stands_for_several(edit, space.scene) {
        return Ok(alone(edit));
    }
    match edit {
        Edit::UpdateShape(update) => update_members(space, Kind::Shape, update),
        Edit::UpdateLight(update) => update_members(space, Kind::Light, update),
        Edit::RemoveShape(id) | Edit::RemoveLight(id) => remove_members(space, id),
        edit => Ok(alone(edit)),
    }
}

fn alone(edit: &Edit) -> Plan {
    let about = match edit {
        Edit::CreateShape(shape) => vec![(Kind::Shape, shape.id.as_str().to_owned())],
        Edit::CreateLight(light) => vec![(Kind::Light, light.id.as_str().to_owned())],
        Edit::UpdateShape(update) => vec![(Kind::Shape, update.id_after().as_str().to_owned())],
        Edit::UpdateLight(update) => vec![(Kind::Light, update.id_after().as_str().to_owned())],
        Edit::RemoveShape(_) | Edit::RemoveLight(_) => Vec::new(),
        other => {
            let targets = other.targets().into_iter();
            targets.map(|(kind, id)| (kind, id.to_owned())).collect()
        }
    };
    Plan { edits: vec![edit.clone()], about, result: None }
}
