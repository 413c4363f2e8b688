//! Load scenarios and drills: what the platform reaches, beside the floors that the machine sets.

mod failure;
mod load;

fn main() {}
