//! JSON as results are written: what fits a line is on one, and a list of short items fills its lines.
//!
//! The layout follows from the value alone, so the same value gives the same bytes, and a difference
//! between two results shows in the lines that differ.

use serde::Serialize;

/// How long a line gets before what is on it is spread.
const WIDTH: usize = 120;
/// The longest item of a list whose items share lines.
const SHORT: usize = 24;
/// The longest member of an object whose members do.
const SHORT_MEMBER: usize = 48;

/// `value` as JSON that ends in a line feed. Keys are in the order of the types.
///
/// # Errors
/// A value that JSON has no form for, such as a map whose keys are no strings.
pub fn to_text(value: &impl Serialize) -> serde_json::Result<String> {
    let compact = serde_json::to_string(value)?;
    let mut layout = Layout {
        ends: ends(compact.as_bytes()),
        compact: &compact,
        text: String::with_capacity(compact.len() * 5 / 4),
    };
    layout.value(0, compact.len(), 0, 0);
    layout.text.push('\n');
    Ok(layout.text)
}

/// For each place in compact JSON where a list, an object or a string begins, the place after its end.
fn ends(json: &[u8]) -> Vec<usize> {
    let mut ends = vec![0; json.len()];
    let mut open = Vec::new();
    let mut at = 0;
    while at < json.len() {
        match json[at] {
            b'"' => {
                let end = end_of_string(json, at);
                ends[at] = end;
                at = end;
                continue;
            }
            b'[' | b'{' => open.push(at),
            b']' | b'}' => {
                let start = open.pop().expect("brackets are balanced");
                ends[start] = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    ends
}

/// The place after the string that begins at `at`.
fn end_of_string(json: &[u8], mut at: usize) -> usize {
    loop {
        at += 1;
        match json[at] {
            b'"' => return at + 1,
            b'\\' => at += 1,
            _ => {}
        }
    }
}

/// Lays out compact JSON.
struct Layout<'a> {
    compact: &'a str,
    ends: Vec<usize>,
    text: String,
}

impl Layout<'_> {
    /// The value between two places, at this depth, on a line that is already `used` columns long.
    fn value(&mut self, start: usize, end: usize, depth: usize, used: usize) {
        let is_nested = matches!(self.compact.as_bytes()[start], b'[' | b'{');
        // The comma that may follow has a column, too.
        if !is_nested || end - start == 2 || used + self.spaced_len(start, end) < WIDTH {
            self.on_one_line(start, end);
            return;
        }
        let items = self.items(start);
        match self.fills_lines(start, &items) {
            true => self.filled(&items, depth + 1),
            false => self.spread(&items, depth + 1),
        }
        self.line(depth);
        self.text.push_str(&self.compact[end - 1..end]);
    }

    /// Whether the items of the list or object that begins at `start` share lines: short items of a
    /// list, and members that are neither lists nor objects.
    fn fills_lines(&self, start: usize, items: &[(usize, usize)]) -> bool {
        let bytes = self.compact.as_bytes();
        items
            .iter()
            .all(|&(start_of_item, end)| match bytes[start] {
                b'[' => end - start_of_item <= SHORT,
                _ => {
                    let value = self.ends[start_of_item] + 1;
                    !matches!(bytes[value], b'[' | b'{') && end - start_of_item <= SHORT_MEMBER
                }
            })
    }

    /// Items one below the other, after the bracket that opens them.
    fn spread(&mut self, items: &[(usize, usize)], depth: usize) {
        let opening = items[0].0 - 1;
        self.text.push_str(&self.compact[opening..=opening]);
        for (index, &(start, end)) in items.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.line(depth);
            let value = self.key(start);
            let used = depth + (value - start) + 1;
            self.value(value, end, depth, used);
        }
    }

    /// As many items a line as it takes.
    fn filled(&mut self, items: &[(usize, usize)], depth: usize) {
        let opening = items[0].0 - 1;
        self.text.push_str(&self.compact[opening..=opening]);
        // The comma of a list in a list tells them apart well enough.
        let space = usize::from(self.compact.as_bytes()[items[0].0] != b'[');
        let mut used = WIDTH;
        for (index, &(start, end)) in items.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            let len = end - start + 1;
            if used + space + len < WIDTH {
                self.text.extend(std::iter::repeat_n(' ', space));
                used += space;
            } else {
                self.line(depth);
                used = depth;
            }
            let value = self.key(start);
            self.text.push_str(&self.compact[value..end]);
            used += len + usize::from(value > start);
        }
    }

    /// Writes the key of a member that begins at `start`, if it is one, and gives the place of its value.
    fn key(&mut self, start: usize) -> usize {
        let end = self.ends[start];
        let bytes = self.compact.as_bytes();
        if bytes[start] == b'"' && bytes.get(end) == Some(&b':') {
            self.text.push_str(&self.compact[start..=end]);
            self.text.push(' ');
            return end + 1;
        }
        start
    }

    /// The first and the last place of each item of the list or object that begins at `start`.
    fn items(&self, start: usize) -> Vec<(usize, usize)> {
        let bytes = self.compact.as_bytes();
        let last = self.ends[start] - 1;
        let mut items = Vec::new();
        let (mut begin, mut at) = (start + 1, start + 1);
        while at < last {
            match bytes[at] {
                b',' => {
                    items.push((begin, at));
                    at += 1;
                    begin = at;
                }
                b'"' | b'[' | b'{' => at = self.ends[at],
                _ => at += 1,
            }
        }
        items.push((begin, last));
        items
    }

    /// The length of [`on_one_line`](Self::on_one_line): a space more for each member's key, and for
    /// each comma but those of lists in lists.
    fn spaced_len(&self, start: usize, end: usize) -> usize {
        let bytes = self.compact.as_bytes();
        let mut len = end - start;
        // Long enough as it is: the spaces do not matter.
        if len > WIDTH {
            return len;
        }
        let mut at = start;
        while at < end {
            match bytes[at] {
                b'"' => at = self.ends[at],
                b',' | b':' => {
                    len += 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        len
    }

    /// With a space after each comma and colon.
    fn on_one_line(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let byte = self.compact.as_bytes()[at];
            let next = match byte {
                b'"' => self.ends[at],
                _ => at + self.compact[at..].chars().next().map_or(1, char::len_utf8),
            };
            self.text.push_str(&self.compact[at..next]);
            if matches!(byte, b',' | b':') {
                self.text.push(' ');
            }
            at = next;
        }
    }

    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', depth));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_fits_a_line_is_on_one_and_short_items_fill_lines() {
        let pairs: Vec<_> = (0..30)
            .map(|number| (number * 1_000_003_u64, number))
            .collect();
        let value = json!({
            "counts": {"planned": 10, "sent": [1, 2], "text": "a, b: \"c\" [é"},
            "empty": {},
            "none": null,
            "list": [{"long": "x".repeat(70)}, {"long": "y".repeat(70)}],
            "pairs": pairs,
        });
        insta::assert_snapshot!(to_text(&value).unwrap());
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            "\\PC{0,30}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 120, 40, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..40).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,12}", inner, 0..12)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn layout_changes_no_value(value in any_value()) {
            let text = to_text(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            for line in text.lines() {
                prop_assert_eq!(line, line.trim_end());
            }
        }
    }
}
