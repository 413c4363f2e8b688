//! ComfyUI's image nodes, equal to the pixels of version 0.3.64 on CPU; each module says how equal, and why not more.
//!
//! - `load`, `decode`: files in; `save`, `animate`, `python_json`, `websocket`: files out
//! - `scale`, `interpolate`, `lanczos`: resizing
//! - `batch`, `transform`, `stitch`: batches and places
//! - `blend`, `alpha`: pictures over pictures
//! - `blur`, `quantize`, `median_cut`, `morphology`, `noise`, `yuv`: filters
//! - `tensor`: what they share

mod alpha;
mod animate;
mod batch;
mod blend;
mod blur;
mod decode;
mod interpolate;
mod lanczos;
mod load;
mod median_cut;
pub(super) mod morphology;
mod noise;
mod python_json;
mod quantize;
pub(super) mod save;
mod scale;
mod stitch;
pub(super) mod tensor;
mod transform;
mod websocket;
mod yuv;

use super::definition::Plain;
use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// The nodes of this family.
#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    vec![
        Plain::boxed("SaveImage", save::save),
        Plain::boxed("PreviewImage", |inputs, context| {
            save::preview(inputs.image("images")?, context, save::Compression::Fast)
        }),
        Box::new(load::Load("LoadImage")),
        Box::new(load::LoadMask),
        Box::new(load::Load("LoadImageOutput")),
        Box::new(websocket::SaveWebsocket),
        Plain::boxed("ImageScale", scale::scale),
        Plain::boxed("ImageScaleBy", scale::scale_by),
        Plain::boxed("ImageInvert", batch::invert),
        Plain::boxed("ImageBatch", batch::join),
        Plain::boxed("ImagePadForOutpaint", transform::pad_for_outpaint),
        Plain::boxed("EmptyImage", batch::empty_image),
        Plain::boxed("ImageBlend", blend::blend),
        Plain::boxed("ImageBlur", blur::blur),
        Plain::boxed("ImageQuantize", quantize::quantize),
        Plain::boxed("ImageSharpen", blur::sharpen),
        Plain::boxed("ImageScaleToTotalPixels", scale::scale_to_pixels),
        Plain::boxed("ImageCompositeMasked", alpha::composite_masked),
        Plain::boxed("PorterDuffImageComposite", alpha::porter_duff),
        Plain::boxed("SplitImageWithAlpha", alpha::split),
        Plain::boxed("JoinImageWithAlpha", alpha::join),
        Box::new(Rebatch),
        Plain::boxed("ImageCrop", transform::crop),
        Plain::boxed("RepeatImageBatch", batch::repeat),
        Plain::boxed("ImageFromBatch", batch::take),
        Plain::boxed("ImageAddNoise", noise::add),
        Plain::boxed("SaveAnimatedWEBP", animate::save_webp),
        Plain::boxed("SaveAnimatedPNG", animate::save_png),
        Plain::boxed("ImageStitch", stitch::stitch),
        Plain::boxed("ResizeAndPadImage", scale::resize_and_pad),
        Plain::boxed("GetImageSize", batch::get_size),
        Plain::boxed("ImageRotate", transform::rotate),
        Plain::boxed("ImageFlip", transform::flip),
        Plain::boxed("ImageScaleToMaxDimension", scale::scale_to_max),
        Plain::boxed("Morphology", morphology::morphology),
        Plain::boxed("ImageRGBToYUV", yuv::to_yuv),
        Plain::boxed("ImageYUVToRGB", yuv::from_yuv),
    ]
}

/// RebatchImages, the one node here that takes lists whole.
struct Rebatch;

impl Node for Rebatch {
    fn class(&self) -> &'static str {
        "RebatchImages"
    }

    fn definition(&self, _folders: &Folders) -> serde_json::Value {
        super::definition::entry(self.class())
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        batch::rebatch(inputs, context)
    }

    fn input_is_list(&self) -> bool {
        true
    }
}
