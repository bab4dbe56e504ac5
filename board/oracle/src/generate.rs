//! Random programs from the table of encodings.

use crate::encoding::{Base, Encoding, Role, Target, Verdict};
use crate::machine::{DATA, SLOTS};
use crate::program::{Fixup, Group, Instruction, Program, Slot, move_half};
use crate::tables::find;

const MOVW: u32 = 0xF240_0000;
const MOVT: u32 = 0xF2C0_0000;
/// MOV SP, Rm.
const MOV_SP: u32 = 0x4685;
const IT: u32 = 0xBF00;
/// SUBS.W Rd, Rn, #1, and BNE T1, both without their fields.
const SUBS_ONE: u32 = 0xF1B0_0001;
const BNE: u32 = 0xD100;

/// Makes programs; the same seed gives the same ones.
pub struct Generator<'a> {
    rows: &'a [Encoding],
    runnable: Vec<usize>,
    rng: fastrand::Rng,
    next_slot: u32,
    /// How often each row was generated.
    pub generated: Vec<u64>,
}

impl<'a> Generator<'a> {
    pub fn new(rows: &'a [Encoding], seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut runs = |index: usize| {
            let refused = matches!(rows[index].role, Role::NotRun(_));
            !refused && random_defined(rows, index, &mut rng).is_some()
        };
        Self {
            rows,
            runnable: (0..rows.len()).filter(|&i| runs(i)).collect(),
            rng: fastrand::Rng::with_seed(seed),
            next_slot: SLOTS.start,
            generated: vec![0; rows.len()],
        }
    }

    /// Rows that random programs can contain.
    pub fn runnable(&self) -> &[usize] {
        &self.runnable
    }

    pub fn rng(&mut self) -> &mut fastrand::Rng {
        &mut self.rng
    }

    /// A program of `groups` groups; one in eight is an IT block, one a loop.
    pub fn program(&mut self, groups: usize) -> Program {
        self.next_slot = SLOTS.start;
        let groups = (0..groups)
            .map(|_| match self.rng.u8(0..8) {
                0 => self.it_block(),
                1 => self.counted_loop(),
                _ => self.single(),
            })
            .collect();
        Program { groups }
    }

    fn pick(&mut self) -> usize {
        self.runnable[self.rng.usize(..self.runnable.len())]
    }

    fn single(&mut self) -> Group {
        loop {
            let index = self.pick();
            if !matches!(self.rows[index].role, Role::It)
                && let Some(group) = self.prepared(index)
            {
                self.generated[index] += 1;
                return group;
            }
        }
    }

    /// A block of up to four instructions, with what they need inside it under the same condition.
    fn it_block(&mut self) -> Group {
        let condition = self.rng.u32(0..15);
        let mut block = Group {
            instructions: Vec::new(),
            skip: self.rng.usize(0..4),
            slot: None,
        };
        let mut inverted = Vec::new();
        let wanted = self.rng.usize(1..=4);
        for _ in 0..20 {
            if inverted.len() >= wanted {
                break;
            }
            let index = self.pick();
            let row = &self.rows[index];
            let suits = row.in_it && matches!(row.role, Role::Plain | Role::Memory { .. });
            let Some(part) = suits.then(|| self.prepared(index)).flatten() else {
                continue;
            };
            if inverted.len() + part.instructions.len() > 4 {
                continue;
            }
            // The first slot takes the condition itself, and "always" has no opposite.
            let other = !inverted.is_empty() && condition != 14 && self.rng.bool();
            inverted.extend(part.instructions.iter().map(|_| other));
            block.instructions.extend(part.instructions);
            self.generated[index] += 1;
        }
        if inverted.is_empty() {
            return self.single();
        }
        let low = condition & 1;
        let count = inverted.len() as u32;
        let mask = inverted[1..]
            .iter()
            .fold(0, |mask, &other| mask << 1 | low ^ u32::from(other));
        let mask = (mask << 1 | 1) << (4 - count);
        let it = self.rows.iter().position(|row| row.name == "IT");
        self.generated[it.expect("the table has IT")] += 1;
        block.instructions.insert(
            0,
            Instruction {
                name: "IT",
                bits: IT | condition << 4 | mask & 15,
                bytes: 2,
                fixup: None,
            },
        );
        block
    }

    /// A loop of a few passes over instructions that leave its counter alone.
    fn counted_loop(&mut self) -> Group {
        // Not R0: a field that a row does not have reads as zero below.
        let counter = self.rng.u32(1..13);
        let passes = self.rng.u32(1..6);
        let mut instructions = vec![half_move(counter, passes, false, None)];
        let wanted = self.rng.usize(2..=4);
        while instructions.len() < wanted {
            let index = self.pick();
            let row = &self.rows[index];
            let plain = matches!(row.role, Role::Plain);
            let Some(body) = plain.then(|| self.prepared(index)).flatten() else {
                continue;
            };
            let fields = row.fields(body.instructions[0].bits);
            if "dtThl".chars().all(|letter| fields.get(letter) != counter) {
                instructions.extend(body.instructions);
                self.generated[index] += 1;
            }
        }
        let body_bytes: u32 = instructions[1..].iter().map(|i| i.bytes).sum();
        let subtract = SUBS_ONE | counter << 16 | counter << 8;
        // The branch goes back over the body and the subtraction; distances count from four bytes on.
        let back = (body_bytes + 8) / 2;
        for (name, bits, bytes) in [
            ("SUB (immediate) T3", subtract, 4),
            ("B T1", BNE | back.wrapping_neg() & 0xFF, 2),
        ] {
            instructions.push(Instruction {
                name,
                bits,
                bytes,
                fixup: None,
            });
        }
        Group {
            instructions,
            skip: 0,
            slot: None,
        }
    }

    /// An instruction of a row with what must come before it.
    fn prepared(&mut self, index: usize) -> Option<Group> {
        let row = &self.rows[index];
        let mut bits = random_defined(self.rows, index, &mut self.rng)?;
        let mut before = Vec::new();
        let mut fixup = None;
        let mut slot = None;
        match row.role {
            Role::Plain => {}
            Role::Memory {
                base,
                index,
                aligned,
            } => {
                let mut address = self.rng.u32(DATA);
                if aligned || base == Base::Sp || self.rng.bool() {
                    address &= !3;
                }
                self.point(row, bits, base, address, &mut before)?;
                if index {
                    self.small_index(row, bits, &mut before)?;
                }
            }
            Role::BranchTo(target) => fixup = Some(Fixup::Distance(target)),
            Role::BranchRegister => {
                let m = row.fields(bits).get('m');
                for high in [false, true] {
                    let thumb = true;
                    before.push(half_move(m, 0, high, Some(Fixup::Address { high, thumb })));
                }
            }
            Role::BranchAdd => {
                let m = row.fields(bits).get('m');
                for high in [false, true] {
                    let distance = Fixup::DistanceInRegister { high };
                    before.push(half_move(m, 0, high, Some(distance)));
                }
            }
            Role::BranchLoad {
                base,
                index,
                offset,
            } => {
                let at = self.take_slot(128);
                let small = if index {
                    self.small_index(row, bits, &mut before)?
                } else {
                    0
                };
                let offset = offset(&row.fields(bits), small);
                let address = at.wrapping_sub_signed(offset);
                self.point(row, bits, base, address, &mut before)?;
                slot = Some(Slot::Address { at });
            }
            Role::BranchTable { entry } => {
                let at = self.take_slot(4);
                let small = self.small_index(row, bits, &mut before)?;
                self.point(row, bits, Base::Register, at - small * entry, &mut before)?;
                slot = Some(Slot::TableEntry { at, bytes: entry });
            }
            Role::It | Role::NotRun(_) => return None,
        }
        if matches!(fixup, Some(Fixup::Distance(_))) {
            // Whatever distance was drawn is replaced.
            bits = row.with(bits, 'i', 0);
        }
        let compare = matches!(row.role, Role::BranchTo(Target::Compare));
        let shortest_skip = usize::from(compare);
        before.push(Instruction {
            name: row.name,
            bits,
            bytes: row.width / 8,
            fixup,
        });
        Some(Group {
            instructions: before,
            skip: self.rng.usize(shortest_skip..4),
            slot,
        })
    }

    /// A word-aligned place in the slots with `room` bytes around it.
    fn take_slot(&mut self, room: u32) -> u32 {
        let at = self.next_slot + room;
        self.next_slot = if at + 2 * room + 1024 < SLOTS.end {
            at + room
        } else {
            SLOTS.start
        };
        at & !3
    }

    /// Sets the base register to `address`.
    fn point(
        &mut self,
        row: &Encoding,
        bits: u32,
        base: Base,
        address: u32,
        before: &mut Vec<Instruction>,
    ) -> Option<()> {
        let n = match base {
            Base::Register => row.fields(bits).get('n'),
            Base::Sp => 13,
        };
        let through = if n == 13 { 12 } else { n };
        // An index register set earlier must not be the one that is set now.
        let taken = before
            .iter()
            .any(|i| i.bits >> 8 & 15 == through && i.bytes == 4);
        if taken || n == 15 || n == 13 && address & 3 != 0 {
            return None;
        }
        before.push(half_move(through, address, false, None));
        before.push(half_move(through, address, true, None));
        if n == 13 {
            before.push(Instruction {
                name: "MOV SP",
                bits: MOV_SP | through << 3,
                bytes: 2,
                fixup: None,
            });
        }
        Some(())
    }

    /// Sets the index register to a small value, and gives it.
    fn small_index(
        &mut self,
        row: &Encoding,
        bits: u32,
        before: &mut Vec<Instruction>,
    ) -> Option<u32> {
        let m = row.fields(bits).get('m');
        let n = row.fields(bits).get('n');
        let taken = before.iter().any(|i| i.bits >> 8 & 15 == m && i.bytes == 4);
        if m == n || taken || m == 12 && n == 13 {
            return None;
        }
        let value = self.rng.u32(0..512);
        before.push(half_move(m, value, false, None));
        Some(value)
    }
}

fn half_move(d: u32, value: u32, high: bool, fixup: Option<Fixup>) -> Instruction {
    let (name, opcode, half) = if high {
        ("MOVT", MOVT, value >> 16)
    } else {
        ("MOV (immediate) T3", MOVW, value)
    };
    Instruction {
        name,
        bits: move_half(opcode | d << 8, half),
        bytes: 4,
        fixup,
    }
}

/// Random bits of row `index` that the architecture defines, if a few hundred draws find any.
fn random_defined(rows: &[Encoding], index: usize, rng: &mut fastrand::Rng) -> Option<u32> {
    let row = &rows[index];
    let width_mask = if row.width == 32 { u32::MAX } else { 0xFFFF };
    (0..400)
        .map(|_| row.value | rng.u32(..) & !row.mask & width_mask)
        .filter(|&bits| row.verdict(bits) == Verdict::Defined)
        .find(|&bits| find(rows, bits, row.width).is_some_and(|first| first.name == row.name))
}
