use bluebelle_spec::Weights;
use bluebelle_spec::wire::{Kind, MAX_RESULTS, Message, Reply as ReplyMessage, VERSION};
use rust_hdl::prelude::*;

use super::crc32::Crc32;
use crate::config::Config;
use crate::queue::Memory;

/// Builds the frames to the host: answers to requests first, else all results that there are.
///
/// Every payload is made of 16-bit words: the identity lies behind the weights in their RAM, the status out of the counters' RAM, results
/// as they lie in their queue. Results do not wait for company; but while a frame goes out others gather, so a busy
/// line gets long frames by itself.
#[derive(LogicBlock)]
pub struct Reply {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Request in: held until `reply_ready`.
    /// Something is to be answered.
    pub reply_valid: Signal<In, Bit>,
    /// The answer is the chip's status.
    pub reply_status: Signal<In, Bit>,
    /// The answer is an error; without either, it is the chip's identity.
    pub reply_error: Signal<In, Bit>,
    /// The error.
    pub error_code: Signal<In, Bits<4>>,
    /// The kind of the frame.
    pub error_kind: Signal<In, Bits<8>>,
    /// The job to blame.
    pub error_id: Signal<In, Bits<16>>,
    /// It is answered.
    pub reply_ready: Signal<Out, Bit>,

    // Results in: `result_pop` takes a word; the next one is there two cycles later.
    /// How many whole results there are.
    pub results: Signal<In, Bits<8>>,
    /// A word of the oldest result.
    pub result_word: Signal<In, Bits<16>>,
    /// It is taken.
    pub result_pop: Signal<Out, Bit>,

    // Counters in: the word at `counter_address`, one cycle later, while `counter_hold` and `counter_held`.
    /// The counters are to stand still.
    pub counter_hold: Signal<Out, Bit>,
    /// They do.
    pub counter_held: Signal<In, Bit>,
    /// Which word of the status.
    pub counter_address: Signal<Out, Bits<5>>,
    /// The word.
    pub counter_word: Signal<In, Bits<16>>,
    /// Jobs that wait.
    pub jobs: Signal<In, Bits<8>>,
    /// Jobs that there is room for.
    pub credits: Signal<In, Bits<8>>,

    // Results sent, out: held until `sent_ready`.
    /// A frame of results is complete.
    pub sent_valid: Signal<Out, Bit>,
    /// How many.
    pub sent_count: Signal<Out, Bits<6>>,
    /// They are counted.
    pub sent_ready: Signal<In, Bit>,

    // Pause in: `resting` says that no results are being read, and none will be while `pause`.
    /// Begin no frame of results.
    pub pause: Signal<In, Bit>,
    /// No frame is being built.
    pub resting: Signal<Out, Bit>,

    // Weights in: one in every cycle with `weight_write`.
    /// There is a weight.
    pub weight_write: Signal<In, Bit>,
    /// Which.
    pub weight_index: Signal<In, Bits<10>>,
    /// Its value.
    pub weight_data: Signal<In, Bits<16>>,

    // Frame out: bytes are taken when `byte_valid` and `byte_ready`; then `finish` is held until `finished`. A frame begins only
    // when there is `room` for it.
    /// There is a byte.
    pub byte_valid: Signal<Out, Bit>,
    /// The byte.
    pub byte_data: Signal<Out, Bits<8>>,
    /// It is taken.
    pub byte_ready: Signal<In, Bit>,
    /// The frame is complete.
    pub finish: Signal<Out, Bit>,
    /// It will be sent.
    pub finished: Signal<In, Bit>,
    /// There is room for a frame.
    pub room: Signal<In, Bit>,

    identity_head: Constant<Bits<16>>,
    status_head: Constant<Bits<16>>,
    error_head: Constant<Bits<16>>,
    results_head: Constant<Bits<16>>,
    identity_words: Constant<Bits<10>>,
    status_words: Constant<Bits<10>>,
    most_results: Constant<Bits<8>>,
    last_weight: Constant<Bits<10>>,
    identity_word: Constant<Bits<10>>,

    crc: Crc32,
    /// A copy of the weights, because Identify asks for their checksum, and from word 992 on the identity.
    weights: Memory<Bits<16>, 10>,
    step: DFF<ReplyStep>,
    section: DFF<Section>,
    content: DFF<Content>,
    /// The word of the section, or the weight.
    at: DFF<Bits<10>>,
    /// The words of the payload.
    words: DFF<Bits<10>>,
    count: DFF<Bits<6>>,
    weights_crc: DFF<Bits<32>>,
    /// The word whose bytes are sent or summed; block RAM is too slow to go straight on.
    /// The word of the payload, as the RAMs gave it.
    payload: DFF<Bits<16>>,
    held: DFF<Bits<16>>,

    head: Signal<Local, Bits<16>>,
    word: Signal<Local, Bits<16>>,
    // Inputs of a block that answers in the same cycle are written once: in an event-driven simulation a default and an
    // override would wake it, and it us, for ever.
    out_byte_valid: Signal<Local, Bit>,
    out_byte_data: Signal<Local, Bits<8>>,
    out_finish: Signal<Local, Bit>,
    begin_frame: Signal<Local, Bit>,
    final_word: Signal<Local, Bits<10>>,
    last: Signal<Local, Bit>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum ReplyStep {
    Idle,
    SumFetch,
    SumHold,
    SumLow,
    SumHigh,
    Summed,
    Still,
    Fetch,
    Choose,
    Hold,
    Low,
    High,
    Finish,
    Sent,
    Answered,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum Section {
    Head,
    Payload,
    Checksum,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum Content {
    Results,
    Identity,
    Status,
    Error,
}

/// Where the identity lies: behind the weights, and with room for a word number below.
const IDENTITY_WORD: usize = 992;

impl Reply {
    /// The block, for a chip with this configuration.
    ///
    /// # Panics
    /// If the configuration has none of something that every chip has.
    pub fn new(config: &Config) -> Reply {
        let identity = ReplyMessage::Identity(config.identity()).payload();
        let identity = identity.expect("a chip has cores, threads, stages, a clock and a queue");
        let words = identity
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]).to_bits());
        let head = |kind: Kind| Constant::new((u16::from(VERSION) << 8 | kind as u16).to_bits());
        assert_eq!(config.weights.len(), Weights::WORDS, "weights of the configuration");
        let weights = config.weights.iter().map(|&weight| (weight as u16).to_bits());
        let gap = std::iter::repeat_n(Bits::from(0), IDENTITY_WORD - Weights::WORDS);
        Reply {
            clock: Signal::default(),
            reply_valid: Signal::default(),
            reply_status: Signal::default(),
            reply_error: Signal::default(),
            error_code: Signal::default(),
            error_kind: Signal::default(),
            error_id: Signal::default(),
            reply_ready: Signal::default(),
            results: Signal::default(),
            result_word: Signal::default(),
            result_pop: Signal::default(),
            counter_hold: Signal::default(),
            counter_held: Signal::default(),
            counter_address: Signal::default(),
            counter_word: Signal::default(),
            jobs: Signal::default(),
            credits: Signal::default(),
            sent_valid: Signal::default(),
            sent_count: Signal::default(),
            sent_ready: Signal::default(),
            pause: Signal::default(),
            resting: Signal::default(),
            weight_write: Signal::default(),
            weight_index: Signal::default(),
            weight_data: Signal::default(),
            byte_valid: Signal::default(),
            byte_data: Signal::default(),
            byte_ready: Signal::default(),
            finish: Signal::default(),
            finished: Signal::default(),
            room: Signal::default(),
            identity_head: head(Kind::Identity),
            status_head: head(Kind::Status),
            error_head: head(Kind::Error),
            results_head: head(Kind::Results),
            identity_words: Constant::new((Kind::Identity.shape().longest() / 2).to_bits()),
            status_words: Constant::new((Kind::Status.shape().longest() / 2).to_bits()),
            most_results: Constant::new(MAX_RESULTS.to_bits()),
            last_weight: Constant::new((Weights::WORDS - 1).to_bits()),
            identity_word: Constant::new(IDENTITY_WORD.to_bits()),
            crc: Crc32::new(),
            weights: Memory::with(weights.chain(gap).chain(words)),
            step: DFF::default(),
            section: DFF::default(),
            content: DFF::default(),
            at: DFF::default(),
            words: DFF::default(),
            count: DFF::default(),
            weights_crc: DFF::default(),
            payload: DFF::default(),
            held: DFF::default(),
            head: Signal::default(),
            word: Signal::default(),
            out_byte_valid: Signal::default(),
            out_byte_data: Signal::default(),
            out_finish: Signal::default(),
            begin_frame: Signal::default(),
            final_word: Signal::default(),
            last: Signal::default(),
        }
    }
}

impl Logic for Reply {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            section,
            content,
            at,
            words,
            count,
            weights_crc,
            payload,
            held
        );
        clock!(self, clock, crc);
        self.weights.clock.next = self.clock.val();
        self.weights.write_enable.next = self.weight_write.val();
        self.weights.write_address.next = self.weight_index.val();
        self.weights.write_data.next = self.weight_data.val();
        self.weights.read_address.next = self.at.q.val();
        if self.section.q.val() == Section::Payload {
            self.weights.read_address.next = self.at.q.val() | self.identity_word.val();
        }
        self.counter_address.next = self.at.q.val().get_bits::<5>(0);

        // The word to send, by section and content.
        match self.content.q.val() {
            Content::Results => {
                self.head.next = self.results_head.val();
                self.payload.d.next = self.result_word.val();
            }
            Content::Identity => {
                self.head.next = self.identity_head.val();
                self.payload.d.next = self.weights.read_data.val();
            }
            Content::Status => {
                self.head.next = self.status_head.val();
                self.payload.d.next = self.counter_word.val();
            }
            _ => {
                self.head.next = self.error_head.val();
                self.payload.d.next =
                    bit_cast::<16, 4>(self.error_code.val()) | (bit_cast::<16, 8>(self.error_kind.val()) << 8);
                if self.at.q.val().get_bit(0) {
                    self.payload.d.next = self.error_id.val();
                }
            }
        }
        self.final_word.next = self.words.q.val() - 1;
        match self.section.q.val() {
            Section::Head => {
                self.word.next = self.head.val();
                if self.at.q.val().get_bit(0) {
                    self.word.next = bit_cast::<16, 10>(self.words.q.val()) << 1;
                }
                self.last.next = self.at.q.val().get_bit(0);
            }
            Section::Payload => {
                self.word.next = self.payload.q.val();
                match self.content.q.val() {
                    Content::Identity => {
                        if self.at.q.val() == 18 {
                            self.word.next = self.weights_crc.q.val().get_bits::<16>(0);
                        } else if self.at.q.val() == 19 {
                            self.word.next = self.weights_crc.q.val().get_bits::<16>(16);
                        }
                    }
                    Content::Status => {
                        if self.at.q.val() == 26 {
                            self.word.next = bit_cast::<16, 8>(self.jobs.val());
                        } else if self.at.q.val() == 27 {
                            self.word.next = bit_cast::<16, 8>(self.credits.val());
                        }
                    }
                    _ => {}
                }
                self.last.next = self.at.q.val() == self.final_word.val();
            }
            _ => {
                self.word.next = self.crc.crc.val().get_bits::<16>(0);
                if self.at.q.val().get_bit(0) {
                    self.word.next = self.crc.crc.val().get_bits::<16>(16);
                }
                self.last.next = self.at.q.val().get_bit(0);
            }
        }

        self.begin_frame.next = false;
        self.reply_ready.next = false;
        self.result_pop.next = false;
        self.sent_valid.next = false;
        self.sent_count.next = self.count.q.val();
        self.resting.next = false;
        self.counter_hold.next = self.content.q.val() == Content::Status;
        self.crc.clear.next = false;
        self.crc.enable.next = false;
        self.out_byte_valid.next = false;
        self.out_byte_data.next = self.held.q.val().get_bits::<8>(0);
        self.out_finish.next = false;

        match self.step.q.val() {
            ReplyStep::Idle => {
                self.resting.next = !self.reply_valid.val();
                self.at.d.next = 0.into();
                self.content.d.next = Content::Results;
                self.crc.clear.next = true;
                self.count.d.next = self.results.val().get_bits::<6>(0);
                self.words.d.next = bit_cast::<10, 8>(self.results.val()) << 3;
                if self.results.val() > self.most_results.val() {
                    self.count.d.next = self.most_results.val().get_bits::<6>(0);
                    self.words.d.next = bit_cast::<10, 8>(self.most_results.val()) << 3;
                }
                if self.room.val() {
                    if self.reply_valid.val() {
                        if self.reply_error.val() {
                            self.content.d.next = Content::Error;
                            self.words.d.next = 2.into();
                            self.begin_frame.next = true;
                        } else if self.reply_status.val() {
                            self.content.d.next = Content::Status;
                            self.words.d.next = self.status_words.val();
                            self.step.d.next = ReplyStep::Still;
                        } else {
                            self.content.d.next = Content::Identity;
                            self.words.d.next = self.identity_words.val();
                            self.step.d.next = ReplyStep::SumFetch;
                        }
                    } else if (self.results.val() != 0) & !self.pause.val() {
                        self.begin_frame.next = true;
                    }
                }
            }

            // The checksum of the weights, with the frames' own CRC.
            ReplyStep::SumFetch => {
                self.step.d.next = ReplyStep::SumHold;
            }
            ReplyStep::SumHold => {
                self.held.d.next = self.weights.read_data.val();
                self.step.d.next = ReplyStep::SumLow;
            }
            ReplyStep::SumLow => {
                self.crc.enable.next = true;
                self.step.d.next = ReplyStep::SumHigh;
            }
            ReplyStep::SumHigh => {
                self.out_byte_data.next = self.held.q.val().get_bits::<8>(8);
                self.crc.enable.next = true;
                self.at.d.next = self.at.q.val() + 1;
                self.step.d.next = ReplyStep::SumFetch;
                if self.at.q.val() == self.last_weight.val() {
                    self.step.d.next = ReplyStep::Summed;
                }
            }
            ReplyStep::Summed => {
                self.weights_crc.d.next = self.crc.crc.val();
                self.begin_frame.next = true;
            }

            ReplyStep::Still => {
                self.begin_frame.next = self.counter_held.val();
            }

            // A cycle each for the RAMs, the payload and the word, then the two bytes.
            ReplyStep::Fetch => {
                self.step.d.next = ReplyStep::Choose;
            }
            ReplyStep::Choose => {
                self.step.d.next = ReplyStep::Hold;
            }
            ReplyStep::Hold => {
                self.held.d.next = self.word.val();
                self.step.d.next = ReplyStep::Low;
            }
            ReplyStep::Low => {
                self.out_byte_valid.next = true;
                if self.byte_ready.val() {
                    self.crc.enable.next = self.section.q.val() != Section::Checksum;
                    self.step.d.next = ReplyStep::High;
                }
            }
            ReplyStep::High => {
                self.out_byte_valid.next = true;
                self.out_byte_data.next = self.held.q.val().get_bits::<8>(8);
                if self.byte_ready.val() {
                    self.crc.enable.next = self.section.q.val() != Section::Checksum;
                    self.result_pop.next =
                        (self.section.q.val() == Section::Payload) & (self.content.q.val() == Content::Results);
                    self.step.d.next = ReplyStep::Fetch;
                    self.at.d.next = self.at.q.val() + 1;
                    if self.last.val() {
                        self.at.d.next = 0.into();
                        match self.section.q.val() {
                            Section::Head => {
                                self.section.d.next = Section::Payload;
                            }
                            Section::Payload => {
                                self.section.d.next = Section::Checksum;
                            }
                            _ => {
                                self.step.d.next = ReplyStep::Finish;
                            }
                        }
                    }
                }
            }
            ReplyStep::Finish => {
                self.out_finish.next = true;
                if self.finished.val() {
                    self.step.d.next = ReplyStep::Answered;
                    if self.content.q.val() == Content::Results {
                        self.step.d.next = ReplyStep::Sent;
                    }
                }
            }
            ReplyStep::Sent => {
                self.sent_valid.next = true;
                if self.sent_ready.val() {
                    self.step.d.next = ReplyStep::Idle;
                }
            }
            ReplyStep::Answered => {
                self.content.d.next = Content::Results;
                self.reply_ready.next = true;
                self.step.d.next = ReplyStep::Idle;
            }
            _ => {
                self.step.d.next = ReplyStep::Idle;
            }
        }

        if self.begin_frame.val() {
            self.crc.clear.next = true;
            self.section.d.next = Section::Head;
            self.at.d.next = 0.into();
            self.step.d.next = ReplyStep::Fetch;
        }

        self.byte_valid.next = self.out_byte_valid.val();
        self.byte_data.next = self.out_byte_data.val();
        self.crc.data.next = self.out_byte_data.val();
        self.finish.next = self.out_finish.val();
    }
}
