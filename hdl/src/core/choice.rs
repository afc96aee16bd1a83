//! Something that is chosen when a chip is built.

use rust_hdl::prelude::*;

/// A constant in a block of its own, so that the block around it keeps its default: what is chosen is on, unless somebody says otherwise.
#[derive(LogicBlock)]
pub struct Choice {
    pub chosen: Signal<Out, Bit>,

    setting: Constant<Bit>,
}

impl Choice {
    /// On or off.
    pub fn new(setting: bool) -> Choice {
        Choice {
            chosen: Signal::default(),
            setting: Constant::new(setting),
        }
    }
}

impl Default for Choice {
    fn default() -> Choice {
        Choice::new(true)
    }
}

impl Logic for Choice {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.next = self.setting.val();
    }
}
