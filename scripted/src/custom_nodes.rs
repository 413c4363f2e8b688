//! Custom nodes with unusual outputs, by class.

use serde_json::{Value, json};

use crate::run::{Run, THIS_PROMPT, text};

/// The output of a node of this class; `None` for another class.
#[must_use]
pub fn shown(class: &str) -> Option<Value> {
    let file = |name: &str, subfolder: &str| json!({"filename": name, "subfolder": subfolder, "type": "output"});
    Some(match class {
        // The second file is outside the worker's folder, so a stock server refuses it.
        "WildElsewhere" => json!({"images": [file("good_00001_.png", ""), file("away_00001_.png", "../elsewhere")]}),
        "WildEmpty" => json!({"images": [file("good_00002_.png", ""), file("empty_00001_.png", "")]}),
        "WildMesh" => json!({"3d": [file("statue_00001_.glb", "mesh")], "result": [file("statue_00001_.obj", "mesh")]}),
        "WildFiles" => {
            let endings = ["ply", "svg", "mov", "mkv", "txt", "csv", "json", "latent", "html"];
            let files: Vec<Value> = endings.iter().map(|ending| file(&format!("thing_00001_.{ending}"), "")).collect();
            json!({ "files": files })
        }
        "WildValues" => json!({
            "tags": ["1girl, solo", "outdoors"], "value": [42], "result": [[0.5, true], ["nested", ["deep"]]],
            "text": ["a text"], "animated": [false],
        }),
        "WildLarge" => json!({"images": [file("large_00001_.png", "")]}),
        _ => return None,
    })
}

/// A run in which `node` expands into a subgraph of three nodes, the last of which shows a picture.
#[must_use]
pub fn expanding(node: &str) -> Run {
    let inner = |place: usize| format!("{node}.0.0.{place}");
    let mut run = Run::success(&[node.to_owned()], &[], std::time::Duration::ZERO);
    let mut steps = Vec::new();
    for place in 1..=3 {
        let id = inner(place);
        steps.push(text("executing", json!({"node": id, "display_node": node, "prompt_id": THIS_PROMPT})));
        steps.push(text(
            "progress_state",
            json!({"prompt_id": THIS_PROMPT, "nodes": {id.as_str(): {"value": 1.0, "max": 1.0, "state": "finished",
                "node_id": id, "prompt_id": THIS_PROMPT, "display_node_id": node, "parent_node_id": node,
                "real_node_id": id}}}),
        ));
    }
    let picture = json!({"images": [{"filename": "loop_00001_.png", "subfolder": "", "type": "output"}]});
    steps.push(text(
        "executed",
        json!({"node": inner(3), "display_node": node, "output": picture, "prompt_id": THIS_PROMPT}),
    ));
    let place = run.steps.iter().position(|step| step.kind() == Some("execution_success")).unwrap_or(run.steps.len());
    run.steps.splice(place..place, steps);
    run
}
