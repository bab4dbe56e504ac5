//! `HOSTPORT:BOARDPORT`: what is forwarded where.

use std::str::FromStr;

use anyhow::{Context, ensure};

/// A port outside and the port of the board behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forward {
    /// The port that is bound outside; 0 for one that the system chooses.
    pub host: u16,
    pub board: u16,
}

impl FromStr for Forward {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let ports = text.split_once(':');
        let ports = ports.and_then(|(host, board)| Some((host.parse().ok()?, board.parse().ok()?)));
        let (host, board) = ports.context("it takes HOSTPORT:BOARDPORT, such as 7007:7")?;
        ensure!(board != 0, "the board has no port 0");
        Ok(Self { host, board })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refusal(text: &str) -> String {
        text.parse::<Forward>().unwrap_err().to_string()
    }

    #[test]
    fn anything_but_two_ports_is_refused() {
        for text in [
            "", "7", "7:", ":7", "7:7:7", "a:7", "7:65536", "-1:7", "7 :7",
        ] {
            assert!(
                refusal(text).starts_with("it takes HOSTPORT:BOARDPORT"),
                "{text:?}"
            );
        }
        assert_eq!(refusal("7:0"), "the board has no port 0");
    }

    proptest! {
        #[test]
        fn two_ports_are_taken_as_they_stand(host: u16, board in 1_u16..) {
            let forward: Forward = format!("{host}:{board}").parse().unwrap();
            prop_assert_eq!(forward, Forward { host, board });
        }

        #[test]
        fn no_text_is_a_panic(text in "\\PC*") {
            let _ = text.parse::<Forward>();
        }
    }
}
