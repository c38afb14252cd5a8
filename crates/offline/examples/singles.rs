//! What plain requests come to: `singles FILE ...` reads lines such as `- a red ball` and `- [a table] put a cup on
//! it` (in brackets what is there before) and prints what the model answered and what is different then, for
//! somebody who judges whether that is what was asked for.

#![expect(clippy::print_stdout, reason = "what this is run for")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use conversation::{Conversation, Timed};
use offline::Offline;
use scene::{NoAssets, Scene, diff};
use serde_json::Value;
use spatial::Space;

mod conversation;

/// What a whole is made of, shortly: presets, types and colours.
fn paint(shape: &Value) -> String {
    let material = &shape["properties"]["material"];
    if let Some(name) = material.as_str() {
        return name.to_owned();
    }
    let hex = |value: &Value| {
        let part = |at: usize| {
            (value[at].as_f64().unwrap_or(0.0).clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8
        };
        format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
    };
    let kind = material["type"].as_str().or(material["preset"].as_str()).unwrap_or("?");
    let colour = ["albedo", "color", "emission"].iter().find(|name| material[**name].is_array());
    match colour {
        Some(name) => format!("{kind} {}", hex(&material[*name])),
        None => format!("{kind} {}", material.to_string().chars().take(70).collect::<String>()),
    }
}

/// Every whole of a scene: where it is, how large, of what.
fn wholes(scene: &Scene) -> BTreeMap<String, String> {
    let space = Space::of(scene, &NoAssets);
    let mut extents: BTreeMap<String, (usize, spatial::Extent, BTreeSet<String>)> = BTreeMap::new();
    for body in space.bodies() {
        let name = space.whole_of(body).unwrap_or(body.id).to_owned();
        let extent = body.solid.extent();
        let paint =
            body.shape().map_or_else(|| "light".to_owned(), |shape| paint(&shape.to_json()));
        let entry = extents.entry(name).or_insert_with(|| (0, extent, BTreeSet::new()));
        entry.0 += 1;
        entry.1 = entry.1.union(extent);
        entry.2.insert(paint);
    }
    let told =
        |(name, (count, extent, paints)): (String, (usize, spatial::Extent, BTreeSet<String>))| {
            let (at, size) = (extent.center(), extent.size());
            let paints: Vec<String> = paints.into_iter().take(3).collect();
            let text = format!(
                "({count}) at {:.2},{:.2},{:.2} bottom {:.2} size {:.2}x{:.2}x{:.2} {}",
                at.x,
                at.y,
                at.z,
                extent.min.y,
                size.x,
                size.y,
                size.z,
                paints.join("|")
            );
            (name, text)
        };
    extents.into_iter().map(told).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Offline::warm();
    let mut slowest = Duration::ZERO;
    let mut slow = String::new();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let singles = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        for (number, single) in singles.enumerate() {
            let mut conversation = Conversation::over(Scene::default());
            let given = single.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            println!("\n=== {} {single}", number + 1);
            if let Some((given, _)) = given {
                println!("  given: {}", conversation.say(given, &[]).replace('\n', " / "));
            }
            let request = given.map_or(single, |(_, request)| request.trim());
            let before = conversation.scene();
            if given.is_some() {
                for (name, text) in wholes(&before).iter().take(12) {
                    println!("     . {name} {text}");
                }
            }
            println!("  > {}", conversation.say(request, &[]).replace('\n', " / "));
            let after = conversation.scene();
            let (old, new) = (wholes(&before), wholes(&after));
            for (name, text) in &old {
                match new.get(name) {
                    None => println!("     - {name}"),
                    Some(now) if now != text => println!("     * {name} {text} -> {now}"),
                    Some(_) => {}
                }
            }
            for (name, text) in new.iter().filter(|(name, _)| !old.contains_key(*name)).take(30) {
                println!("     + {name} {text}");
            }
            for change in diff(&before, &after) {
                if change.id.is_none() {
                    let now = change.after.map(|value| value.to_string()).unwrap_or_default();
                    println!(
                        "     ~ {:?} {}",
                        change.kind,
                        now.chars().take(260).collect::<String>()
                    );
                }
            }
            for Timed { own, said } in conversation.times {
                if own > slowest {
                    (slowest, slow) = (own, said);
                }
            }
        }
    }
    println!("\nslowest: {:.1} ms {slow}", slowest.as_secs_f64() * 1e3);
    Ok(())
}
