//! Migrations are embedded into the program: a new file among them must build it anew.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
