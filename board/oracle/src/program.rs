//! A program under test: groups of instructions that stand together, and how they become code.

use crate::encoding::Target;
use crate::machine::{PROGRAM_BASE, RAM_BASE, Start};

/// Stands behind the last group: CBZ cannot go to the very next instruction.
const NOP: u16 = 0xBF00;

/// One instruction, and what of it depends on where things come to lie.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub name: &'static str,
    pub bits: u32,
    /// 2 or 4.
    pub bytes: u32,
    pub fixup: Option<Fixup>,
}

/// A part of an instruction, or of scratch memory, that names the branch target of its group.
#[derive(Clone, Copy, Debug)]
pub enum Fixup {
    /// The distance of a branch.
    Distance(Target),
    /// The low or high half of an address in a MOVW or MOVT.
    Address { high: bool, thumb: bool },
    /// The same for the distance from the group's last instruction, as ADD PC takes it.
    DistanceInRegister { high: bool },
}

/// What a group puts into scratch memory before the start.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// The target's address with bit 0 set.
    Address { at: u32 },
    /// An entry of a branch table: half the distance from the group's last instruction.
    TableEntry { at: u32, bytes: u32 },
}

/// Instructions that belong together: one, with what prepares it, or a whole IT block.
#[derive(Clone, Debug)]
pub struct Group {
    pub instructions: Vec<Instruction>,
    /// A branch of this group goes to the group this many further on.
    pub skip: usize,
    pub slot: Option<Slot>,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub groups: Vec<Group>,
}

impl Group {
    fn bytes(&self) -> u32 {
        self.instructions.iter().map(|i| i.bytes).sum()
    }
}

impl Program {
    /// Addresses of all groups, of the NOP behind them and of the end.
    fn layout(&self) -> Vec<u32> {
        let mut at = PROGRAM_BASE;
        let mut addresses = vec![at];
        for group in &self.groups {
            at += group.bytes();
            addresses.push(at);
        }
        addresses.push(at + 2);
        addresses
    }

    /// Halfwords from [`PROGRAM_BASE`] on; `start` takes what the groups put into scratch memory.
    pub fn assemble(&self, start: &mut Start) -> Vec<u16> {
        let addresses = self.layout();
        let mut code = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let target = addresses[(index + 1 + group.skip).min(self.groups.len() + 1)];
            let last = addresses[index + 1] - group.instructions.last().map_or(0, |i| i.bytes);
            for instruction in &group.instructions {
                let bits = match instruction.fixup {
                    Some(fixup) => fixup.apply(instruction.bits, target, last),
                    None => instruction.bits,
                };
                if instruction.bytes == 4 {
                    code.push((bits >> 16) as u16);
                }
                code.push(bits as u16);
            }
            match group.slot {
                Some(Slot::Address { at }) => put(start, at, &(target | 1).to_le_bytes()),
                Some(Slot::TableEntry { at, bytes }) => {
                    let entry = ((target - last - 4) / 2).to_le_bytes();
                    put(start, at, &entry[..bytes as usize]);
                }
                None => {}
            }
        }
        code.push(NOP);
        code
    }

    /// One line an instruction, with its address.
    pub fn listing(&self, code: &[u16]) -> String {
        let mut at = 0;
        let mut lines = String::new();
        for instruction in self.groups.iter().flat_map(|group| &group.instructions) {
            let halfwords = &code[at..at + instruction.bytes as usize / 2];
            let words: Vec<_> = halfwords.iter().map(|hw| format!("{hw:04x}")).collect();
            let address = PROGRAM_BASE + 2 * at as u32;
            lines += &format!(
                "  {address:08x}: {:9}  {}\n",
                words.join(" "),
                instruction.name
            );
            at += halfwords.len();
        }
        lines
    }
}

fn put(start: &mut Start, address: u32, bytes: &[u8]) {
    let at = (address - RAM_BASE) as usize;
    start.ram[at..at + bytes.len()].copy_from_slice(bytes);
}

impl Fixup {
    fn apply(self, bits: u32, target: u32, last: u32) -> u32 {
        let distance = target.wrapping_sub(last + 4);
        match self {
            Self::Distance(kind) => encode_distance(bits, kind, distance),
            Self::Address { high, thumb } => {
                let address = target | u32::from(thumb);
                move_half(bits, if high { address >> 16 } else { address })
            }
            Self::DistanceInRegister { high } => {
                move_half(bits, if high { distance >> 16 } else { distance })
            }
        }
    }
}

/// Puts a 16-bit immediate into MOVW or MOVT.
pub fn move_half(bits: u32, half: u32) -> u32 {
    let half = half & 0xFFFF;
    bits & !0x040F_70FF
        | (half >> 12) << 16
        | (half >> 11 & 1) << 26
        | (half >> 8 & 7) << 12
        | half & 0xFF
}

/// Distances count from the branch's address plus four.
fn encode_distance(bits: u32, kind: Target, distance: u32) -> u32 {
    let half = distance >> 1;
    match kind {
        Target::Conditional => bits & !0xFF | half & 0xFF,
        Target::Narrow => bits & !0x7FF | half & 0x7FF,
        Target::Compare => bits & !0x2F8 | (half >> 5 & 1) << 9 | (half & 31) << 3,
        Target::WideConditional => {
            let (s, j2, j1) = (distance >> 20 & 1, distance >> 19 & 1, distance >> 18 & 1);
            let (imm6, imm11) = (distance >> 12 & 0x3F, half & 0x7FF);
            bits & !0x043F_2FFF | s << 26 | imm6 << 16 | j1 << 13 | j2 << 11 | imm11
        }
        Target::Wide => {
            let s = distance >> 24 & 1;
            let j1 = (distance >> 23 & 1) ^ s ^ 1;
            let j2 = (distance >> 22 & 1) ^ s ^ 1;
            let (imm10, imm11) = (distance >> 12 & 0x3FF, half & 0x7FF);
            bits & !0x07FF_2FFF | s << 26 | imm10 << 16 | j1 << 13 | j2 << 11 | imm11
        }
    }
}
