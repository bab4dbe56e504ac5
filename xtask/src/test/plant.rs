//! Bugs that are put into copies of source files, each of which a check must find.

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

    const PLANT: Plant = Plant {
        what: "a leak",
        file: "echo.c",
        right: "    free(it);\n",
        wrong: "",
    };

    #[test]
    fn a_bug_goes_where_its_text_stands_once() {
        let text = "{\n    free(it);\n}\n";
        assert_eq!(PLANT.put_into(text).unwrap(), "{\n}\n");
        assert!(PLANT.put_into("").is_err());
        assert!(PLANT.put_into(&text.repeat(2)).is_err());
    }
}
