//! Reception: from a frame's last bit to whoever takes the frame.

use super::deadlines::Deadline;
use super::{ChipContext, W5500};
use crate::net::frame::{self, FCS_LEN, MAX_LEN, MIN_LEN};
use crate::net::wire::Direction;
use crate::time::Instant;

impl W5500 {
    /// Takes the frames whose last bit has arrived; they become visible a little later.
    pub(super) fn take_arrivals(&mut self, ctx: &mut ChipContext) {
        while let Some(frame) = ctx.wire.receive(Direction::ToBoard, ctx.now, ctx.schedule) {
            let visible = ctx.now + self.parameters.wire_to_interrupt;
            self.incoming.push_back((visible, frame));
        }
        self.arm_receive(ctx);
    }

    /// Hands over the frames that become visible now.
    pub(super) fn receive_due(&mut self, ctx: &mut ChipContext) {
        while self.incoming.front().is_some_and(|(at, _)| *at <= ctx.now) {
            let Some((_, frame)) = self.incoming.pop_front() else {
                break;
            };
            self.receive(&frame, ctx);
            ctx.wire.recycle(frame);
        }
        self.arm_receive(ctx);
    }

    fn arm_receive(&mut self, ctx: &mut ChipContext) {
        let due = self.incoming.front().map_or(Instant::NEVER, |(at, _)| *at);
        self.arm(Deadline::Receive, due, ctx);
    }

    fn receive(&mut self, frame: &[u8], ctx: &mut ChipContext) {
        if !self.link.carries_frames() {
            return;
        }
        let sound = (MIN_LEN + FCS_LEN..=MAX_LEN + FCS_LEN).contains(&frame.len());
        if !sound || !frame::is_intact(frame) {
            self.counters.damaged_frames += 1;
            return;
        }
        self.counters.frames_received += 1;
        let content = &frame[..frame.len() - FCS_LEN];
        let for_macraw = self.macraw_accepts(content);
        let consumed = self.receive_ip(content, ctx);
        if for_macraw && (!consumed || self.parameters.macraw_gets_all) {
            self.receive_macraw(content, ctx);
        } else if !consumed {
            self.counters.frames_filtered += 1;
        }
    }
}
