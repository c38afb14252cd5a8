//! Prompts: requests that people make often, with blanks to fill in.

use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};

/// A prompt: its name, title, what it is for, its arguments and its text, where `{name}` stands for an argument.
struct Template {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    text: &'static str,
}

/// An argument: its name, what it means, and what it is where it is left out; `None` if it has to be given.
struct Argument {
    name: &'static str,
    description: &'static str,
    default: Option<&'static str>,
}

const TEMPLATES: [Template; 5] = [
    Template {
        name: "build_scene",
        title: "Build a scene",
        description: "Builds a scene from a description, looks at it and mends what a person would notice.",
        arguments: &[Argument { name: "what", description: "What is to be seen.", default: None }],
        text: "Build this 3D scene: {what}. Begin a new session. Look for ready-made objects first \
               (find_objects), build from shapes what is missing, place things with place, light the scene, \
               frame the camera. Look at it with render_preview and check_scene, and mend what a person would \
               notice. At the end show me the picture and say what you built.",
    },
    Template {
        name: "furnish_room",
        title: "Furnish a room",
        description: "Furnishes a room from the catalogue for the people who use it.",
        arguments: &[
            Argument { name: "room", description: "Which room, e.g. study.", default: None },
            Argument {
                name: "people",
                description: "Who uses it and what for.",
                default: Some("one person"),
            },
        ],
        text: "Furnish a {room} for {people}: floor and two walls, then furniture from the catalogue \
               (find_objects, add_object) placed so that one can walk around it, a rug, plants and a few small \
               things, warm lamps and daylight. Check that nothing floats or overlaps, frame the camera at the \
               height of a standing person, and show me the picture.",
    },
    Template {
        name: "product_shot",
        title: "Product shot",
        description: "Sets a stage for one subject: backdrop, three lights, camera.",
        arguments: &[Argument {
            name: "subject",
            description: "What is shown: a description, or the id of what is in the scene.",
            default: None,
        }],
        text: "Make a product shot of {subject}: a seamless backdrop, a large soft key light from the left \
               front, a weaker fill from the right, a rim light from behind, and a camera that frames the \
               subject from slightly above. Look at the picture, correct exposure and framing, and show it.",
    },
    Template {
        name: "light_scene",
        title: "Light the scene",
        description: "Replaces the lighting of the current scene by one of a stated mood.",
        arguments: &[Argument {
            name: "mood",
            description: "E.g. golden hour, overcast noon, night with lamps.",
            default: None,
        }],
        text: "Light the scene anew: {mood}. Look at what is there (get_scene_state), change lights and \
               environment only, compare pictures before and after, and show me the result.",
    },
    Template {
        name: "review_scene",
        title: "Review the scene",
        description: "Looks at the current scene as an art director and mends what is wrong.",
        arguments: &[],
        text: "Look at the current scene from its camera, from above and from the front (render_preview), and \
               at what check_scene finds. List what a critical person would notice, worst first, then mend it \
               with few calls and show me the picture.",
    },
];

/// All prompts.
pub(crate) fn list() -> Vec<Prompt> {
    let prompt = |template: &Template| {
        let argument = |argument: &Argument| {
            PromptArgument::new(argument.name)
                .with_description(argument.description)
                .with_required(argument.default.is_none())
        };
        let arguments: Vec<PromptArgument> = template.arguments.iter().map(argument).collect();
        let arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
        Prompt::new(template.name, Some(template.description), arguments).with_title(template.title)
    };
    TEMPLATES.iter().map(prompt).collect()
}

/// One prompt with its blanks filled in; an error says what is missing.
pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, String> {
    let template = TEMPLATES.iter().find(|template| template.name == request.name);
    let template = template.ok_or_else(|| {
        let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        format!("there is no prompt '{}'; the prompts are: {}", request.name, names.join(", "))
    })?;
    let mut text = template.text.to_owned();
    for Argument { name, default, description } in template.arguments {
        let given = request.arguments.as_ref().and_then(|arguments| arguments.get(*name));
        let given =
            given.and_then(|given| given.as_str()).map(str::trim).filter(|given| !given.is_empty());
        let value = given.or(*default).ok_or_else(|| {
            format!("prompt '{}' needs the argument '{name}': {description}", template.name)
        })?;
        text = text.replace(&format!("{{{name}}}"), value);
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(template.description))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(name: &str, arguments: &serde_json::Value) -> Result<String, String> {
        let request = GetPromptRequestParams::new(name)
            .with_arguments(arguments.as_object().cloned().unwrap_or_default());
        get(&request).map(|result| {
            let message = serde_json::to_value(&result.messages[0]).unwrap();
            message["content"]["text"].as_str().unwrap().to_owned()
        })
    }

    #[test]
    fn prompts_are_filled_in_and_say_what_is_missing() {
        for prompt in list() {
            let arguments = prompt.arguments.unwrap_or_default();
            let given =
                arguments.iter().map(|argument| (argument.name.clone(), json!("a red barn")));
            let text =
                asked(&prompt.name, &given.collect::<serde_json::Map<_, _>>().into()).unwrap();
            assert!(!text.contains(['{', '}']), "{text}");
            assert_eq!(text.contains("a red barn"), !arguments.is_empty(), "{text}");
        }
        assert!(
            asked("furnish_room", &json!({ "room": "study" })).unwrap().contains("for one person")
        );
        let missing = asked("build_scene", &json!({ "what": "  " })).unwrap_err();
        assert_eq!(missing, "prompt 'build_scene' needs the argument 'what': What is to be seen.");
        assert!(asked("dance", &json!({})).unwrap_err().contains("build_scene, furnish_room"));
    }
}
