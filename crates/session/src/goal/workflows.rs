//! The built-in workflows.

use goals::{Workflow, WorkflowError, Workflows};

/// Name and text of each file.
const FILES: [(&str, &str); 9] = [
    ("clean-up.toml", include_str!("../../../../workflows/clean-up.toml")),
    ("furnished-room.toml", include_str!("../../../../workflows/furnished-room.toml")),
    ("landscape.toml", include_str!("../../../../workflows/landscape.toml")),
    ("mood-light.toml", include_str!("../../../../workflows/mood-light.toml")),
    ("product-shot.toml", include_str!("../../../../workflows/product-shot.toml")),
    ("still-life.toml", include_str!("../../../../workflows/still-life.toml")),
    ("table-setting.toml", include_str!("../../../../workflows/table-setting.toml")),
    ("three-point-lighting.toml", include_str!("../../../../workflows/three-point-lighting.toml")),
    ("turntable.toml", include_str!("../../../../workflows/turntable.toml")),
];

/// The built-in workflows.
pub fn built_in_workflows() -> Result<Workflows, WorkflowError> {
    let mut workflows = Workflows::default();
    for (file, text) in FILES {
        workflows.add(Workflow::parse(file, text)?);
    }
    Ok(workflows)
}
