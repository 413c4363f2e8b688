//! The mini app that scenarios run, and its submit requests.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::accounts::Proof;
use crate::error::{Error, Result};
use crate::load::{Answer, Connection, Requests};

/// The cover of published items.
pub const COVER: &[u8] = include_bytes!("cover.png");
/// A tag that exists in every installation.
pub const TAG: &str = "01970000-0000-7000-8000-000000000101";

/// First seed. All seeds have the same number of digits and are exact in JSON.
const FIRST_SEED: u64 = 1_000_000_000_000;

/// A workflow with a form.
#[derive(Debug, Clone)]
pub struct Recipe {
    name: &'static str,
    graph: Value,
    /// Node, input and name of each field.
    fields: &'static [(&'static str, &'static str, &'static str)],
    output: &'static str,
    /// The form's values without the seed.
    form: Value,
}

impl Recipe {
    /// Text to image, the most common kind of job. Scripted workers know its nodes. 7 nodes, 7 fields.
    #[must_use]
    pub fn text_to_image() -> Self {
        let graph = json!({
            "1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "test.safetensors"}},
            "2": {"class_type": "CLIPTextEncode", "inputs": {"clip": ["1", 1], "text": "a lighthouse"}},
            "3": {"class_type": "CLIPTextEncode", "inputs": {"clip": ["1", 1], "text": "text, watermark"}},
            "4": {"class_type": "EmptyLatentImage", "inputs": {"width": 512, "height": 512, "batch_size": 1}},
            "5": {"class_type": "KSampler", "inputs": {"model": ["1", 0], "seed": 1, "steps": 20, "cfg": 7.0,
                "sampler_name": "euler", "scheduler": "normal", "positive": ["2", 0], "negative": ["3", 0],
                "latent_image": ["4", 0], "denoise": 1.0}},
            "6": {"class_type": "VAEDecode", "inputs": {"samples": ["5", 0], "vae": ["1", 2]}},
            "7": {"class_type": "SaveImage", "inputs": {"images": ["6", 0], "filename_prefix": "load"}},
        });
        Self {
            name: "Text to image",
            graph,
            fields: &[
                ("2", "text", "prompt"),
                ("3", "text", "negative"),
                ("5", "seed", "seed"),
                ("5", "steps", "steps"),
                ("5", "cfg", "cfg"),
                ("4", "width", "width"),
                ("4", "height", "height"),
            ],
            output: "7",
            form: json!({
                "prompt": "a lighthouse on a cliff above a stormy sea, oil on canvas, warm evening light, thick strokes",
                "negative": "text, watermark, blurry, low quality, distorted",
                "steps": 24, "cfg": 6.5, "width": 768, "height": 512,
            }),
        }
    }

    /// The same with this many samplers, each of which continues the latent image of the one before it.
    #[must_use]
    pub fn text_to_image_with(samplers: usize) -> Self {
        let mut recipe = Self::text_to_image();
        let mut last = "5".to_owned();
        for number in 2..=samplers {
            let mut sampler = recipe.graph["5"].clone();
            sampler["inputs"]["latent_image"] = json!([last, 0]);
            // After node 5, whose seed identifies the job.
            last = format!("5{number}");
            recipe.graph[&last] = sampler;
        }
        recipe.graph["6"]["inputs"]["samples"] = json!([last, 0]);
        recipe
    }

    /// A small drawing that the built-in CPU worker can make.
    #[must_use]
    pub fn drawing(side: u32) -> Self {
        let graph = json!({
            "1": {"class_type": "VerdigraphFlowField", "inputs": {"width": side, "height": side, "seed": 3,
                "palette": "dusk", "spacing": 7.0, "turbulence": 1.6, "scale": 1.6, "ink": 0.62, "ground": "dark"}},
            "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "load"}},
        });
        Self {
            name: "Drawing",
            graph,
            fields: &[("1", "seed", "seed"), ("1", "turbulence", "turbulence")],
            output: "2",
            form: json!({"turbulence": 1.6}),
        }
    }

    /// The prompt for this seed, for clients that use a worker directly.
    #[must_use]
    pub fn prompt(&self, seed: u64) -> Value {
        let mut graph = self.graph.clone();
        for (node, input, field) in self.fields {
            let value = if *field == "seed" { Some(json!(seed)) } else { self.form.get(*field).cloned() };
            if let (Some(place), Some(value)) = (graph.pointer_mut(&format!("/{node}/inputs/{input}")), value) {
                *place = value;
            }
        }
        graph
    }

    /// Publishes the app through the API.
    pub async fn publish(&self, address: SocketAddr, owner: &Proof) -> Result<App> {
        let mut connection = Connection::open(address).await?;
        let cover = made(&mut connection, "/api/general/asset/file/image", &upload(owner)).await?;
        let workflow = json!({"name": self.name, "prompt": {"output": self.graph}, "isPrivate": false,
            "thumbnails": [cover], "workflowTags": [TAG]});
        let workflow = create(&mut connection, owner, "/api/general/workflow", &workflow).await?;
        let inputs = (1..).zip(self.fields).map(|(order, (node, input, field))| {
            let class = self.graph.pointer(&format!("/{node}/class_type"));
            let entry = json!({"order": order, "id": node, "name": input, "nodeName": class,
                "adapter": {"apiFieldName": field}});
            (format!("{node}.{input}"), entry)
        });
        let output = json!({"id": self.output, "order": 1, "name": "Picture"});
        let body = json!({"workflow": workflow, "inputs": Value::Object(inputs.collect()),
            "outputs": {self.output: output}});
        match create(&mut connection, owner, "/api/general/workflow-api", &body).await {
            Ok(id) => Ok(App { id, workflow, form: self.form.clone(), terms: String::new() }),
            Err(error) => {
                // Removes an app that the workers cannot run.
                let request = bare("DELETE", &format!("/api/general/workflow/{workflow}"), owner);
                connection.exchange(&request).await?;
                Err(error)
            }
        }
    }
}

/// Posts JSON and returns the `_id` of the created object.
async fn create(connection: &mut Connection, owner: &Proof, path: &str, body: &Value) -> Result<String> {
    made(connection, path, &post(path, owner, &body.to_string())).await
}

/// Sends a request and returns the `_id` of the created object.
async fn made(connection: &mut Connection, path: &str, request: &[u8]) -> Result<String> {
    let Answer { status, body } = connection.exchange(request).await?;
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    match (status, answer.get("_id").and_then(Value::as_str)) {
        (201, Some(id)) => Ok(id.to_owned()),
        _ => Err(Error::Other(format!("{path} answered {status}: {}", String::from_utf8_lossy(body)))),
    }
}

fn post(path: &str, proof: &Proof, body: &str) -> Vec<u8> {
    let (headers, length) = (proof.headers(), body.len());
    format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// An upload request with [`COVER`].
fn upload(proof: &Proof) -> Vec<u8> {
    const BOUNDARY: &str = "a-load-test-and-no-picture";
    let mut body = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"cover.png\"\r\n\
         content-type: image/png\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(COVER);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    let (headers, length) = (proof.headers(), body.len());
    let mut request = format!(
        "POST /api/general/asset/file/image HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {length}\r\n\r\n"
    )
    .into_bytes();
    request.append(&mut body);
    request
}

/// A GET request.
#[must_use]
pub fn get(path: &str, proof: &Proof) -> Vec<u8> {
    bare("GET", path, proof)
}

fn bare(method: &str, path: &str, proof: &Proof) -> Vec<u8> {
    format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{}\r\n", proof.headers()).into_bytes()
}

#[derive(Debug, Clone)]
pub struct App {
    id: String,
    workflow: String,
    form: Value,
    /// The query of submits, from its question mark.
    terms: String,
}

/// Gives every submit of a run a unique seed, which identifies the job in a worker's journal.
#[derive(Debug, Clone)]
pub struct Seeds(Rc<Cell<u64>>);

impl Default for Seeds {
    fn default() -> Self {
        Self(Rc::new(Cell::new(FIRST_SEED)))
    }
}

impl Seeds {
    #[must_use]
    pub fn next(&self) -> u64 {
        let seed = self.0.get();
        self.0.set(seed + 1);
        seed
    }
}

/// Submit requests of one app, alternating between accounts.
#[derive(Debug, Clone)]
pub struct Submits {
    /// One request per account, and the offset of its seed.
    requests: Rc<[(Vec<u8>, usize)]>,
    seeds: Seeds,
    next: usize,
}

impl App {
    /// The same app, submitted with these parameters.
    #[must_use]
    pub fn with_terms(&self, terms: &str) -> Self {
        Self { terms: format!("?{terms}"), ..self.clone() }
    }

    /// Submit requests that alternate between these accounts.
    #[must_use]
    pub fn submits(&self, people: &[Proof], seeds: &Seeds) -> Submits {
        let path = format!("/api/general/job/workflow-api/{}{}", self.id, self.terms);
        let requests = people.iter().map(|proof| self.request(&path, proof)).collect();
        Submits { requests, seeds: seeds.clone(), next: 0 }
    }

    /// The quote of the submit with this seed that may cost at most `most`.
    #[must_use]
    pub fn quote_request(&self, seed: u64, most: Option<i64>, proof: &Proof) -> Vec<u8> {
        let most = most.map_or_else(|| "null".to_owned(), |most| most.to_string());
        let form = self.body(seed);
        let body = format!(r#"{{"items":[{{"workflowApi":"{}","form":{form},"maxCredits":{most}}}]}}"#, self.id);
        post("/api/general/job/quote", proof, &body)
    }

    /// A submit with this seed.
    #[must_use]
    pub fn submit_request(&self, seed: u64, proof: &Proof) -> Vec<u8> {
        post(&format!("/api/general/job/workflow-api/{}{}", self.id, self.terms), proof, &self.body(seed))
    }

    /// Deletes the app from a server that outlives the run.
    pub async fn withdraw(&self, address: SocketAddr, owner: &Proof) -> Result<()> {
        let mut connection = Connection::open(address).await?;
        for path in [format!("workflow-api/{}", self.id), format!("workflow/{}", self.workflow)] {
            let request = bare("DELETE", &format!("/api/general/{path}"), owner);
            let Answer { status, body } = connection.exchange(&request).await?;
            if !(200..300).contains(&status) {
                let body = String::from_utf8_lossy(body);
                return Err(Error::Other(format!("{path} cannot be removed, {status}: {body}")));
            }
        }
        Ok(())
    }

    /// The body of a submit. The seed is at its end.
    #[must_use]
    pub fn body(&self, seed: u64) -> String {
        let mut form = self.form.as_object().cloned().unwrap_or_else(Map::new);
        form.insert("seed".to_owned(), json!(seed));
        Value::Object(form).to_string()
    }

    /// A line of a batch with this key and seed.
    #[must_use]
    pub fn item(&self, key: &str, seed: u64) -> String {
        format!("{{\"key\":\"{key}\",\"workflowApi\":\"{}\",\"form\":{}}}\n", self.id, self.body(seed))
    }

    fn request(&self, path: &str, proof: &Proof) -> (Vec<u8>, usize) {
        let request = post(path, proof, &self.body(FIRST_SEED));
        let digits = FIRST_SEED.to_string().len();
        // The seed is the last field: its digits end one brace before the end.
        let at = request.len() - 1 - digits;
        (request, at)
    }
}

impl Submits {
    /// Starts with another account, so that connections are not in step.
    #[must_use]
    pub fn starting_at(mut self, number: usize) -> Self {
        self.next = number;
        self
    }

    /// Writes the next request and returns its seed.
    pub fn write_next(&mut self, buffer: &mut Vec<u8>) -> u64 {
        let seed = self.seeds.next();
        if let Some((request, at)) = self.requests.get(self.next % self.requests.len().max(1)) {
            buffer.extend_from_slice(request);
            let digits = seed.to_string();
            if let Some(place) = buffer.get_mut(*at..*at + digits.len()) {
                place.copy_from_slice(digits.as_bytes());
            }
        }
        self.next += 1;
        seed
    }
}

impl Requests for Submits {
    fn write(&mut self, buffer: &mut Vec<u8>) {
        self.write_next(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submits_alternate_keys_with_unique_seeds() {
        let (id, workflow) = ("abc".to_owned(), "def".to_owned());
        let app = App { id, workflow, form: Recipe::text_to_image().form, terms: String::new() };
        let people = [Proof::Key("vg_one".to_owned()), Proof::Session("two".to_owned())];
        let mut submits = app.submits(&people, &Seeds::default());
        for number in 0..4 {
            let mut buffer = Vec::new();
            let seed = submits.write_next(&mut buffer);
            let text = String::from_utf8(buffer).expect("a text");
            let (head, body) = text.split_once("\r\n\r\n").expect("head and body");
            let form: Value = serde_json::from_str(body).expect("a form");
            assert_eq!(form["seed"].as_u64(), Some(seed));
            assert_eq!(seed, FIRST_SEED + number);
            assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
            assert_eq!(head.contains("api-key: vg_one"), number % 2 == 0, "{head}");
            assert_eq!(head.contains("vg_session=two"), number % 2 == 1, "{head}");
            assert!((220..300).contains(&body.len()), "{} bytes", body.len());
        }
    }

    #[test]
    fn prompt_has_the_forms_values() {
        let prompt = Recipe::text_to_image().prompt(77);
        assert_eq!(prompt["5"]["inputs"]["seed"], 77);
        assert_eq!(prompt["4"]["inputs"]["width"], 768);
    }

    #[test]
    fn samplers_continue_each_other() {
        let prompt = Recipe::text_to_image_with(3).prompt(77);
        let links = [("5", "latent_image"), ("52", "latent_image"), ("53", "latent_image"), ("6", "samples")]
            .map(|(node, input)| prompt[node]["inputs"][input][0].as_str().expect("a link").to_owned());
        assert_eq!(links, ["4", "5", "52", "53"]);
        assert_eq!((&prompt["5"]["inputs"]["seed"], &prompt["53"]["inputs"]["seed"]), (&json!(77), &json!(1)));
    }
}
