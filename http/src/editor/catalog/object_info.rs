//! `object_info`: all node classes that the caller's jobs can use, with the caller's own files in the lists of files.
//!
//! It has about a megabyte, and the editor asks for it at each start. The compressed text is kept in memory for callers
//! with equal classes and files.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::editor::{self, EditorCatalog};
use verdigraph_core::gallery::{self, NamedInput};
use verdigraph_core::graph::{Medium, NodeDefinition, object_info_with_files};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::error::Result;
use crate::site;

/// How many texts are kept, each of about 100 KB.
const KEPT: usize = 64;

/// The caller's uploads by the names that prompts give them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFiles(Vec<(Medium, String)>);

impl OwnFiles {
    /// A guest has none.
    pub async fn of(core: &Core, caller: &Caller) -> std::result::Result<Self, Error> {
        match caller.user {
            Some(_) => Ok(Self(gallery::named_inputs(core, caller).await?.into_iter().filter_map(named).collect())),
            None => Ok(Self::default()),
        }
    }

    pub fn of_medium(&self, medium: Medium) -> Vec<String> {
        self.0.iter().filter(|(kind, _)| *kind == medium).map(|(_, name)| name.clone()).collect()
    }
}

fn named(file: NamedInput) -> Option<(Medium, String)> {
    let medium = match file.kind {
        AssetKind::Image => Medium::Image,
        AssetKind::Video => Medium::Video,
        AssetKind::Audio => Medium::Audio,
        AssetKind::Text => Medium::Text,
        AssetKind::File => return None,
    };
    Some((medium, file.path))
}

/// Whether the editor offers a class. Nodes of other services need an account there, which jobs do not have.
pub fn is_offered(class: &NodeDefinition) -> bool {
    !class.is_api_node()
}

/// A compressed text, and its tag.
#[derive(Debug, Clone)]
struct CompressedText {
    gzip: Bytes,
    tag: String,
}

/// What a text was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TextKey {
    generation: u64,
    /// The address of the definitions, for several nodes in one process.
    definitions: usize,
    pools: Vec<String>,
    /// The hash of the caller's files: users with many would make the key large.
    files: [u8; 32],
}

impl TextKey {
    fn of(catalog: &EditorCatalog, own: &OwnFiles) -> Self {
        let mut hash = Sha256::new();
        for (medium, name) in &own.0 {
            hash.update(format!("{medium:?} {}:{name}", name.len()));
        }
        Self {
            generation: catalog.generation,
            definitions: Arc::as_ptr(&catalog.definitions).addr(),
            pools: catalog.pools.clone(),
            files: hash.finalize().into(),
        }
    }
}

/// The texts that were asked for last, the newest at the end.
static TEXTS: Mutex<VecDeque<(TextKey, CompressedText)>> = Mutex::new(VecDeque::new());

pub async fn all(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    let catalog = editor::catalog(&core, &caller).await?;
    let own = OwnFiles::of(&core, &caller).await?;
    let text = text(catalog, own).await?;
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, text.tag.as_str()))
        .insert_header((header::VARY, "Accept-Encoding, Cookie"))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"));
    if site::matches_tag(request.headers(), text.tag.trim_start_matches("W/")) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    response.content_type("application/json");
    if site::accepts(request.headers(), "gzip") {
        return Ok(response.insert_header((header::CONTENT_ENCODING, "gzip")).body(text.gzip));
    }
    let plain = web::block(move || decompress(&text.gzip)).await.map_err(unfinished)?;
    Ok(response.body(plain.map_err(unfinished)?))
}

async fn text(catalog: EditorCatalog, own: OwnFiles) -> Result<CompressedText> {
    let key = TextKey::of(&catalog, &own);
    if let Some(known) = kept(&key) {
        return Ok(known);
    }
    let made = web::block(move || compress(&catalog, &own)).await.map_err(unfinished)?.map_err(unfinished)?;
    keep(key, made.clone());
    Ok(made)
}

fn kept(key: &TextKey) -> Option<CompressedText> {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let place = texts.iter().position(|(known, _)| known == key)?;
    let found = texts.remove(place)?;
    let text = found.1.clone();
    texts.push_back(found);
    Some(text)
}

fn keep(key: TextKey, text: CompressedText) {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    // Texts of earlier generations are not asked for again.
    texts.retain(|(known, _)| known.generation >= key.generation && *known != key);
    while texts.len() >= KEPT {
        texts.pop_front();
    }
    texts.push_back((key, text));
}

fn compress(catalog: &EditorCatalog, own: &OwnFiles) -> std::io::Result<CompressedText> {
    let offered = catalog.definitions.iter().filter(|class| is_offered(class));
    let classes: Map<String, Value> = offered
        .map(|class| (class.class.clone(), object_info_with_files(class, &|medium| own.of_medium(medium))))
        .collect();
    let text = serde_json::to_vec(&classes)?;
    let tag = format!("W/\"{}\"", site::tag_digits(&Sha256::digest(&text)));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&text)?;
    Ok(CompressedText { gzip: encoder.finish()?.into(), tag })
}

fn decompress(gzip: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut text)?;
    Ok(text)
}

fn unfinished(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("object_info could not be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(generation: u64, name: &str) -> TextKey {
        TextKey { generation, definitions: 0, pools: vec![name.to_owned()], files: [0; 32] }
    }

    #[test]
    fn texts_of_earlier_generations_and_the_oldest_are_dropped() {
        let text = || CompressedText { gzip: Bytes::new(), tag: String::new() };
        keep(key(1, "a"), text());
        assert!(kept(&key(1, "a")).is_some());
        for pool in 0..=KEPT {
            keep(key(2, &pool.to_string()), text());
        }
        assert!(kept(&key(1, "a")).is_none(), "its workers have changed");
        assert!(kept(&key(2, "0")).is_none() && kept(&key(2, "1")).is_some());
        assert!(TEXTS.lock().expect("a lock").len() <= KEPT);
    }

    #[test]
    fn own_files_are_listed_by_their_medium() {
        let own = OwnFiles(vec![(Medium::Image, "a.png".to_owned()), (Medium::Audio, "b.wav".to_owned())]);
        assert_eq!(own.of_medium(Medium::Image), ["a.png"]);
        assert!(own.of_medium(Medium::Video).is_empty());
    }
}
