//! Files of agents.

use sub_agents::{SubAgent, built_in_agents};

const GOOD: &str = "name = \"painter\"\ndescription = \"Paints.\"\ninstruction = \"Paint well.\"\n";

#[test]
fn a_file_is_an_agent_or_says_what_is_wrong_with_it() {
    let read = |more: &str| SubAgent::parse("painter.toml", &format!("{GOOD}{more}"));
    let agent = read("tools = [\"update_shape\"]\n[limits]\nturns = 3\n").unwrap();
    assert_eq!((agent.limits.turns, agent.limits.seconds), (3, 300));
    assert!(agent.may_change.is_empty());
    for (more, words) in [
        ("tools = [\"paint\"]", "'paint'"),
        ("tools = [\"delegate_to_critic\"]", "hands no tasks to others"),
        ("[limits]\nturns = 0", "at least 1"),
        ("[may_change]\nkinds = [\"wall\"]", "wall"),
        ("colour = 1", "colour"),
    ] {
        let error = read(more).unwrap_err().to_string();
        assert!(error.starts_with("the agent painter.toml: ") && error.contains(words), "{error}");
    }
    let nameless = SubAgent::parse("a.toml", &GOOD.replace("painter", "a painter")).unwrap_err();
    assert!(nameless.to_string().contains("'name'"), "{nameless}");
    let silent = SubAgent::parse("a.toml", &GOOD.replace("Paint well.", " ")).unwrap_err();
    assert!(silent.to_string().contains("'instruction'"), "{silent}");
}

#[test]
fn three_are_built_in_and_the_critic_changes_nothing() {
    let agents = built_in_agents().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["critic", "lighting_artist", "set_dresser"]);
    for agent in agents.iter() {
        assert_eq!(agent.may_change.is_empty(), agent.name == "critic", "{}", agent.name);
    }
}
