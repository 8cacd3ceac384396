//! What processes know each other by.

use std::fmt;

use blake2::{Blake2s256, Digest};

use crate::error::ClusterError;

/// A secret that all processes share. Every text has one; it is kept as a hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Shorter texts could be guessed.
    pub const LEAST_LENGTH: usize = 16;

    /// The secret of a text, without the white space around it; `None` if it is too short.
    pub fn new(text: &str) -> Option<Secret> {
        let text = text.trim();
        (text.len() >= Secret::LEAST_LENGTH).then(|| Secret(Blake2s256::digest(text).into()))
    }

    /// A random secret.
    pub fn random() -> Result<Secret, ClusterError> {
        Secret::random_text().map(|text| Secret(Blake2s256::digest(text).into()))
    }

    /// The text of a random secret, for other processes.
    pub fn random_text() -> Result<String, ClusterError> {
        let refused = |_| ClusterError::System("the system has no random numbers".to_owned());
        let pattern = crate::handshake::PATTERN.parse().map_err(refused)?;
        let key = snow::Builder::new(pattern)
            .generate_keypair()
            .map_err(refused)?;
        Ok(key
            .private
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect())
    }

    pub(crate) fn key(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_of_their_text_and_are_not_shown() {
        let long = "correct horse battery";
        assert_eq!(Secret::new(long), Secret::new(&format!(" {long}\n")));
        assert_ne!(Secret::new(long), Secret::new("correct horse batterz"));
        assert_eq!(Secret::new("too short"), None);
        assert_ne!(Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(format!("{:?}", Secret::new(long).unwrap()), "Secret");
    }
}
