//! Writes the TypeScript types and the JSON Schema of the protocol; with `--check` it only says
//! whether the files are up to date.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> io::Result<ExitCode> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = [
        ("web/src/protocol/generated/messages.ts", protocol::typescript()),
        ("web/src/protocol/generated/kinds.ts", protocol::kinds_typescript()),
        ("docs/protocol.schema.json", format!("{:#}\n", protocol::schema())),
    ];
    let check = env::args().any(|argument| argument == "--check");
    let mut code = ExitCode::SUCCESS;
    for (name, text) in files {
        let path = root.join(name);
        if fs::read_to_string(&path).is_ok_and(|present| present == text) {
            continue;
        }
        if check {
            eprintln!("{name} is out of date: run `make generate`");
            code = ExitCode::FAILURE;
        } else {
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            fs::write(&path, text)?;
            eprintln!("wrote {name}");
        }
    }
    Ok(code)
}
