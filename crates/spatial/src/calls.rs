//! All calls that change or ask about a scene, by name: read once at the border, then planned
//! against the scene they meet.

use scene::read::{ObjectReader, Properties, PropertyPath, ReadErrors, nearest};
use scene::{EDIT_NAMES, Edit, Kind, Violations};
use serde_json::{Value, json};

use crate::arrange::copy::{Duplicate, Mirror};
use crate::arrange::group::{Grouping, Ungrouping, remove_members, update_members};
use crate::arrange::look::{Frame, LookAt};
use crate::arrange::motion::{Move, Resize, Rotate};
use crate::arrange::object::AddObject;
use crate::arrange::pattern::Array;
use crate::arrange::place::Place;
use crate::arrange::spread::{Align, Distribute};
use crate::measure::Measure;
use crate::plan::{Plan, Planned};
use crate::select::Select;
use crate::space::Space;

/// The most calls of one batch.
pub const MAX_CALLS: usize = 2_000;

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
            /// Several calls as one change, each planned against what those before it have made.
            Batch(Vec<(String, Self)>),
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
                    Self::Batch(_) => Err(Violations::one("a batch is planned call by call")),
                }
            }
        }

        pub(crate) fn computed_schemas() -> Vec<(&'static str, schemars::Schema)> {
            vec![$( ($name, schemars::schema_for!($args)) ),*]
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
    "move" => Move,
    "rotate" => Rotate,
    "scale" => Resize,
    "look_at" => LookAt,
    "frame" => Frame,
}

/// The call that holds others.
pub const BATCH_NAME: &str = "edit_scene";

impl Call {
    /// Reads the call `name` with `args`. All errors that show without the scene are reported.
    pub fn parse(name: &str, args: &Value) -> Result<Self, Violations> {
        if name == BATCH_NAME {
            return parse_batch(args);
        }
        if EDIT_NAMES.contains(&name) {
            return Edit::parse(name, args).map(Self::Edit);
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

    /// Whether planning needs to know where things are; an edit of one thing does not.
    pub fn needs_space(&self, scene: &scene::Scene) -> bool {
        match self {
            Self::Edit(Edit::UpdateShape(update)) => {
                scene.kind_of(update.id().as_str()) == Some("group")
            }
            Self::Edit(Edit::RemoveShape(id)) => scene.kind_of(id.as_str()) == Some("group"),
            Self::Edit(_) => false,
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

/// Reads arguments; unknown ones are refused by name.
fn read_args<T: Properties>(name: &str, args: &Value, errors: &mut ReadErrors) -> Option<T> {
    let mut reader = ObjectReader::new(args, PropertyPath::of(name), errors)?;
    let known: Vec<&str> = T::FIELDS.iter().map(|(name, _)| *name).collect();
    reader.reject_unknown(&known);
    let read = T::read_fields(&mut reader)?;
    read.check(&mut reader);
    Some(read)
}

fn parse_batch(args: &Value) -> Result<Call, Violations> {
    let mut errors = ReadErrors::default();
    let calls = read_calls(args, &mut errors).unwrap_or_default();
    let mut errors = Violations::joined(errors.finish(Some(())).err());
    let mut read = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        match parse_call(call) {
            Ok(call) => read.push(call),
            Err(violations) => {
                let violations = violations.prefixed(&format!("call {}: ", index + 1));
                errors = Violations::joined(errors.into_iter().chain([violations]));
            }
        }
    }
    errors.map_or(Ok(Call::Batch(read)), Err)
}

fn read_calls(args: &Value, errors: &mut ReadErrors) -> Option<Vec<Value>> {
    let mut reader = ObjectReader::new(args, PropertyPath::of(BATCH_NAME), errors)?;
    reader.reject_unknown(&["calls"]);
    match reader.get("calls") {
        Some(Value::Array(calls)) if (1..=MAX_CALLS).contains(&calls.len()) => Some(calls.clone()),
        other => {
            let got = other.cloned().unwrap_or_default();
            let expected = format!("a list of 1 to {MAX_CALLS} calls {{name, args}}");
            let place = reader.path().property("calls");
            place.must_be(&expected, &got, reader.errors());
            None
        }
    }
}

fn parse_call(call: &Value) -> Result<(String, Call), Violations> {
    let Some(name) = call.get("name").and_then(Value::as_str) else {
        return Err(Violations::one("requires 'name' (of a tool that changes the scene)"));
    };
    if name == BATCH_NAME {
        return Err(Violations::one(format!(
            "{BATCH_NAME} cannot hold itself; list its calls here"
        )));
    }
    let nothing = json!({});
    Call::parse(name, call.get("args").unwrap_or(&nothing)).map(|call| (name.to_owned(), call))
}

/// An edit of a group acts on its members; any other stands for itself.
fn plan_edit(edit: &Edit, space: &Space<'_>) -> Result<Plan, Violations> {
    let is_group = |id: &str| space.scene.kind_of(id) == Some("group");
    match edit {
        Edit::UpdateShape(update) if is_group(update.id().as_str()) => {
            update_members(space, update)
        }
        Edit::RemoveShape(id) if is_group(id.as_str()) => Ok(remove_members(space, id)),
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
