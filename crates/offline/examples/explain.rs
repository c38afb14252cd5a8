//! Shows every step from a sentence to calls: `explain "sentence" ... [SCENE.json]`; of several
//! sentences those before the last are carried out first.

#![expect(clippy::print_stdout, reason = "what this is run for")]

use scene::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (scenes, sentences): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.ends_with(".json"));
    let scene = match scenes.first() {
        Some(path) => Scene::from_json(&serde_json::from_str(&std::fs::read_to_string(path)?)?)?,
        None => Scene::default(),
    };
    println!("{}", offline::explain(&sentences, &scene));
    Ok(())
}
