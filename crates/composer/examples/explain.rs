//! Shows every step from a sentence to calls: `explain "sentence" [SCENE.json]`.

#![expect(clippy::print_stdout, reason = "what this is run for")]

use scene::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let sentence = arguments.next().unwrap_or_default();
    let scene = match arguments.next() {
        Some(path) => Scene::from_json(&serde_json::from_str(&std::fs::read_to_string(path)?)?)?,
        None => Scene::default(),
    };
    println!("{}", composer::explain(&sentence, &scene));
    Ok(())
}
