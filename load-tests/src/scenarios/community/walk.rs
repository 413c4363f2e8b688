//! Finds a deep page of a list as a reader does, by following the cursors of all pages before it. Checks that no item
//! appears twice.

use std::collections::HashSet;
use std::net::SocketAddr;

use serde_json::Value;

use super::lists::{List, Paging};
use crate::accounts::Proof;
use crate::error::{Error, Result};
use crate::load::Connection;

/// Items of a measured page, as in the lists' paths.
const ITEMS: usize = 20;
/// Maximum items of a page, to need fewer requests on the way.
const MOST: usize = 100;

/// Requests for the first page and for page `deep` or the last full page before it, with their numbers.
pub async fn pages(
    address: SocketAddr,
    list: &List,
    proof: Option<&Proof>,
    deep: usize,
) -> Result<Vec<(usize, Vec<u8>)>> {
    let mut walk = PageWalker { connection: Connection::open(address).await?, list, proof, seen: HashSet::new() };
    let first = (1, walk.request(&list.path));
    let found = match list.paging {
        Paging::None => None,
        Paging::Number => Some((deep, format!("{}&page={deep}", list.path))),
        Paging::Skip => Some((deep, format!("{}&skip={}", list.path, (deep - 1) * ITEMS))),
        Paging::Cursor => walk.to(deep).await?,
    };
    let mut pages = vec![first];
    if let Some((number, path)) = found {
        pages.push((number, walk.request(&path)));
    }
    for (number, request) in &pages {
        let items = walk.ask(request).await?.0.len();
        if items < ITEMS * 3 / 4 {
            return Err(Error::Other(format!("{}: page {number} has {items} items", list.name)));
        }
    }
    Ok(pages)
}

struct PageWalker<'a> {
    connection: Connection,
    list: &'a List,
    proof: Option<&'a Proof>,
    seen: HashSet<String>,
}

impl PageWalker<'_> {
    fn request(&self, path: &str) -> Vec<u8> {
        let headers = self.proof.map_or_else(String::new, Proof::headers);
        format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}\r\n").into_bytes()
    }

    /// The path of page `deep`, or of the last full one.
    async fn to(&mut self, deep: usize) -> Result<Option<(usize, String)>> {
        let before = (deep - 1) * ITEMS;
        let mut cursor: Option<String> = None;
        let mut page = None;
        loop {
            let passed = self.seen.len();
            // A cursor does not depend on the page size.
            let limit = MOST.min(before - passed);
            if limit == 0 {
                return Ok(cursor.map(|cursor| (deep, format!("{}&cursor={cursor}", self.list.path))));
            }
            let path = self.list.path.replace(&format!("limit={ITEMS}"), &format!("limit={limit}"));
            let path = cursor.as_ref().map_or_else(|| path.clone(), |cursor| format!("{path}&cursor={cursor}"));
            let (ids, next) = self.ask(&self.request(&path)).await?;
            let count = ids.len();
            self.seen.extend(ids);
            if self.seen.len() != passed + count {
                return Err(Error::Other(format!("{}: an item appears twice", self.list.name)));
            }
            if count == MOST && passed > 0 {
                page = cursor.map(|cursor| (passed / ITEMS + 1, format!("{}&cursor={cursor}", self.list.path)));
            }
            match next {
                Some(next) => cursor = Some(next),
                None => return Ok(page),
            }
        }
    }

    /// The ids of a page, and its next cursor.
    async fn ask(&mut self, request: &[u8]) -> Result<(Vec<String>, Option<String>)> {
        let answer = self.connection.exchange(request).await?;
        let status = answer.status;
        let page: Value = serde_json::from_slice(answer.body).unwrap_or_default();
        let items = page.get("items").and_then(Value::as_array).filter(|_| status == 200);
        let items = items.ok_or_else(|| Error::Other(format!("{} answered {status}: {page}", self.list.path)))?;
        let ids = items.iter().filter_map(|item| Some(item.get("_id")?.as_str()?.to_owned())).collect();
        Ok((ids, page.get("nextCursor").and_then(Value::as_str).map(str::to_owned)))
    }
}
