//! Why an input is proposed.

use serde_json::Value;

use super::links::Links;
use super::offered::Offered;
use crate::mini_apps::form::entries::{InputEntry, UiType};

/// Why an input is proposed, in the order of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Prompt,
    NegativePrompt,
    File,
    /// The size or the length of what is made.
    Size,
    /// A size to which a picture is scaled.
    Rescaling,
    Seed,
}

/// Sizes and lengths by their names.
const SIZES: [&str; 15] = [
    "width",
    "height",
    "batch_size",
    "empty_latent_width",
    "empty_latent_height",
    "length",
    "video_frames",
    "num_frames",
    "frames",
    "seconds",
    "duration",
    "resolution",
    "dimensions",
    "aspect_ratio",
    "size",
];
/// Texts of nodes about texts that are no part of a prompt.
const NO_PROSE: [&str; 8] =
    ["delimiter", "separator", "populated_text", "system_prompt", "filename_prefix", "save_prefix", "find", "replace"];
/// Types of what models read. A node that gives nothing else has no size of a result.
const CONDITIONS: [&str; 9] =
    ["CONDITIONING", "MODEL", "MASK", "CLIP", "VAE", "SIGMAS", "GUIDER", "NOISE", "CLIP_VISION_OUTPUT"];
const PICTURES: [&str; 2] = ["IMAGE", "LATENT"];

pub(super) fn reason(offered: &Offered<'_>, links: &Links<'_>, entry: &InputEntry) -> Option<Reason> {
    let (node, name) = (entry.id.as_str(), entry.name.as_str());
    match entry.adapter.ui_type? {
        UiType::Text | UiType::Textarea if is_prompt(links, node, name) => {
            let is_negative = name.contains("negative") || !name.contains("positive") && links.is_negative(node);
            Some(if is_negative { Reason::NegativePrompt } else { Reason::Prompt })
        }
        UiType::Image | UiType::Video | UiType::Audio | UiType::TextFile => Some(Reason::File),
        UiType::Seed => is_used_seed(offered, node).then_some(Reason::Seed),
        UiType::Range | UiType::Select if SIZES.contains(&name) => size(links, node),
        // A node that only gives a number: it is what its consumers make of it.
        UiType::Range if links.gives(node, &["INT"]) && !links.gives(node, &PICTURES) => {
            let is_seed = |target: &str, input: &str| {
                matches!(input, "seed" | "noise_seed") && links.class(target).is_some() && is_used_seed(offered, target)
            };
            if links.leads(node, "INT", is_seed) {
                return Some(Reason::Seed);
            }
            let sizes = |wanted: Reason| {
                links.leads(node, "INT", |target, input| SIZES.contains(&input) && size(links, target) == Some(wanted))
            };
            [Reason::Size, Reason::Rescaling].into_iter().find(|wanted| sizes(*wanted))
        }
        _ => None,
    }
}

/// Whether a model reads the text: on this node, or on one to which it leads.
fn is_prompt(links: &Links<'_>, node: &str, name: &str) -> bool {
    if NO_PROSE.contains(&name) || name.contains("filename") || name.contains("path") {
        return false;
    }
    let is_named =
        |name: &str| name.contains("prompt") && !NO_PROSE.contains(&name) || name == "positive" || name == "negative";
    let is_encoder = |node: &str| links.gives(node, &["CONDITIONING"]) && !links.gives(node, &["LATENT"]);
    is_named(name)
        || is_encoder(node)
        || links.leads(node, "STRING", |target, input| is_encoder(target) || is_named(input))
}

/// A second sampler that adds no noise does not read its seed.
fn is_used_seed(offered: &Offered<'_>, node: &str) -> bool {
    let adds = offered.prompt.0.get(node).and_then(|node| node.inputs.get("add_noise"));
    !matches!(adds, Some(Value::Bool(false))) && adds.and_then(Value::as_str) != Some("disable")
}

/// What the size of a node is about; `None` for the size of a region or of a model's training.
fn size(links: &Links<'_>, node: &str) -> Option<Reason> {
    let outputs = links.class(node)?.outputs.as_slice();
    if outputs.iter().all(|output| CONDITIONS.contains(&output.kind.as_str())) {
        return None;
    }
    let rescales =
        links.takes(node, &PICTURES) && links.gives(node, &PICTURES) && !links.gives(node, &["CONDITIONING"]);
    Some(if rescales { Reason::Rescaling } else { Reason::Size })
}
