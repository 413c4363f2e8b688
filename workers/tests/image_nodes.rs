//! Runs the recorded graphs of `tests/data/fixtures` in process and compares the results with those of real ComfyUI
//! servers of both versions, within each fixture's limit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value as Json;
use verdigraph_workers::cpu::ComfyVersion;
use verdigraph_workers::cpu::budget::{Budget, Memory};
use verdigraph_workers::cpu::node::{Context, Folders, Inputs, Node, NodeError};
use verdigraph_workers::cpu::value::Value;

struct Run {
    graph: Json,
    folders: Folders,
    nodes: Vec<Box<dyn Node>>,
    done: BTreeMap<String, Vec<Vec<Value>>>,
    ui: BTreeMap<String, Vec<Json>>,
    texts: BTreeMap<String, Vec<String>>,
}

impl Run {
    fn node(&mut self, id: &str) -> Result<(), NodeError> {
        if self.done.contains_key(id) {
            return Ok(());
        }
        let entry = self.graph[id].clone();
        let mut inputs: IndexMap<String, Vec<Value>> = IndexMap::new();
        for (name, value) in entry["inputs"].as_object().expect("inputs") {
            let values = match value {
                Json::Array(link) => {
                    let from = link[0].as_str().expect("a link").to_owned();
                    self.node(&from)?;
                    let slot = usize::try_from(link[1].as_u64().expect("a slot")).expect("a slot");
                    self.done[&from][slot].clone()
                }
                Json::String(text) => vec![Value::Text(text.as_str().into())],
                Json::Bool(flag) => vec![Value::Bool(*flag)],
                Json::Number(number) => vec![match number.as_i64() {
                    Some(whole) => Value::Int(whole.into()),
                    None => Value::Float(number.as_f64().expect("a number")),
                }],
                other => panic!("an input of the graph is {other}"),
            };
            inputs.insert(name.clone(), values);
        }
        let class = entry["class_type"].as_str().expect("a class");
        if class == "PreviewAny" {
            let texts = inputs["source"].iter().map(|value| match value {
                Value::Int(number) => number.to_string(),
                other => panic!("{other:?} is shown"),
            });
            self.texts.insert(id.to_owned(), texts.collect());
            return Ok(());
        }
        let node = self.nodes.iter().find(|node| node.class() == class).unwrap_or_else(|| panic!("no node {class}"));
        let budget = Budget::new(4 << 30);
        let memory = Memory::new(&budget, &|| false);
        let context = Context {
            folders: &self.folders,
            node_id: id,
            prompt: &self.graph,
            extra_pnginfo: None,
            max_side: 8192,
            max_bytes: 1 << 30,
            memory: &memory,
            reports: &(),
        };
        let runs = if node.input_is_list() { 1 } else { inputs.values().map(Vec::len).max().unwrap_or(1) };
        let mut outputs: Vec<Vec<Value>> = Vec::new();
        let mut shown = Vec::new();
        for run in 0..runs {
            let given = if node.input_is_list() {
                inputs.clone()
            } else {
                let pick = |values: &Vec<Value>| vec![values[run.min(values.len() - 1)].clone()];
                inputs.iter().map(|(name, values)| (name.clone(), pick(values))).collect()
            };
            let outcome = node.run(&Inputs(given), &context)?;
            for (slot, values) in outcome.outputs.into_iter().enumerate() {
                if outputs.len() <= slot {
                    outputs.push(Vec::new());
                }
                outputs[slot].extend(values);
            }
            shown.extend(outcome.ui.iter().flat_map(|ui| ui["images"].as_array().expect("images").clone()));
        }
        self.done.insert(id.to_owned(), outputs);
        self.ui.insert(id.to_owned(), shown);
        Ok(())
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixtures")
}

fn pixels(path: &Path) -> (u32, u32, u8, Vec<u8>) {
    let image = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if image.color().has_alpha() {
        (image.width(), image.height(), 4, image.into_rgba8().into_raw())
    } else {
        (image.width(), image.height(), 3, image.into_rgb8().into_raw())
    }
}

/// The expected result of a version: its own file, otherwise the common one.
fn expected_file(data: &Path, like: ComfyVersion, file: &str) -> PathBuf {
    let own = data.join(format!("expected-v{like}")).join(file);
    if own.exists() { own } else { data.join(file) }
}

fn compare(name: &str) {
    for like in ComfyVersion::ALL {
        compare_with(name, like);
    }
}

fn compare_with(name: &str, like: ComfyVersion) {
    let data = fixtures().join(name);
    let read = |file: &str| -> Json {
        serde_json::from_slice(&std::fs::read(data.join(file)).expect(file)).expect("fixtures are JSON")
    };
    let (graph, expected) = (read("workflow.json"), read("expected.json"));
    let compare = expected["compare"].as_str().expect("a limit");
    let limit: u8 = compare.strip_prefix("within ").map_or(0, |rest| rest[..1].parse().expect("a limit"));
    let temporary = tempfile::tempdir().expect("a folder");
    let folders =
        Folders { input: data.clone(), output: temporary.path().join("output"), temp: temporary.path().join("temp") };
    let nodes = verdigraph_workers::cpu::nodes(like);
    let ids: Vec<String> = graph.as_object().expect("a graph").keys().cloned().collect();
    let mut run = Run { graph, folders, nodes, done: BTreeMap::new(), ui: BTreeMap::new(), texts: BTreeMap::new() };
    for id in ids {
        run.node(&id).unwrap_or_else(|error| panic!("{name}: node {id}: {error:?}"));
    }

    let mut bad = Vec::new();
    for (id, files) in expected["images"].as_object().expect("images") {
        let files = files.as_array().expect("files");
        let shown = &run.ui[id];
        assert_eq!(shown.len(), files.len(), "{name}: node {id} saves another number of files");
        for (shown, file) in shown.iter().zip(files) {
            let file = file["file"].as_str().expect("a name");
            let subfolder = shown["subfolder"].as_str().expect("a subfolder");
            let saved = run.folders.output.join(subfolder).join(shown["filename"].as_str().expect("a name"));
            let (got, wanted) = (pixels(&saved), pixels(&expected_file(&data, like, file)));
            if (got.0, got.1, got.2) != (wanted.0, wanted.1, wanted.2) {
                bad.push(format!(
                    "{file}: {:?} instead of {:?}",
                    (got.0, got.1, got.2),
                    (wanted.0, wanted.1, wanted.2)
                ));
                continue;
            }
            let far = got.3.iter().zip(&wanted.3).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            let count = got.3.iter().zip(&wanted.3).filter(|(a, b)| a != b).count();
            println!("{like} {name}/{file}: {count} of {} samples differ, by up to {far}", got.3.len());
            if far > limit {
                bad.push(format!("{file}: {count} of {} samples differ, by up to {far}", got.3.len()));
            }
        }
    }
    for (id, text) in expected["text"].as_object().expect("texts") {
        assert_eq!(serde_json::json!(run.texts[id]), *text, "{name}: the text of node {id}");
    }
    assert!(bad.is_empty(), "{name} is further from ComfyUI {like} than {limit}:\n{}", bad.join("\n"));
}

macro_rules! fixtures {
    ($($test:ident $name:literal),+ $(,)?) => {
        $(#[test]
        fn $test() {
            compare($name);
        })+

        #[test]
        fn every_recorded_graph_is_tested() {
            let mut known = vec![$($name),+, "strings"];
            known.sort_unstable();
            let mut found: Vec<String> = std::fs::read_dir(fixtures())
                .expect("the fixtures")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
                .collect();
            found.sort_unstable();
            assert_eq!(found, known, "a folder of fixtures has no test (strings belong to the text nodes)");
        }
    };
}

fixtures! {
    alpha_is_split_and_joined_as_recorded "alpha",
    batches_are_joined_and_divided_as_recorded "batches",
    pictures_blend_as_recorded "blend",
    pictures_blur_as_recorded "blur",
    a_long_graph_ends_as_recorded "chain",
    masked_composites_are_as_recorded "composite-masked",
    crops_are_as_recorded "crop",
    empty_images_are_as_recorded "empty-image",
    file_formats_load_as_recorded "file-formats",
    jpeg_files_load_as_recorded "file-formats-jpeg",
    pictures_turn_and_join_as_recorded "flip-rotate-stitch",
    images_become_masks_as_recorded "image-to-mask",
    pictures_invert_as_recorded "invert",
    masks_change_as_recorded "masks",
    padding_for_outpainting_is_as_recorded "pad-outpaint",
    porter_duff_modes_are_as_recorded "porter-duff",
    pictures_quantize_as_recorded "quantize",
    scaling_with_a_centred_crop_is_as_recorded "scale-crop-center",
    scaling_down_is_as_recorded "scale-down",
    scaling_up_is_as_recorded "scale-up",
    scaling_with_a_free_side_is_as_recorded "scale-zero-side",
    pictures_sharpen_as_recorded "sharpen",
}

#[test]
fn definition_has_the_nodes_class_name() {
    let folders = Folders { input: fixtures().join("alpha"), output: PathBuf::new(), temp: PathBuf::new() };
    for node in ComfyVersion::ALL.into_iter().flat_map(verdigraph_workers::cpu::nodes) {
        assert_eq!(node.definition(&folders)["name"], node.class(), "object_info lists a node under a wrong name");
    }
}
