//! ComfyUI's image nodes, with the same pixels as on CPU. Each module says how exact it is, and why not more.
//!
//! - `load`, `decode`: reading files; `save`, `animate`, `websocket`: writing files
//! - `scale`, `interpolate`, `lanczos`: resizing
//! - `batch`, `transform`, `stitch`: batches and geometry
//! - `blend`, `alpha`: compositing
//! - `blur`, `canny`, `quantize`, `median_cut`, `morphology`, `noise`, `yuv`: filters
//! - `tensor`: shared operations

use verdigraph_core::graph::ComfyVersion;

mod alpha;
mod animate;
mod batch;
mod blend;
mod blur;
mod canny;
mod decode;
mod interpolate;
mod lanczos;
mod load;
mod median_cut;
pub(super) mod morphology;
mod noise;
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

#[must_use]
pub fn nodes(like: ComfyVersion) -> Vec<Box<dyn Node>> {
    let is_old = like < ComfyVersion::V0_33_0;
    vec![
        Plain::output(like, "SaveImage", "images", save::save),
        Plain::output(like, "PreviewImage", "images", |inputs, context| {
            save::preview(inputs.image("images")?, context, save::Compression::Fast)
        }),
        Box::new(load::Load { class: "LoadImage", like }),
        Box::new(load::LoadMask(like)),
        Box::new(load::Load { class: "LoadImageOutput", like }),
        Box::new(websocket::SaveWebsocket(like)),
        Plain::boxed(like, "ImageScale", scale::scale),
        Plain::boxed(like, "ImageScaleBy", scale::scale_by),
        Plain::boxed(like, "ImageInvert", batch::invert),
        Plain::boxed(like, "ImageBatch", batch::join),
        Plain::boxed(like, "ImagePadForOutpaint", transform::pad_for_outpaint),
        Plain::boxed(like, "EmptyImage", batch::empty_image),
        Plain::boxed(like, "ImageBlend", blend::blend),
        Plain::boxed(like, "ImageBlur", blur::blur),
        Plain::boxed(like, "ImageQuantize", quantize::quantize),
        Plain::boxed(like, "ImageSharpen", blur::sharpen),
        Plain::boxed(
            like,
            "ImageScaleToTotalPixels",
            if is_old { scale::scale_to_pixels } else { scale::scale_to_pixels_in_steps },
        ),
        Plain::boxed(like, "ImageCompositeMasked", alpha::composite_masked),
        Plain::boxed(like, "PorterDuffImageComposite", alpha::porter_duff),
        Plain::boxed(like, "SplitImageWithAlpha", alpha::split),
        Plain::boxed(like, "JoinImageWithAlpha", alpha::join),
        Box::new(Rebatch(like)),
        Plain::boxed(like, "ImageCrop", transform::crop),
        Plain::boxed(like, "RepeatImageBatch", batch::repeat),
        Plain::boxed(like, "ImageFromBatch", if is_old { batch::take } else { batch::take_from_either_end }),
        Plain::boxed(like, "ImageAddNoise", noise::add),
        Plain::output(like, "SaveAnimatedWEBP", "images", animate::save_webp),
        Plain::output(like, "SaveAnimatedPNG", "images", animate::save_png),
        Plain::boxed(like, "ImageStitch", stitch::stitch),
        Plain::boxed(like, "ResizeAndPadImage", scale::resize_and_pad),
        Plain::boxed(like, "GetImageSize", batch::get_size),
        Plain::boxed(like, "ImageRotate", transform::rotate),
        Plain::boxed(like, "ImageFlip", transform::flip),
        Plain::boxed(like, "ImageScaleToMaxDimension", scale::scale_to_max),
        Plain::boxed(like, "Morphology", morphology::morphology),
        Plain::boxed(like, "ImageRGBToYUV", yuv::to_yuv),
        Plain::boxed(like, "ImageYUVToRGB", yuv::from_yuv),
        Plain::boxed(like, "Canny", canny::canny),
    ]
}

/// RebatchImages, the only image node that takes whole lists.
struct Rebatch(ComfyVersion);

impl Node for Rebatch {
    fn class(&self) -> &'static str {
        "RebatchImages"
    }

    fn definition(&self, _folders: &Folders) -> serde_json::Value {
        super::definition::entry(self.0, self.class())
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        batch::rebatch(inputs, context)
    }

    fn input_is_list(&self) -> bool {
        true
    }
}
