//! `scene-llm validate`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::scene_file::{SceneLoadError, load};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The scene file.
    #[arg(value_name = "SCENE.json")]
    scene: PathBuf,
    /// Where the files of meshes are, instead of beside the scene file.
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
    /// Print an object with `valid`, the number of `shapes` and `lights`, or all `errors`, on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match load(&arguments.scene, arguments.assets.as_deref()) {
        Ok((scene, _)) => {
            let (shapes, lights) = (scene.shapes.len(), scene.lights.len());
            if arguments.json {
                return print(&json!({ "valid": true, "shapes": shapes, "lights": lights }));
            }
            writeln!(std::io::stdout(), "valid: {shapes} shapes, {lights} lights")?;
            Ok(())
        }
        Err(SceneLoadError::Unreadable(error)) => Err(error),
        Err(SceneLoadError::Invalid(violations)) => {
            // One line for each error; the last one is printed by the caller as the error.
            let messages = violations.messages();
            if arguments.json {
                print(&json!({ "valid": false, "errors": messages }))?;
                anyhow::bail!("'{}' is not valid", arguments.scene.display());
            }
            let (last, rest) =
                messages.split_last().map_or(("", messages), |(l, r)| (l.as_str(), r));
            for violation in rest {
                eprintln!("error: {violation}");
            }
            Err(anyhow::anyhow!("{last}"))
        }
    }
}

fn print(value: &Value) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{value}")?)
}
