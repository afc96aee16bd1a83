use std::hint::select_unpredictable;
use std::ops::Deref;

use super::thread::{Act, Doing, Fork};
use super::{Gang, Step};
use crate::eval::Evaluator;
use crate::types::Move;

/// A node that a thread can give away.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    boss: usize,
    /// That of the node; [`NO_PLY`] if there is none.
    ply: u32,
}

impl Offer {
    pub(super) const NONE: Offer = Offer {
        boss: usize::MAX,
        ply: NO_PLY,
    };

    pub(super) fn is_none(self) -> bool {
        self.ply == NO_PLY
    }
}

/// The zeros of a word without open nodes.
const NO_PLY: u32 = u32::BITS;

/// How nodes go from thread to thread.
impl<E: Deref<Target = Evaluator> + Clone> Gang<E> {
    /// A thread without work takes over the node on offer; not from the thread that has just passed, whose offer may be stale.
    pub(super) fn claim(&mut self, index: usize) -> Step {
        let Offer { boss, ply } = self.offer;
        if self.offer.is_none() || boss == self.passed.0 {
            return Step::Halt;
        }
        let giver = &mut self.threads[boss];
        giver.stir();
        giver.fork = Some(Fork {
            ply: ply as usize,
            helper: index,
            found: None,
        });
        let mut node = giver.nodes[ply as usize - giver.base].clone();
        node.child_killer = Move::NONE;
        let thread = &mut self.threads[index];
        thread.base = ply as usize;
        thread.nodes.push(node);
        thread.boss = Some(boss);
        thread.doing = Doing::Act(Act::Join);
        Step::Claim
    }

    /// Tells the boss what became of its node.
    pub(super) fn report(&mut self, index: usize, holds: bool) -> Step {
        let boss = self.threads[index].boss;
        if let Some(boss) = boss.map(|boss| &mut self.threads[boss])
            && let Some(fork) = &mut boss.fork
        {
            fork.found = Some(holds);
            boss.stir();
        }
        self.leave_gang(index)
    }

    /// The helper takes this thread's place.
    pub(super) fn hand_on(&mut self, index: usize, fork: Fork) -> Step {
        let boss = self.threads[index].boss;
        self.threads[fork.helper].boss = boss;
        if let Some(above) = boss.and_then(|boss| self.threads[boss].fork.as_mut()) {
            above.helper = fork.helper;
        }
        self.threads[index].fork = None;
        self.leave_gang(index)
    }

    pub(super) fn leave_gang(&mut self, index: usize) -> Step {
        self.release(index);
        let thread = &mut self.threads[index];
        thread.nodes.clear();
        thread.boss = None;
        thread.doing = Doing::Nothing;
        Step::Halt
    }

    /// What was given away is of no use any more.
    pub(super) fn release(&mut self, index: usize) {
        if let Some(Fork {
            helper, found: None, ..
        }) = self.threads[index].fork.take()
        {
            self.threads[helper].stopped = true;
            self.threads[helper].stir();
        }
    }

    /// A thread has passed, and can give away these nodes.
    #[inline]
    pub(super) fn pass(&mut self, index: usize, offers: u16, claims: bool) {
        // Threads offer as if by chance, so nothing here is a branch.
        let (boss, open) = self.passed;
        let ours = claims | (self.offer.boss == boss);
        let kept = select_unpredictable(ours, Offer::NONE, self.offer);
        let ply = open.trailing_zeros();
        self.offer = select_unpredictable(ply < kept.ply, Offer { boss, ply }, kept);
        self.passed = (index, offers.into());
    }
}
