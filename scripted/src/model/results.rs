//! Results of prompts: history entries, and generated files.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{Job, Model, replaced};
use crate::wire::{Request, Response};

/// Maximum number of kept entries and files.
const MAX_HISTORY: usize = 1000;
const MAX_FILES: usize = 4000;

impl Model {
    pub(super) fn record(&mut self, job: &mut Job, message: &Value) {
        let Some((kind, data)) = message.get("type").and_then(Value::as_str).zip(message.get("data")) else { return };
        if data.get("prompt_id").and_then(Value::as_str) != Some(job.id.as_str()) {
            return;
        }
        let pair = || json!([kind, data]);
        match kind {
            "execution_start" | "execution_cached" => job.messages.push(pair()),
            "executed" => {
                if let Some((node, output)) = data.get("node").and_then(Value::as_str).zip(data.get("output")) {
                    job.outputs.insert(node.to_owned(), output.clone());
                    let display_node = data.get("display_node").and_then(Value::as_str).unwrap_or(node);
                    let parent = (display_node != node).then_some(display_node);
                    let meta = json!({"node_id": node, "display_node": display_node, "parent_node": parent,
                        "real_node_id": node});
                    job.meta.insert(node.to_owned(), meta);
                    self.make_files(output);
                }
            }
            "execution_success" | "execution_error" | "execution_interrupted" => {
                job.messages.push(pair());
                self.keep(job);
            }
            _ => {}
        }
    }

    /// Writes the prompt's history entry.
    fn keep(&mut self, job: &mut Job) {
        if job.recorded || job.run.unrecorded {
            return;
        }
        job.recorded = true;
        let entry = match &job.run.history {
            Some(entry) => replaced(entry, &job.id),
            None => {
                let ended_well = job.messages.last().is_some_and(|message| {
                    !matches!(message[0].as_str(), Some("execution_error" | "execution_interrupted"))
                });
                let status = json!({"status_str": if ended_well { "success" } else { "error" },
                    "completed": ended_well, "messages": job.messages});
                json!({"prompt": job.item(), "outputs": job.outputs, "status": status, "meta": job.meta})
            }
        };
        for output in entry.get("outputs").and_then(Value::as_object).into_iter().flatten() {
            self.make_files(output.1);
        }
        self.history.insert(job.id.clone(), entry);
        while self.history.len() > MAX_HISTORY {
            self.history.shift_remove_index(0);
        }
    }

    /// Ends the running prompt.
    pub fn finish(&mut self) {
        if let Some(mut job) = self.running.take() {
            self.journal.ended(&job.id);
            self.keep(&mut job);
        }
        self.interrupted = None;
    }

    /// Generates a file for every name in an output.
    fn make_files(&mut self, output: &Value) {
        if self.stale {
            return;
        }
        for file in output.as_object().into_iter().flatten().flat_map(|(_, list)| list.as_array()).flatten() {
            let part = |name: &str| file.get(name).and_then(Value::as_str).unwrap_or_default();
            if !part("filename").is_empty() {
                let key = place(part("type"), part("subfolder"), part("filename"));
                let bytes = content(part("filename"), self.options.image_side);
                self.files.insert(key, bytes);
            }
        }
        while self.files.len() > MAX_FILES {
            self.files.shift_remove_index(0);
        }
    }

    pub fn clean_outputs(&mut self) {
        self.files.clear();
        self.stale = true;
    }

    pub(super) fn view(&self, request: &Request) -> Response {
        let part = |name: &str| request.query.get(name).map(String::as_str).unwrap_or_default();
        if part("subfolder").split(['/', '\\']).any(|folder| folder == "..") {
            return Response::status(403, "");
        }
        match self.files.get(&place(part("type"), part("subfolder"), part("filename"))) {
            Some(bytes) => Response { status: 200, content_type: "application/octet-stream", body: bytes.clone() },
            None => Response::status(404, ""),
        }
    }
}

fn place(folder: &str, subfolder: &str, filename: &str) -> String {
    format!("{}/{subfolder}/{filename}", if folder.is_empty() { "output" } else { folder })
}

/// A real picture for picture names, otherwise the magic bytes of the file type.
fn content(filename: &str, side: u32) -> Bytes {
    let seed = filename.bytes().fold(7_u32, |seed, byte| seed.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let [red, green, blue, _] = seed.to_le_bytes();
    let picture = |format| {
        let pixels = image::RgbImage::from_fn(side, side, |x, y| {
            let shade = u8::try_from((x ^ y) & 0xff).unwrap_or_default();
            image::Rgb([red ^ shade, green, blue.wrapping_add(shade)])
        });
        let mut bytes = std::io::Cursor::new(Vec::new());
        // Writing these formats to memory cannot fail for this shape.
        let _ = pixels.write_to(&mut bytes, format);
        Bytes::from(bytes.into_inner())
    };
    if filename.starts_with("empty") {
        return Bytes::new();
    }
    if filename.starts_with("large") {
        return wide_png();
    }
    let starting = |magic: &[u8]| Bytes::from([magic, &seed.to_be_bytes(), &[0; 16]].concat());
    match filename.rsplit('.').next() {
        Some("png") => picture(image::ImageFormat::Png),
        Some("webp") => picture(image::ImageFormat::WebP),
        Some("jpg" | "jpeg") => picture(image::ImageFormat::Jpeg),
        Some("webm") => starting(b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm"),
        Some("mp4") => starting(b"\0\0\0\x18ftypisom"),
        Some("flac") => starting(b"fLaC"),
        Some("mp3") => starting(b"ID3"),
        Some("opus" | "ogg") => starting(b"OggS"),
        Some("mov") => starting(b"\0\0\0\x14ftypqt  "),
        Some("mkv") => starting(b"\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska"),
        Some("glb") => starting(b"glTF\x02\0\0\0"),
        Some("svg") => Bytes::from_static(SVG),
        Some("html") => Bytes::from_static(b"<!doctype html><script>document.title = 'run'</script>"),
        Some("txt") => Bytes::from_static(b"a text\n"),
        Some("csv") => Bytes::from_static(b"name,value\none,1\n"),
        Some("json") => Bytes::from_static(b"{\"one\": 1}\n"),
        Some("ply") => Bytes::from_static(b"ply\nformat ascii 1.0\nelement vertex 0\nend_header\n"),
        Some("obj") => Bytes::from_static(b"o statue\nv 0 0 0\n"),
        Some("latent") => Bytes::from_static(b"\x2a\0\0\0\0\0\0\0{\"latent_tensor\":{\"dtype\":\"F32\"}}      "),
        _ => starting(b"data"),
    }
}

const SVG: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>document.title = 'run'</script></svg>";

/// A width that is more than platforms decode.
const WIDE: u32 = 17_000;

/// A PNG with that width.
fn wide_png() -> Bytes {
    let mut bytes = std::io::Cursor::new(Vec::new());
    // Writing this format to memory cannot fail for this shape.
    let _ = image::GrayImage::new(WIDE, 4).write_to(&mut bytes, image::ImageFormat::Png);
    Bytes::from(bytes.into_inner())
}
