//! Runs, from submit to terminal status; the queue.
