//! Who can do something about a refusal or a failed job.

use crate::word_list::word_list;

word_list! {
    /// Where the cause of a refusal or of a failed job is.
    pub enum Fault for "fault" {
        /// The call: change it, or the thing that it names.
        Request => "request",
        /// The graph, or a value for it: a node raised an exception, or the graph cannot run.
        Graph => "graph",
        /// The account: its credits, its plan, its rights or its limits.
        Account => "account",
        /// The installation and its workers. The same call may succeed later.
        Server => "server",
    }
}
