//! The kinds of shapes and lights as the page reads them: generated from their descriptions in `scene`.

use scene::{Geometry, KindInfo, Light};
use serde_json::json;

/// The TypeScript form of `scene::KindInfo`.
const TYPES: &str = r#"
/** What a property means for the place and size of its object. */
export type Role =
  | "point"
  | "points"
  | "edge"
  | "direction"
  | "rotation"
  | "length"
  | "scale"
  | "emission"
  | "object"
  | "plain";

/** By which properties place and extent are told. */
export type Frame =
FRAMES;

export interface PropertyInfo {
  name: string;
  role: Role;
  /** What it is when it is left out; a property without a default is required. */
  default?: unknown;
  unit?: string;
  /** The names of its numbers, where they are not x, y and z. */
  axes?: readonly string[];
  min?: number;
  max?: number;
  whole?: boolean;
  words?: readonly string[];
  /** Of a nested object. */
  properties?: readonly PropertyInfo[];
}

export interface KindInfo {
  kind: string;
  label: string;
  icon: string;
  frame: Frame;
  /** Whether other things can stand all over the top of its box. */
  flat_top: boolean;
  /** The property that holds its sizes along its own axes. */
  sizes: string | null;
  properties: readonly PropertyInfo[];
  /** The properties of a new one, about the origin and two metres wide; null if it needs a file. */
  sample: Readonly<Record<string, unknown>> | null;
}
"#;

/// The descriptions of all kinds, as one TypeScript module.
pub fn kinds_typescript() -> String {
    let frames: Vec<String> =
        scene::Frame::WORDS.iter().map(|word| format!("  | \"{word}\"")).collect();
    let mut module = String::from(
        "// Generated from crates/scene by `make generate`. Do not edit: change the Rust types.\n",
    );
    module.push_str(&TYPES.replace("FRAMES", &frames.join("\n")));
    module.push_str(&constant("SHAPES", &Geometry::kinds()));
    module.push_str(&constant("LIGHTS", &Light::kinds()));
    module
}

fn constant(name: &str, kinds: &[KindInfo]) -> String {
    let kinds: Vec<String> = kinds.iter().map(object).collect();
    format!(
        "\nexport const {name} = [\n{}] as const satisfies readonly KindInfo[];\n",
        kinds.concat()
    )
}

/// One kind, a line for each property.
fn object(kind: &KindInfo) -> String {
    let mut text = String::from("  {\n");
    for (key, value) in json!(kind).as_object().into_iter().flatten() {
        match value.as_array() {
            Some(items) => {
                let items = items.iter().map(|item| format!("      {item},\n"));
                text += &format!("    {key}: [\n{}    ],\n", items.collect::<String>());
            }
            None => text += &format!("    {key}: {value},\n"),
        }
    }
    text + "  },\n"
}
