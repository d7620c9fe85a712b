//! Keys on curves and of RSA: what RustCrypto does, on bytes.

pub mod curve;
pub mod rsa;

/// Where keys, salts and padding come from.
pub type Generator = rand_chacha::ChaCha12Rng;
