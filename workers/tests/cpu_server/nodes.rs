//! Test nodes, some of which wait until the test releases them.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::node::{Context, Folders, Inputs, Node, NodeError, Outcome};
use verdigraph_workers::cpu::value::{ImageBatch, Value};

/// Holds a waiting node until the test opens it.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    /// Waits until the gate is open or the prompt is interrupted.
    fn wait(&self, context: &Context<'_>) -> Result<(), NodeError> {
        let mut open = self.0.0.lock().unwrap();
        while !*open {
            context.check()?;
            open = self.0.1.wait_timeout(open, Duration::from_millis(5)).unwrap().0;
        }
        Ok(())
    }
}

/// All test nodes; those that wait use this gate.
pub fn all(gate: &Gate) -> Vec<Box<dyn Node>> {
    vec![
        Box::new(Number),
        Box::new(Add),
        Box::new(Show),
        Box::new(Wait(gate.clone())),
        Box::new(Fail),
        Box::new(Panic),
        Box::new(List),
        Box::new(Count),
        Box::new(Save),
        Box::new(Report),
    ]
}

fn definition(required: Json, optional: Json, outputs: &[(&str, bool)], output_node: bool) -> Json {
    let names: Vec<&str> = outputs.iter().map(|(name, _)| *name).collect();
    json!({
        "input": {"required": required, "optional": optional},
        "output": names,
        "output_is_list": outputs.iter().map(|(_, list)| *list).collect::<Vec<_>>(),
        "output_name": names,
        "output_node": output_node,
    })
}

macro_rules! class {
    ($class:literal, $definition:expr) => {
        fn class(&self) -> &'static str {
            $class
        }

        fn definition(&self, _: &Folders) -> Json {
            $definition
        }
    };
}

fn int() -> Json {
    json!(["INT", {"default": 0, "min": -1000, "max": 1000}])
}

struct Number;

impl Node for Number {
    class!("TestNumber", definition(json!({"value": int()}), json!({}), &[("INT", false)], false));

    fn run(&self, inputs: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        Ok(Outcome::one(Value::Int(inputs.int("value")?)))
    }
}

struct Add;

impl Node for Add {
    class!("TestAdd", definition(json!({"a": int()}), json!({"b": int()}), &[("INT", false)], false));

    fn run(&self, inputs: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        let b = if inputs.get("b").is_some() { inputs.int("b")? } else { 0 };
        Ok(Outcome::one(Value::Int(inputs.int("a")? + b)))
    }
}

struct Show;

impl Node for Show {
    class!("TestShow", definition(json!({"source": ["*", {}]}), json!({}), &[], true));

    fn run(&self, inputs: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        let text = match inputs.get("source") {
            Some(Value::Int(number)) => number.to_string(),
            other => format!("{other:?}"),
        };
        Ok(Outcome { outputs: Vec::new(), ui: Some(json!({"text": [text]})) })
    }
}

/// Returns its value once the gate is open.
struct Wait(Gate);

impl Node for Wait {
    class!("TestWait", definition(json!({"value": int()}), json!({}), &[("INT", false)], false));

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        self.0.wait(context)?;
        Ok(Outcome::one(Value::Int(inputs.int("value")?)))
    }
}

struct Fail;

impl Node for Fail {
    class!("TestFail", definition(json!({"value": int()}), json!({}), &[("INT", false)], false));

    fn run(&self, _: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        Err(NodeError::value("no such luck"))
    }
}

struct Panic;

impl Node for Panic {
    class!("TestPanic", definition(json!({"value": int()}), json!({}), &[("INT", false)], false));

    fn run(&self, _: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        panic!("out of the blue");
    }
}

/// Returns the numbers below its value as a list.
struct List;

impl Node for List {
    class!("TestList", definition(json!({"value": int()}), json!({}), &[("INT", true)], false));

    fn run(&self, inputs: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        let numbers = (0..inputs.int("value")?).map(Value::Int).collect();
        Ok(Outcome { outputs: vec![numbers], ui: None })
    }
}

/// Takes a whole list and returns its length.
struct Count;

impl Node for Count {
    class!("TestCount", definition(json!({"value": int()}), json!({}), &[("INT", false)], false));

    fn run(&self, inputs: &Inputs, _: &Context<'_>) -> Result<Outcome, NodeError> {
        Ok(Outcome::one(Value::Int(inputs.list("value").len().try_into().unwrap())))
    }

    fn input_is_list(&self) -> bool {
        true
    }
}

/// Writes a file with a unique name and shows it.
struct Save;

impl Node for Save {
    class!("TestSave", definition(json!({"value": int()}), json!({}), &[], true));

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let number = (1..).find(|number| !context.folders.output.join(format!("test_{number:05}_.txt")).exists());
        let name = format!("test_{:05}_.txt", number.unwrap_or(1));
        std::fs::write(context.folders.output.join(&name), inputs.int("value")?.to_string())
            .map_err(|error| NodeError::value(error.to_string()))?;
        let file = json!({"filename": name, "subfolder": "", "type": "output"});
        Ok(Outcome { outputs: Vec::new(), ui: Some(json!({"images": [file]})) })
    }
}

/// Reports progress as fast as it can, with pictures and a text.
struct Report;

impl Node for Report {
    class!("TestReport", definition(json!({"steps": int()}), json!({}), &[("INT", false)], true));

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let steps = u64::try_from(inputs.int("steps")?).unwrap_or(0);
        for step in 1..=steps {
            context.progress(step, steps)?;
            context.reports.preview(&ImageBatch::filled(1, 16, 24, 3, 0.5));
        }
        context.reports.text("all done");
        Ok(Outcome::one(Value::Int(inputs.int("steps")?)))
    }
}
