//! The Bluebelle chip, in rust-hdl: link, queues, cores. It will hold one hardware block a file, each equal to `bluebelle-spec`.
