//! Time and peak memory of exports, imports and checks: each as a run of `scene-llm` of its own.
//!
//! `cargo run --release --bin files -- target/release/scene-llm` (Linux: memory is read from `/proc`).

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How often the memory of the run is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);

fn main() -> std::io::Result<()> {
    let Some(program) = std::env::args().nth(1) else {
        return Err(std::io::Error::other("give the path of scene-llm"));
    };
    let folder = tempfile::tempdir()?;
    let file = |name: &str| folder.path().join(name);
    let mut results = Vec::new();
    let mut run = |what: &str, arguments: &[&Path], command: &str| -> std::io::Result<()> {
        let result = measured(&program, command, arguments)?;
        results.push(json!({ "what": what, "result": result }));
        Ok(())
    };
    for (count, material) in [(1_000, "plain"), (10_000, "plain"), (1_000, "checker")] {
        let scene = file(&format!("{material}-{count}.json"));
        std::fs::write(&scene, balls(count, material).to_string())?;
        for ending in ["glb", "pbrt"] {
            let what = format!("{count} {material} spheres to {ending}");
            run(&what, &[&scene, &file(&format!("out.{ending}"))], "convert")?;
        }
    }
    let scene = file("instances.pbrt");
    std::fs::write(&scene, instances(8_000))?;
    run("8000 instances from pbrt", &[&scene, &file("back.json")], "convert")?;
    let scene = file("million.json");
    std::fs::write(&scene, million())?;
    run("1000000 shapes refused", &[&scene], "validate")?;
    let text = serde_json::to_string_pretty(&json!({ "files": results }))?;
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())
}

/// Runs the program to its end: seconds, peak memory, and whether it succeeded.
fn measured(program: &str, command: &str, arguments: &[&Path]) -> std::io::Result<Value> {
    let began = Instant::now();
    let mut child = Command::new(program)
        .arg(command)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    loop {
        // Its last high-water mark before it ends is that of the whole run, but for the last moment.
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak_kib = now.unwrap_or(0).max(peak_kib);
        if let Some(ended) = child.try_wait()? {
            return Ok(json!({
                "seconds": (began.elapsed().as_secs_f64() * 1e3).round() / 1e3,
                "peak_mib": peak_kib / 1024,
                "succeeded": ended.success(),
            }));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Spheres in rows, of seven sizes.
fn balls(count: usize, material: &str) -> Value {
    let albedo = match material {
        "checker" => json!({ "type": "checker" }),
        _ => json!([0.6, 0.4, 0.3]),
    };
    let ball = |at: usize| {
        json!({ "id": format!("ball_{at}"), "type": "sphere", "properties": {
            "center": [at % 100, 0.2, at / 100], "radius": 0.2 + 0.01 * (at % 7) as f64,
            "material": { "type": "lambertian", "albedo": albedo } } })
    };
    json!({ "version": 1, "shapes": (0..count).map(ball).collect::<Vec<_>>() })
}

/// An object of one triangle, shown so many times.
fn instances(count: usize) -> String {
    let mut text = String::from(
        "WorldBegin\nObjectBegin \"leaf\"\nShape \"trianglemesh\" \"integer indices\" [ 0 1 2 ] \
         \"point3 P\" [ 0 0 0 1 0 0 0 1 0.5 ]\nObjectEnd\n",
    );
    for at in 0..count {
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "AttributeBegin Translate {at} 0 2 ObjectInstance \"leaf\" AttributeEnd"
        );
    }
    text
}

/// Many more shapes than a scene holds.
fn million() -> String {
    let mut text = String::from("{\"version\": 1, \"shapes\": [");
    for at in 0..1_000_000 {
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}{{\"id\": \"ball_{at}\", \"type\": \"sphere\", \"properties\": {{\"center\": \
             [{at}, 0, 0], \"radius\": 1}}}}"
        );
    }
    text + "]}"
}
