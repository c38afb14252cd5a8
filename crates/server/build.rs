//! Puts the built browser client where the binary embeds it from. Without one the server still
//! builds, and its page says how to build the client.

use std::path::Path;
use std::{env, fs, io};

const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>scene-llm</title>\
<p>The browser client is not part of this build. Run <code>make run</code>, which builds it.";

fn main() -> io::Result<()> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", built.display());
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    let client = Path::new(&out).join("client");
    if client.exists() {
        fs::remove_dir_all(&client)?;
    }
    if built.join("index.html").exists() {
        copy(&built, &client)
    } else {
        fs::create_dir_all(&client)?;
        fs::write(client.join("index.html"), NOT_BUILT)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
