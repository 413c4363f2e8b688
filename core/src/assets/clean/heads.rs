//! Files that are not pictures and have the graph in their head: GLB, tensors (also latents), and SVG. ComfyUI writes
//! the prompt, and the editor's graph beside it, as JSON texts. Everything else in the head stays as it is written.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write};

use indexmap::IndexMap;
use serde_json::value::{RawValue, to_raw_value};

use crate::assets::media::{MediaType, foreign};
use crate::assets::storage::spool::Spool;

/// The largest head that is read.
const MOST_HEAD_BYTES: u64 = 64 << 20;
/// A GLB begins with magic, version and length of the file, and with length and kind of the first chunk.
const GLB_BYTES: u64 = 20;
/// A file of tensors begins with the length of its head.
const LENGTH_BYTES: u64 = 8;

type Fields = IndexMap<String, Box<RawValue>>;

/// What a file has of its graph.
#[derive(Debug)]
pub(in crate::assets) enum GraphInHead {
    /// The file is of no kind whose head is known.
    Unknown,
    Absent,
    /// The file without it.
    Removed(Spool),
}

/// The file without prompt and graph. Blocking.
pub(in crate::assets) fn without_graph(file: &Spool, media: MediaType) -> io::Result<GraphInHead> {
    match media {
        MediaType::Latent | MediaType::Safetensors => tensors(file),
        _ if file.head().starts_with(b"glTF") => glb(file),
        _ if foreign(file.head()) == Some("SVG") => svg(file),
        _ => Ok(GraphInHead::Unknown),
    }
}

fn tensors(file: &Spool) -> io::Result<GraphInHead> {
    let Some(length) = number::<8>(file.head(), 0).map(u64::from_le_bytes) else { return Ok(GraphInHead::Unknown) };
    let Some(head) = part(file, LENGTH_BYTES, length)? else { return Ok(GraphInHead::Unknown) };
    let Some(mut fields) = fields(&head) else { return Ok(GraphInHead::Unknown) };
    let Some(clean) = fields.get("__metadata__").and_then(|metadata| without_graph_in(metadata)) else {
        return Ok(GraphInHead::Absent);
    };
    fields.insert("__metadata__".to_owned(), clean);
    // The tensors begin at a multiple of eight.
    let head = padded(&fields, 8)?;
    let clean = Spool::write_with(|to| {
        to.write_all(&(head.len() as u64).to_le_bytes())?;
        to.write_all(&head)?;
        copy_from(file, LENGTH_BYTES + length, u64::MAX, to)
    });
    clean.map(GraphInHead::Removed)
}

fn glb(file: &Spool) -> io::Result<GraphInHead> {
    let word = |at: usize| number::<4>(file.head(), at).map(u32::from_le_bytes);
    let (Some(2), Some(stated), Some(length)) = (word(4), word(8), word(12)) else { return Ok(GraphInHead::Unknown) };
    let (stated, length) = (u64::from(stated), u64::from(length));
    let end = GLB_BYTES + length;
    if file.head().get(16..20) != Some(b"JSON") || stated > file.len() || end > stated {
        return Ok(GraphInHead::Unknown);
    }
    let Some(head) = part(file, GLB_BYTES, length)? else { return Ok(GraphInHead::Unknown) };
    let Some(mut scene) = fields(&head) else { return Ok(GraphInHead::Unknown) };
    let asset = scene.get("asset").and_then(|asset| fields(asset.get().as_bytes()));
    let clean = asset.and_then(|mut asset| {
        let extras = without_graph_in(asset.get("extras")?)?;
        asset.insert("extras".to_owned(), extras);
        to_raw_value(&asset).ok()
    });
    let head = match clean {
        None if stated == file.len() => return Ok(GraphInHead::Absent),
        // Other data follows the file.
        None => head,
        Some(clean) => {
            scene.insert("asset".to_owned(), clean);
            padded(&scene, 4)?
        }
    };
    let (head_bytes, rest) = (head.len() as u64, stated - end);
    let too_large = |_| io::Error::other("the GLB is too large");
    let total = u32::try_from(GLB_BYTES + head_bytes + rest).map_err(too_large)?;
    let length = u32::try_from(head_bytes).map_err(too_large)?;
    let clean = Spool::write_with(|to| {
        to.write_all(b"glTF\x02\0\0\0")?;
        to.write_all(&total.to_le_bytes())?;
        to.write_all(&length.to_le_bytes())?;
        to.write_all(b"JSON")?;
        to.write_all(&head)?;
        copy_from(file, end, rest, to)
    });
    clean.map(GraphInHead::Removed)
}

/// ComfyUI writes `<metadata><![CDATA[…]]></metadata>`. Other metadata of a drawing is XML.
fn svg(file: &Spool) -> io::Result<GraphInHead> {
    const BEGIN: &str = "<metadata>";
    const DATA: (&str, &str) = ("<![CDATA[", "]]>");
    const END: &str = "</metadata>";
    let Some(text) = part(file, 0, file.len())?.and_then(|text| String::from_utf8(text).ok()) else {
        return Ok(GraphInHead::Unknown);
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, inside)) = rest.split_once(BEGIN) {
        kept.push_str(before);
        let end = match inside.trim_start().starts_with(DATA.0) {
            true => inside.find(DATA.1).map_or(inside.len(), |at| at + DATA.1.len()),
            false => 0,
        };
        // Data that is kept is not searched again, so the text is read once.
        let (data, after) = inside.split_at(end);
        rest = match after.trim_start().strip_prefix(END).filter(|_| end > 0) {
            Some(after) => after,
            None => {
                kept.extend([BEGIN, data]);
                after
            }
        };
    }
    kept.push_str(rest);
    Ok(if kept.len() == text.len() { GraphInHead::Absent } else { GraphInHead::Removed(kept.into_bytes().into()) })
}

/// The entries of an object of texts without the prompt, and without the graphs that are beside it. `None` if there is
/// no prompt or graph.
fn without_graph_in(object: &RawValue) -> Option<Box<RawValue>> {
    let mut entries = fields(object.get().as_bytes())?;
    if !entries.contains_key("prompt") && !entries.contains_key("workflow") {
        return None;
    }
    let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
    entries.retain(|key, value| {
        let text: Option<String> = serde_json::from_str(value.get()).ok();
        !matches!(key.as_str(), "prompt" | "workflow") && !is_json(text.as_deref().unwrap_or(value.get()))
    });
    to_raw_value(&entries).ok()
}

fn fields(json: &[u8]) -> Option<Fields> {
    serde_json::from_slice(json).ok()
}

/// The JSON of an object, with blanks up to a multiple of `unit` bytes.
fn padded(object: &Fields, unit: usize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(object)?;
    text.resize(text.len().next_multiple_of(unit), b' ');
    Ok(text)
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

/// A part of the file; `None` if the file is shorter, or the part is too large to be read.
fn part(file: &Spool, from: u64, length: u64) -> io::Result<Option<Vec<u8>>> {
    let is_there = from.checked_add(length).is_some_and(|end| end <= file.len());
    if !is_there || length > MOST_HEAD_BYTES {
        return Ok(None);
    }
    let mut reader = file.reader()?;
    reader.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    reader.take(length).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn copy_from(file: &Spool, from: u64, most: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut reader = file.reader()?;
    reader.seek(SeekFrom::Start(from))?;
    io::copy(&mut reader.take(most), to).map(drop)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const GRAPH: &str = r#"{"3":{"class_type":"KSampler"}}"#;

    fn read(file: &Spool) -> Vec<u8> {
        part(file, 0, file.len()).expect("memory").expect("a small file")
    }

    fn clean(bytes: &[u8], media: MediaType) -> Option<Vec<u8>> {
        match without_graph(&bytes.to_vec().into(), media).expect("memory") {
            GraphInHead::Removed(file) => Some(read(&file)),
            GraphInHead::Absent | GraphInHead::Unknown => None,
        }
    }

    fn has_graph(bytes: &[u8]) -> bool {
        bytes.windows(8).any(|window| window == b"KSampler")
    }

    /// A file of one tensor whose head has these texts.
    fn tensor_file(head: &str) -> Vec<u8> {
        [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), b"\x01\x02\x03\x04"].concat()
    }

    #[test]
    fn tensors_keep_their_numbers_and_other_texts() {
        let entry = r#""latent_tensor":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#;
        let texts = json!({ "prompt": GRAPH, "format": "pt", "workflow": "{}", "extra": "[1]" });
        let bytes = tensor_file(&format!(r#"{{"__metadata__":{texts},{entry}}}"#));
        assert!(has_graph(&bytes));
        let found = clean(&bytes, MediaType::Latent).expect("a graph");
        let head = format!(r#"{{"__metadata__":{{"format":"pt"}},{entry}}}"#);
        assert_eq!(found, tensor_file(&format!("{head:length$}", length = head.len().next_multiple_of(8))));
        for head in [format!("{{{entry}}}"), format!(r#"{{"__metadata__":{{"ss_tags":"{{}}"}},{entry}}}"#)] {
            assert_eq!(clean(&tensor_file(&head), MediaType::Safetensors), None, "{head}");
        }
    }

    fn glb_file(scene: &str, after: &[u8]) -> Vec<u8> {
        let scene = format!("{scene:width$}", width = scene.len().next_multiple_of(4));
        let binary = [&4_u32.to_le_bytes()[..], b"BIN\0\x07\x08\x09\x0a"].concat();
        let total = u32::try_from(20 + scene.len() + binary.len()).expect("short");
        let length = u32::try_from(scene.len()).expect("short").to_le_bytes();
        [b"glTF\x02\0\0\0", &total.to_le_bytes()[..], &length, b"JSON", scene.as_bytes(), &binary, after].concat()
    }

    #[test]
    fn glb_keeps_its_scene_as_it_is_written() {
        let texts = json!({ "prompt": GRAPH, "workflow": GRAPH, "author": "Ann" });
        let scene = |extras: &str| {
            format!(r#"{{"asset":{{"version":"2.0","extras":{extras}}},"nodes":[{{"scale":[1.0,1e-7,1]}}]}}"#)
        };
        let bytes = glb_file(&scene(&texts.to_string()), b"");
        assert!(has_graph(&bytes));
        assert_eq!(clean(&bytes, MediaType::Other), Some(glb_file(&scene(r#"{"author":"Ann"}"#), b"")));
        let plain = glb_file(&scene("{}"), b"");
        assert_eq!(clean(&plain, MediaType::Other), None);
        assert_eq!(clean(&glb_file(&scene("{}"), GRAPH.as_bytes()), MediaType::Other), Some(plain));
    }

    #[test]
    fn svg_loses_data_and_keeps_other_metadata() {
        let drawing = |metadata: &str| format!("<svg xmlns='http://www.w3.org/2000/svg'>{metadata}<g/></svg>");
        let data = format!("<metadata>\n<![CDATA[\n{{\"prompt\": {GRAPH}, \"a\": \"</metadata>\"}}\n]]>\n</metadata>");
        assert_eq!(clean(drawing(&data).as_bytes(), MediaType::Other), Some(drawing("").into_bytes()));
        let license = "<metadata><rdf:RDF/></metadata>";
        assert_eq!(clean(drawing(license).as_bytes(), MediaType::Other), None);
        let both = drawing(&format!("{license}{data}"));
        assert_eq!(clean(both.as_bytes(), MediaType::Other), Some(drawing(license).into_bytes()));
    }

    #[test]
    fn broken_files_are_unknown() {
        let texts = json!({ "prompt": GRAPH });
        let tensors = tensor_file(&format!(r#"{{"__metadata__":{texts}}}"#));
        let glb = glb_file(&format!(r#"{{"asset":{{"extras":{texts}}}}}"#), b"");
        for (bytes, media) in [(tensors, MediaType::Latent), (glb, MediaType::Other)] {
            let whole = clean(&bytes, media).expect("a graph");
            assert!(!has_graph(&whole));
            for end in 0..bytes.len() {
                if let Some(cut) = clean(&bytes[..end], media) {
                    assert!(!has_graph(&cut), "{media:?} at {end}");
                }
            }
            for at in 0..bytes.len() {
                for wrong in [0, 0x7f, 0xff] {
                    let mut broken = bytes.clone();
                    broken[at] = wrong;
                    let _any = clean(&broken, media);
                }
            }
        }
    }
}
