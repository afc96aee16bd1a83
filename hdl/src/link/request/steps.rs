//! What is done with a frame, step by step.

use rust_hdl::prelude::*;

use super::{Request, RequestStep};

impl Logic for Request {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            writing,
            writing_address,
            writing_data,
            step,
            at,
            previous,
            checked,
            more,
            code,
            cause,
            failed,
            failed_code,
            failed_cause,
            asked_count,
            asked_id,
            asked_task,
            asked_nodes,
            asked_first,
            asked_move,
            no_limit,
            child_id,
            children_here,
            id,
            children,
            windows_left,
            distance,
            window,
            first_window,
            perft,
            pruning,
            gang,
            depth,
            low_limit_zero,
            move_refused,
            word_at,
            weight_at
        );
        clock!(self, clock, unpack);
        self.template.clock.next = self.clock.val();

        self.frame_done.next = false;
        self.job_valid.next = false;
        self.weight_write.next = false;
        self.control_valid.next = false;
        self.counting.next = false;
        self.count_good.next = false;
        self.reply_valid.next = false;
        self.reply_error.next = false;
        self.start_unpack.next = false;
        self.job_done.next = false;
        self.fail.next = false;
        self.asks_count.next = false;
        self.asks_id.next = false;
        self.asks_task.next = false;
        self.asks_nodes.next = false;
        self.asks_first.next = false;
        self.asks_move.next = false;
        self.fail_code.next = self.bad_length.val();
        self.fail_cause.next = self.cause_content.val();

        self.is_job.next = self.frame_kind.val() == self.kind_job.val();
        self.is_batch.next = self.frame_kind.val() == self.kind_batch.val();
        self.words.next = self.frame_length.val().get_bits::<10>(1);
        self.last_item.next = self.at.q.val() == self.words.val();
        self.previous.d.next = self.read_data.val();
        self.children_here.d.next = self.limits.children.val();

        self.limits.length.next = self.frame_length.val();
        self.limits.word.next = self.previous.q.val();
        self.limits.low_nodes_zero.next = self.low_limit_zero.q.val();
        self.limits.weight.next = self.previous.q.val();
        self.limits.weight_index.next = self.weight_at.q.val();

        self.wide_data.next = bit_cast::<17, 16>(self.read_data.val());
        if self.read_data.val().get_bit(15) {
            self.wide_data.next = self.wide_data.val() | 0x10000;
        }
        self.wide_distance.next = bit_cast::<17, 16>(self.distance.q.val());
        if self.distance.q.val().get_bit(15) {
            self.wide_distance.next = self.wide_distance.val() | 0x10000;
        }
        self.lifted_window.next = self.window.q.val() + self.least_window.val();

        // Words of the template: 0 id, 1 task and state, 2 window, 3 and 4 node limit, 5 first move, then the pieces.
        self.writing.d.next = false;
        self.writing_address.d.next = 0.into();
        self.writing_data.d.next = self.read_data.val();
        self.template.read_address.next = self.word_at.q.val();
        self.last_word.next = self.unpack.count.val() + 6;

        match self.step.q.val() {
            RequestStep::Idle => {
                self.at.d.next = 0.into();
                self.checked.d.next = false;
                self.more.d.next = false;
                self.id.d.next = self.no_job.val();
                self.children.d.next = 1.into();
                self.windows_left.d.next = 1.into();
                self.distance.d.next = 0.into();
                self.cause.d.next = self.frame_cause.val();
                if self.frame_valid.val() {
                    self.fail_cause.next = self.cause_length.val();
                    if self.frame_cause.val() == self.cause_version.val() {
                        self.fail.next = true;
                        self.fail_code.next = self.bad_version.val();
                        self.fail_cause.next = self.cause_version.val();
                    } else if self.frame_cause.val() != 7 {
                        self.step.d.next = RequestStep::Drop;
                    } else if (self.frame_kind.val() == self.kind_identify.val())
                        | (self.frame_kind.val() == self.kind_reset.val())
                        | (self.frame_kind.val() == self.kind_status.val())
                    {
                        self.fail.next = self.frame_length.val() != 0;
                        self.step.d.next = RequestStep::Accept;
                    } else if self.frame_kind.val() == self.kind_weights.val() {
                        self.fail.next = self.limits.weights_wrong.val();
                        self.step.d.next = RequestStep::SeekWeights;
                    } else if self.is_job.val() {
                        self.fail.next = self.frame_length.val() != 38;
                        self.at.d.next = 1.into();
                        self.step.d.next = RequestStep::Id;
                    } else if self.is_batch.val() {
                        self.fail.next = self.limits.batch_wrong.val();
                        self.at.d.next = 5.into();
                        self.step.d.next = RequestStep::SeekCount;
                    } else if self.frame_kind.val() == self.kind_abort.val() {
                        self.fail.next = self.limits.ids_wrong.val();
                        self.step.d.next = RequestStep::SeekIds;
                        if self.frame_length.val() == 0 {
                            self.step.d.next = RequestStep::Accept;
                        }
                    } else {
                        self.fail.next = true;
                        self.fail_code.next = self.unknown_kind.val();
                        self.fail_cause.next = self.cause_kind.val();
                    }
                }
            }

            // A frame that did not arrive whole gets no answer.
            RequestStep::Drop => {
                self.counting.next = true;
                if self.count_ready.val() {
                    self.step.d.next = RequestStep::Finish;
                }
            }
            RequestStep::Fail => {
                self.counting.next = true;
                if self.count_ready.val() {
                    self.step.d.next = RequestStep::AnswerError;
                }
            }
            RequestStep::AnswerError => {
                self.reply_valid.next = true;
                self.reply_error.next = true;
                if self.reply_ready.val() {
                    self.step.d.next = RequestStep::Finish;
                }
            }
            RequestStep::Finish => {
                self.frame_done.next = true;
                self.step.d.next = RequestStep::Idle;
            }

            // The frame is understood: count it, then do it.
            RequestStep::Accept => {
                self.counting.next = true;
                self.count_good.next = true;
                self.checked.d.next = true;
                self.writing_address.d.next = 4.into();
                self.writing_data.d.next = self.all_nodes.val();
                self.writing.d.next = self.no_limit.q.val();
                self.window.d.next = bit_cast::<17, 16>(self.first_window.q.val());
                if self.count_ready.val() {
                    self.step.d.next = RequestStep::Act;
                }
            }
            RequestStep::Act => {
                self.code.d.next = self.queue_full.val();
                self.at.d.next = 0.into();
                self.word_at.d.next = 0.into();
                if self.frame_kind.val() == self.kind_weights.val() {
                    self.step.d.next = RequestStep::SeekWeights;
                } else if self.is_job.val() | self.is_batch.val() {
                    self.at.d.next = 19.into();
                    if self.credits.val() < self.children.q.val() {
                        self.step.d.next = RequestStep::AnswerError;
                    } else if self.is_job.val() {
                        self.step.d.next = RequestStep::Emit;
                    } else {
                        self.step.d.next = RequestStep::SeekChild;
                    }
                } else if self.frame_kind.val() == self.kind_reset.val() {
                    self.step.d.next = RequestStep::Control;
                } else if self.frame_kind.val() == self.kind_abort.val() {
                    self.step.d.next = RequestStep::SeekIds;
                    if self.frame_length.val() == 0 {
                        self.step.d.next = RequestStep::Control;
                    }
                } else {
                    self.step.d.next = RequestStep::Answer;
                }
            }
            RequestStep::Answer => {
                self.reply_valid.next = true;
                if self.reply_ready.val() {
                    self.step.d.next = RequestStep::Finish;
                }
            }
            RequestStep::Control => {
                self.control_valid.next = true;
                if self.control_done.val() {
                    self.step.d.next = RequestStep::Finish;
                }
            }

            // A batch begins with its sixth word, because a wrong count is the first error there is.
            RequestStep::SeekCount => {
                self.at.d.next = 0.into();
                self.step.d.next = RequestStep::Count;
            }
            RequestStep::Count => {
                self.at.d.next = 1.into();
                self.children.d.next = self.read_data.val().get_bits::<8>(0);
                self.windows_left.d.next = self.read_data.val().get_bits::<8>(0);
                self.asks_count.next = true;
                self.step.d.next = RequestStep::Id;
            }
            RequestStep::Id => {
                self.at.d.next = 2.into();
                if self.is_batch.val() {
                    self.distance.d.next = self.read_data.val();
                } else {
                    self.id.d.next = self.read_data.val();
                    self.writing.d.next = true;
                    self.asks_id.next = true;
                    self.fail_code.next = self.bad_id.val();
                }
                self.step.d.next = RequestStep::Task;
            }
            RequestStep::Task => {
                self.at.d.next = 3.into();
                self.perft.d.next = self.read_data.val().get_bit(7);
                self.pruning.d.next = self.read_data.val().get_bit(6);
                self.gang.d.next = self.read_data.val().get_bit(5);
                self.depth.d.next = self.read_data.val().get_bits::<5>(0);
                self.asks_task.next = true;
                self.fail_code.next = self.bad_depth.val();
                self.step.d.next = RequestStep::Window;
            }
            RequestStep::Window => {
                self.writing_address.d.next = 2.into();
                self.writing.d.next = true;
                self.window.d.next = self.wide_data.val();
                self.first_window.d.next = self.read_data.val();
                self.step.d.next = RequestStep::Windows;
            }
            // Every child's window in turn: a sum stays within 17 bits as long as the one before it was in range.
            RequestStep::Windows => {
                self.fail_code.next = self.bad_window.val();
                if self.perft.q.val() {
                    self.fail.next = self.window.q.val().any() | self.distance.q.val().any();
                } else {
                    self.fail.next = self.lifted_window.val() > self.most_window.val();
                }
                self.window.d.next = self.window.q.val() + self.wide_distance.val();
                self.windows_left.d.next = self.windows_left.q.val() - 1;
                if self.windows_left.q.val() == 1 {
                    self.at.d.next = 4.into();
                    self.step.d.next = RequestStep::LowLimit;
                }
            }
            RequestStep::LowLimit => {
                self.at.d.next = 5.into();
                self.writing_address.d.next = 3.into();
                self.writing.d.next = true;
                self.step.d.next = RequestStep::HighLimit;
            }
            RequestStep::HighLimit => {
                self.at.d.next = 6.into();
                self.writing_address.d.next = 4.into();
                self.writing.d.next = true;
                self.low_limit_zero.d.next = self.previous.q.val() == 0;
                self.asks_nodes.next = true;
                self.fail_code.next = self.bad_node_limit.val();
                self.step.d.next = RequestStep::First;
            }
            RequestStep::First => {
                self.writing_address.d.next = 5.into();
                self.writing.d.next = true;
                self.no_limit.d.next = self.low_limit_zero.q.val() & (self.previous.q.val() == 0);
                self.asks_first.next = true;
                self.start_unpack.next = true;
                self.step.d.next = RequestStep::Position;
            }
            RequestStep::Position => {
                self.writing_address.d.next = bit_cast::<6, 5>(self.unpack.piece_index.val()) + 6;
                self.writing_data.d.next = bit_cast::<16, 10>(self.unpack.piece.val());
                self.writing.d.next = self.unpack.piece_write.val();
                if self.unpack.done.val() {
                    self.step.d.next = RequestStep::Unpacked;
                }
            }
            RequestStep::Unpacked => {
                self.writing_address.d.next = 1.into();
                self.writing_data.d.next = bit_cast::<16, 4>(self.unpack.state.val().get_bits::<4>(8))
                    | (bit_cast::<16, 4>(self.unpack.state.val().get_bits::<4>(1)) << 4)
                    | (bit_cast::<16, 1>(self.unpack.state.val().get_bits::<1>(0)) << 8)
                    | (bit_cast::<16, 5>(self.depth.q.val()) << 9)
                    | (bit_cast::<16, 1>((self.perft.q.val() | self.gang.q.val()).into()) << 14)
                    | (bit_cast::<16, 1>((self.pruning.q.val() & !self.perft.q.val()).into()) << 15);
                self.writing.d.next = true;
                self.at.d.next = 19.into();
                self.step.d.next = RequestStep::SeekChild;
                if self.is_job.val() {
                    self.step.d.next = RequestStep::Accept;
                }
                if self.unpack.bad.val() {
                    self.fail.next = true;
                    self.fail_code.next = self.bad_position.val();
                } else {
                    self.fail.next = self.move_refused.q.val();
                    self.fail_code.next = self.bad_move.val();
                }
            }

            RequestStep::SeekChild => {
                self.at.d.next = self.at.q.val() + 1;
                self.step.d.next = RequestStep::ChildId;
            }
            RequestStep::ChildId => {
                self.at.d.next = self.at.q.val() + 1;
                self.writing.d.next = true;
                self.asks_id.next = true;
                self.fail_code.next = self.bad_id.val();
                self.step.d.next = RequestStep::ChildMove;
            }
            RequestStep::ChildMove => {
                self.writing_address.d.next = 5.into();
                self.writing.d.next = true;
                self.more.d.next = !self.last_item.val();
                self.word_at.d.next = 0.into();
                if self.checked.q.val() {
                    self.step.d.next = RequestStep::Emit;
                } else {
                    self.at.d.next = self.at.q.val() + 1;
                    self.step.d.next = RequestStep::ChildId;
                    if self.last_item.val() {
                        self.step.d.next = RequestStep::Accept;
                    }
                    self.child_id.d.next = self.previous.q.val();
                    self.asks_move.next = true;
                    self.fail_code.next = self.bad_move.val();
                }
            }
            RequestStep::Emit => {
                self.writing_address.d.next = 2.into();
                self.writing_data.d.next = self.window.q.val().get_bits::<16>(0);
                self.writing.d.next = true;
                self.window.d.next = self.window.q.val() + self.wide_distance.val();
                self.word_at.d.next = 1.into();
                self.step.d.next = RequestStep::Emitting;
            }
            RequestStep::Emitting => {
                self.job_valid.next = true;
                self.word_at.d.next = self.word_at.q.val() + 1;
                if self.word_at.q.val() == self.last_word.val() {
                    self.job_done.next = true;
                    self.at.d.next = self.at.q.val() + 1;
                    self.step.d.next = RequestStep::Finish;
                    if self.more.q.val() {
                        self.step.d.next = RequestStep::ChildId;
                    }
                }
            }

            RequestStep::SeekWeights => {
                self.at.d.next = 1.into();
                self.step.d.next = RequestStep::Offset;
            }
            RequestStep::Offset => {
                self.at.d.next = 2.into();
                self.weight_at.d.next = self.read_data.val();
                self.step.d.next = RequestStep::ReadWeight;
            }
            RequestStep::ReadWeight => {
                self.step.d.next = RequestStep::Weight;
            }
            RequestStep::Weight => {
                self.at.d.next = self.at.q.val() + 1;
                self.step.d.next = RequestStep::ReadWeight;
                self.weight_at.d.next = self.weight_at.q.val() + 1;
                self.weight_write.next = self.checked.q.val();
                self.fail_code.next = self.bad_weights.val();
                if self.last_item.val() {
                    self.step.d.next = RequestStep::Accept;
                    if self.checked.q.val() {
                        self.step.d.next = RequestStep::Finish;
                    }
                }
                if !self.checked.q.val() {
                    self.fail.next = self.limits.weight_wrong.val();
                }
            }

            RequestStep::SeekIds => {
                self.at.d.next = 1.into();
                self.step.d.next = RequestStep::Ids;
            }
            RequestStep::Ids => {
                self.fail_code.next = self.bad_id.val();
                if self.checked.q.val() {
                    self.more.d.next = !self.last_item.val();
                    self.id.d.next = self.read_data.val();
                    self.step.d.next = RequestStep::AbortId;
                } else {
                    self.at.d.next = self.at.q.val() + 1;
                    self.asks_id.next = true;
                    if self.last_item.val() {
                        self.step.d.next = RequestStep::Accept;
                    }
                }
            }
            RequestStep::AbortId => {
                self.control_valid.next = true;
                if self.control_done.val() {
                    self.at.d.next = self.at.q.val() + 1;
                    self.step.d.next = RequestStep::Finish;
                    if self.more.q.val() {
                        self.step.d.next = RequestStep::Ids;
                    }
                }
            }
            _ => {
                self.step.d.next = RequestStep::Idle;
            }
        }

        // What was wrong in the cycle before. The payload's RAM is slow, so what a word may be is asked when it is `previous`.
        self.move_wrong.next = self.asked_move.q.val() & self.limits.move_wrong.val();
        self.task_wrong.next = self.limits.task_reserved.val() | self.limits.task_too_deep.val();
        self.wrong.next = self.failed.q.val()
            | (self.asked_count.q.val() & (self.previous.q.val() != self.children_here.q.val()))
            | (self.asked_id.q.val() & (self.previous.q.val() == self.no_job.val()))
            | (self.asked_task.q.val() & self.task_wrong.val())
            | (self.asked_nodes.q.val() & self.limits.nodes_wrong.val())
            | self.move_wrong.val();
        self.failed.d.next = self.fail.val() & !self.wrong.val();
        self.asked_count.d.next = self.asks_count.val() & !self.wrong.val();
        self.asked_id.d.next = self.asks_id.val() & !self.wrong.val();
        self.asked_task.d.next = self.asks_task.val() & !self.wrong.val();
        self.asked_nodes.d.next = self.asks_nodes.val() & !self.wrong.val();
        self.asked_first.d.next = self.asks_first.val() & !self.wrong.val();
        self.asked_move.d.next = self.asks_move.val() & !self.wrong.val();
        self.failed_code.d.next = self.fail_code.val();
        self.failed_cause.d.next = self.fail_cause.val();
        if self.asked_first.q.val() {
            self.move_refused.d.next = self.limits.move_wrong.val() & self.is_job.val();
        }
        if self.wrong.val() {
            self.code.d.next = self.failed_code.q.val();
            if self.asked_task.q.val() & self.limits.task_reserved.val() {
                self.code.d.next = self.bad_reserved.val();
            }
            self.cause.d.next = self.failed_cause.q.val();
            self.step.d.next = RequestStep::Fail;
            self.id.d.next = self.id.q.val();
            if self.move_wrong.val() {
                self.id.d.next = self.child_id.q.val();
            }
            self.start_unpack.next = false;
            self.counting.next = false;
        }
        self.count_valid.next = self.counting.val();

        self.template.write_enable.next = self.writing.q.val();
        self.template.write_address.next = self.writing_address.q.val();
        self.template.write_data.next = self.writing_data.q.val();
        self.read_address.next = self.at.q.val();
        self.unpack.start.next = self.start_unpack.val();
        self.unpack.read_data.next = self.read_data.val();
        if self.step.q.val() == RequestStep::Position {
            self.read_address.next = self.unpack.read_address.val();
        }

        self.job_last.next = self.job_done.val();
        self.job_word.next = bit_cast::<18, 16>(self.template.read_data.val());
        if self.job_done.val() {
            self.job_word.next = bit_cast::<18, 16>(self.template.read_data.val()) | 0x400;
        }
        self.weight_index.next = self.weight_at.q.val().get_bits::<10>(0);
        self.weight_data.next = self.previous.q.val();
        self.control_reset.next = self.frame_kind.val() == self.kind_reset.val();
        self.control_all.next = self.frame_length.val() == 0;
        self.control_id.next = self.id.q.val();
        self.control_more.next = self.checked.q.val() & self.more.q.val();
        self.count_cause.next = self.cause.q.val();
        self.reply_status.next = self.frame_kind.val() == self.kind_status.val();
        self.error_code.next = self.code.q.val();
        self.error_id.next = self.id.q.val();
    }
}
