pub(in crate::graph) mod definitions;
pub(in crate::graph) mod input;
pub(in crate::graph) mod model_folder;
pub(in crate::graph) mod paths;
