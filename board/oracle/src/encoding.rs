//! One row of the table of encodings: bits, what makes it valid, and how a test may run it.

/// What the architecture says of an encoding that matches a row's fixed bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Defined,
    Unpredictable,
    Undefined,
}

/// Where a memory access gets its base address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The register in field `n`, which may be SP.
    Register,
    Sp,
}

/// How a test may run an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// Needs nothing in particular.
    Plain,
    /// Accesses memory: the base must point into scratch memory first, and an index (field `m`) must be
    /// small.
    Memory {
        base: Base,
        index: bool,
        /// Faults unless the address is a multiple of four.
        aligned: bool,
    },
    /// Goes to a place encoded in the instruction.
    BranchTo(Target),
    /// BX, BLX, MOV PC: goes to the address in field `m`, with bit 0 set.
    BranchRegister,
    /// ADD PC, Rm.
    BranchAdd,
    /// Loads PC from scratch memory, at the base plus this many bytes (given the fields and the index
    /// register's value).
    BranchLoad {
        base: Base,
        index: bool,
        offset: fn(&Fields, u32) -> i32,
    },
    /// TBB, TBH with a table of scratch memory; entries of this many bytes.
    BranchTable { entry: u32 },
    /// Starts an IT block.
    It,
    /// Not run by random tests, for the reason given.
    NotRun(&'static str),
}

/// Encodings of a branch's distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `B<c>` T1.
    Conditional,
    /// `B` T2.
    Narrow,
    /// `B<c>.W` T3.
    WideConditional,
    /// `B.W` T4 and `BL`.
    Wide,
    /// `CBZ`, `CBNZ`.
    Compare,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub name: &'static str,
    /// 16 or 32.
    pub width: u32,
    pub mask: u32,
    pub value: u32,
    fields: Vec<(char, Vec<u32>)>,
    /// Fields that are unpredictable as 13 or 15.
    plain_registers: &'static str,
    rule: fn(&Fields) -> Verdict,
    pub role: Role,
    /// May stand in an IT block (a branch only as its last instruction).
    pub in_it: bool,
}

/// The fields of one encoding of a row.
pub struct Fields<'a> {
    encoding: &'a Encoding,
    bits: u32,
}

impl Fields<'_> {
    /// The bits with this letter in the pattern, highest first; zero where it has none.
    pub fn get(&self, letter: char) -> u32 {
        let found = self.encoding.fields.iter().find(|(l, _)| *l == letter);
        found.map_or(0, |(_, positions)| {
            positions
                .iter()
                .fold(0, |value, at| value << 1 | self.bits >> at & 1)
        })
    }

    pub fn is(&self, letter: char, value: u32) -> bool {
        self.get(letter) == value
    }

    /// One bit of the encoding.
    pub fn bit(&self, at: u32) -> bool {
        self.bits >> at & 1 != 0
    }

    /// The fields of several letters side by side, if the pattern has the first of them.
    pub fn letters(&self, letters: &str) -> Option<u32> {
        let first = letters.chars().next()?;
        let has = self.encoding.fields.iter().any(|(l, _)| *l == first);
        has.then(|| letters.chars().fold(0, |v, l| v << 1 | self.get(l)))
    }
}

/// A row whose pattern has one character a bit: `0` and `1` are fixed, a letter belongs to a field;
/// spaces do not count.
pub fn row(name: &'static str, pattern: &str, plain_registers: &'static str) -> Encoding {
    let bits: Vec<char> = pattern.chars().filter(|c| !c.is_whitespace()).collect();
    assert!(matches!(bits.len(), 16 | 32), "{name}: {} bits", bits.len());
    let (mut mask, mut value) = (0, 0);
    let mut fields: Vec<(char, Vec<u32>)> = Vec::new();
    for (index, &bit) in bits.iter().enumerate() {
        let at = (bits.len() - 1 - index) as u32;
        match bit {
            '0' => mask |= 1 << at,
            '1' => {
                mask |= 1 << at;
                value |= 1 << at;
            }
            letter => match fields.iter_mut().find(|(l, _)| *l == letter) {
                Some((_, positions)) => positions.push(at),
                None => fields.push((letter, vec![at])),
            },
        }
    }
    Encoding {
        name,
        width: bits.len() as u32,
        mask,
        value,
        fields,
        plain_registers,
        rule: |_| Verdict::Defined,
        role: Role::Plain,
        in_it: true,
    }
}

impl Encoding {
    pub fn rule(mut self, rule: fn(&Fields) -> Verdict) -> Self {
        self.rule = rule;
        self
    }

    pub fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    pub fn outside_it(mut self) -> Self {
        self.in_it = false;
        self
    }

    /// Memory at the base register's address, unaligned where the instruction allows it.
    pub fn memory(self) -> Self {
        self.role(Role::Memory {
            base: Base::Register,
            index: false,
            aligned: false,
        })
    }

    pub fn aligned_memory(self) -> Self {
        self.role(Role::Memory {
            base: Base::Register,
            index: false,
            aligned: true,
        })
    }

    pub fn indexed_memory(self) -> Self {
        self.role(Role::Memory {
            base: Base::Register,
            index: true,
            aligned: false,
        })
    }

    pub fn matches(&self, bits: u32, width: u32) -> bool {
        width == self.width && bits & self.mask == self.value
    }

    pub fn fields(&self, bits: u32) -> Fields<'_> {
        Fields {
            encoding: self,
            bits,
        }
    }

    /// What the architecture says of `bits`, which match this row.
    pub fn verdict(&self, bits: u32) -> Verdict {
        let fields = self.fields(bits);
        let sp_or_pc = |letter| matches!(fields.get(letter), 13 | 15);
        match (self.rule)(&fields) {
            Verdict::Defined if self.plain_registers.chars().any(sp_or_pc) => {
                Verdict::Unpredictable
            }
            verdict => verdict,
        }
    }

    /// Replaces a field's bits.
    pub fn with(&self, bits: u32, letter: char, value: u32) -> u32 {
        let Some((_, positions)) = self.fields.iter().find(|(l, _)| *l == letter) else {
            return bits;
        };
        let count = positions.len();
        positions.iter().enumerate().fold(bits, |bits, (i, at)| {
            let bit = value >> (count - 1 - i) & 1;
            bits & !(1 << at) | bit << at
        })
    }
}

/// Defined unless `unpredictable`.
pub fn unless(unpredictable: bool) -> Verdict {
    if unpredictable {
        Verdict::Unpredictable
    } else {
        Verdict::Defined
    }
}
