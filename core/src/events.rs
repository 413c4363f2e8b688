//! Live events of jobs: fan-out within the node, and through Redis where it is configured.
