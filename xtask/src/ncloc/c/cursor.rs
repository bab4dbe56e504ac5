//! Reads C text byte by byte with its lines joined where a backslash ends them.

/// A place in a text.
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The start of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The offset behind everything read so far.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Passes over a backslash that joins this line with the next; false when there is none.
    pub fn take_splice(&mut self) -> bool {
        let behind = self.behind_splice(self.at);
        self.at = behind.unwrap_or(self.at);
        behind.is_some()
    }

    /// The next byte, which stays to be read.
    pub fn peek(&self) -> Option<u8> {
        self.byte_from(self.at).map(|(byte, _)| byte)
    }

    /// The byte after the next one.
    pub fn peek_second(&self) -> Option<u8> {
        let (_, behind) = self.byte_from(self.at)?;
        self.byte_from(behind).map(|(byte, _)| byte)
    }

    /// Reads the next byte.
    pub fn bump(&mut self) -> Option<u8> {
        let (byte, behind) = self.byte_from(self.at)?;
        self.at = behind;
        Some(byte)
    }

    /// Reads the next byte if it is this one.
    pub fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.bump();
        }
        is_next
    }

    /// Reads as long as the next byte is such a one.
    pub fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&belongs) {
            self.bump();
        }
    }

    /// Whether the very next byte is this one, with no line joined in between.
    pub fn is_directly_at(&self, byte: u8) -> bool {
        self.text.get(self.at) == Some(&byte)
    }

    /// Reads a raw string from its opening quote on: lines are not joined inside (C++11 §2.5,
    /// which GCC follows in C). None when it has no end; a quote that opens no raw string is read alone.
    pub fn skip_raw_string(&mut self) -> Option<()> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let is_delimiter = |byte: &u8| byte.is_ascii_graphic() && !br#"()\""#.contains(byte);
        let delimiter = rest.iter().take_while(|byte| is_delimiter(byte)).count();
        if delimiter > 16 || rest.get(delimiter) != Some(&b'(') {
            self.skip_while(|next| next != b'"' && next != b'\n');
            self.eat(b'"');
            return Some(());
        }
        let end = [b")", &rest[..delimiter], b"\""].concat();
        let length = rest.windows(end.len()).position(|bytes| bytes == end)?;
        self.at += length + end.len();
        Some(())
    }

    /// The byte at or after `at` that is of no splice, and the offset behind it.
    fn byte_from(&self, mut at: usize) -> Option<(u8, usize)> {
        while let Some(behind) = self.behind_splice(at) {
            at = behind;
        }
        self.text.get(at).map(|byte| (*byte, at + 1))
    }

    /// The offset behind the splice at `at`. White space behind the backslash is passed over, as GCC
    /// does; the end of the text is as good as that of a line.
    fn behind_splice(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?.strip_prefix(b"\\")?;
        let spaces = rest.iter().take_while(|byte| super::is_space(**byte));
        let spaces = spaces.count();
        match rest.get(spaces) {
            Some(b'\n') => Some(at + 1 + spaces + 1),
            Some(_) => None,
            None => Some(at + 1 + spaces),
        }
    }
}
