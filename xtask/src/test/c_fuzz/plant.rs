//! Bugs that are put into copies of source files, each of which the run must find.

use anyhow::ensure;

/// A bug.
pub struct Plant {
    /// What it is, for messages.
    pub what: &'static str,
    /// The source file, as its path ends.
    pub file: &'static str,
    /// Text that stands in it once.
    pub right: &'static str,
    /// What stands there instead.
    pub wrong: &'static str,
}

/// One for each kind of check: what the CPU may touch, what is freed, what a library checks for it, what
/// is sent.
pub const PLANTS: [Plant; 5] = [
    Plant {
        what: "a received frame that is one byte too long",
        file: "src/bring-up/ethernet_dma.c",
        right: "(u16_t)length, PBUF_POOL",
        wrong: "(u16_t)(length + 1), PBUF_POOL",
    },
    Plant {
        what: "an echo that does not free its datagram",
        file: "src/server/echo.c",
        right: "    pbuf_free(datagram);\n",
        wrong: "",
    },
    Plant {
        what: "telemetry that frees a datagram which it does not understand twice",
        file: "src/profiling/telemetry.c",
        right: "    if (!understood) {\n",
        wrong: "    if (!understood) {\n        pbuf_free(datagram);\n",
    },
    Plant {
        what: "an IP packet that is longer than its frame",
        file: "src/core/ipv4/ip4.c",
        right: "(iphdr_len > p->tot_len) ||",
        wrong: "",
    },
    Plant {
        what: "a frame to be sent that is not kept until it has left",
        file: "src/bring-up/ethernet_dma.c",
        right: "    pbuf_ref(frame);\n    tx.frame[last] = frame;\n",
        wrong: "    tx.frame[last] = NULL;\n",
    },
];

impl Plant {
    /// The text of the file with the bug in it.
    pub fn put_into(&self, text: &str) -> anyhow::Result<String> {
        let found = text.matches(self.right).count();
        ensure!(
            found == 1,
            "{} has {:?} {found} times instead of once",
            self.file,
            self.right
        );
        Ok(text.replace(self.right, self.wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_goes_where_its_text_stands_once() {
        let plant = &PLANTS[1];
        let text = "{\n    pbuf_free(datagram);\n}\n";
        assert_eq!(plant.put_into(text).unwrap(), "{\n}\n");
        assert!(plant.put_into("").is_err());
        assert!(plant.put_into(&text.repeat(2)).is_err());
    }
}
