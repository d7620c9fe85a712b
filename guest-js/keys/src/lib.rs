//! Keys on curves and of RSA, implemented by RustCrypto, as bytes.

pub mod curve;
pub mod rsa;

/// The source of random bytes for keys, salts and padding.
pub type Generator = rand_chacha::ChaCha12Rng;
