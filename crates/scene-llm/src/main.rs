//! The binary `scene-llm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    scene_llm::run()
}
