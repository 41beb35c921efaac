// What goes wrong, in RTL and in the model: refused commands, errors on the bus, abort, reset; and
// the registers and counters that tell of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/dma/dma_both.h"
#include "tests/dma/dma_oracle.h"

namespace presil::dma {
namespace {

bool long_run() {
  return std::getenv("PRESIL_ALL") != nullptr;
}

/// A legal command with a few words changed, most of them just beside what is legal.
Command mutated(std::mt19937& random, uint32_t* words) {
  test::Case one = test::random_case(random);
  Command c = one.command;
  c.dst_space = random() % 2 ? Space::kSram : Space::kSystem;
  if (c.op == Op::kCopy) c.src_space = random() % 2 ? Space::kSram : Space::kSystem;
  c.src_base += c.op == Op::kCopy ? 0x1000 : 0;
  c.dst_base += 0x40000;
  c.wait0 = random() % 30 == 0 ? 41 : 0;
  c.encode(words);
  switch (random() % 8) {
    case 0:
      words[random() % 32] ^= 1u << random() % 32;
      break;
    case 1:
      words[random() % 2 ? 10 : 18] += random() % 2 ? 1 : 0x10000;
      break;
    case 2:
      words[random() % 2 ? 9 : 17] += 1u << 8;
      break;
    case 3:
      words[6] ^= 1u << (16 + random() % 12);
      break;
    case 4:
      words[12 + random() % 12] = static_cast<uint32_t>(random());
      break;
    case 5:
      words[random() % 2 ? 8 : 16] = static_cast<uint32_t>(random()) >> random() % 20;
      break;
    case 6:
      words[10 + random() % 2 * 8] = words[11 + random() % 2 * 8] = 0xffffffff;
      break;
    default:
      words[0] ^= 1u << random() % 32;
  }
  return c;
}

TEST(DmaRtlFaults, a_command_is_refused_with_the_models_code_rule_word_and_address) {
  std::mt19937 random(5);
  std::set<uint32_t> codes, rules;
  unsigned refused = 0;
  for (unsigned run = 0; run < (long_run() ? 500u : 25u); ++run) {
    Both both(fixed_latency(), run + 1);
    for (unsigned c = 0; c < 4; ++c) {
      JobEntry job =
          both.tile.place(c, {load_row(0x1000 * c, 0x10000 * c, 64), Command::make(Op::kNop)});
      uint32_t words[Command::kWords];
      mutated(random, words);
      std::memcpy(both.tile.map.bytes_at(job.stream_address + Command::kPitch, sizeof words), words,
                  sizeof words);
      job.region_limit[0] = 1024;
      job.sram_base = random() % 3 == 0 ? 0x100 : 0;
      both.submit(c, job);
    }
    both.run();
    for (unsigned c = 0; c < 4; ++c) {
      const auto of_model = both.error(c, false);
      EXPECT_EQ(both.error(c, true), of_model) << "run " << run << " channel " << c;
      refused += of_model[0] != 0;
      codes.insert(of_model[0] & 0xff);
      rules.insert(of_model[0] >> 8 & 0xff);
    }
  }
  std::cout << refused << " commands refused, " << codes.size() << " codes (none counts), "
            << rules.size() << " rules\n";
  EXPECT_GE(codes.size(), 6u);
}

/// `bytes` in rows of `row`.
void rows(uint32_t& row_bytes, std::array<uint16_t, 4>& n, std::array<int32_t, 4>& stride,
          uint32_t bytes, uint32_t row) {
  row_bytes = row;
  n = {static_cast<uint16_t>(bytes / row), 1, 1, 1};
  stride = {static_cast<int32_t>(row), 0, 0, 0};
}

TEST(DmaRtlFaults, rows_and_elements_that_do_not_divide_each_other_are_refused) {
  std::array<unsigned, 3> words{};  // refused with word 8, with 16, not at all
  for (const bool pads : {true, false}) {
    for (const uint32_t element : {1u, 3u, 12u, 40u, 48u, 100u}) {
      const uint32_t padded = (element + 15) / 16 * 16;
      const uint32_t of_source = pads ? element : padded, of_target = pads ? padded : element;
      Both both;
      unsigned commands = 0;
      for (const uint32_t source : {of_source, 3 * of_source / 2, 6 * of_source, of_source / 2}) {
        for (const uint32_t target : {2 * of_target, 4 * of_target / 3, of_target / 3}) {
          if (source == 0 || target == 0 || 12 * of_source % source != 0 ||
              12 * of_target % target != 0 || commands == 4) {
            continue;
          }
          Command c = Command::make(Op::kCopy);
          c.src_space = Space::kSystem;
          c.pack = pads ? Pack::kPad : Pack::kDrop;
          c.elem_bytes = static_cast<uint16_t>(element);
          rows(c.src_row_bytes, c.src_n, c.src_stride, 12 * of_source, source);
          rows(c.dst_row_bytes, c.dst_n, c.dst_stride, 12 * of_target, target);
          both.submit(commands++, {c});
        }
      }
      both.run();
      for (unsigned c = 0; c < commands; ++c) {
        const auto of_model = both.error(c, false);
        EXPECT_EQ(both.error(c, true), of_model) << "element " << element << " channel " << c;
        const unsigned word = of_model[0] >> 16 & 0xff;
        ++words[word == 8 ? 0 : word == 16 ? 1 : 2];
      }
    }
  }
  for (const unsigned count : words) EXPECT_GT(count, 3u);
}

TEST(DmaRtlFaults, queues_that_are_not_there_answer_as_the_models) {
  Both both;
  both.start();
  Bank& bank = both.tile.unit.bank();
  unsigned errors = 0, fine = 0;
  for (uint32_t offset = PRESIL_DMA_REG_CHANNEL(4); offset < PRESIL_DMA_REG_CHANNEL(6);
       offset += 4) {
    uint32_t value = 0;
    const bool reads = bank.read(offset, value) == Access::kOk;
    EXPECT_EQ(both.rtl->read(offset), 0u);
    EXPECT_EQ(both.rtl->last_response() == 0, reads) << offset;
    const bool writes = bank.write(offset, ~0u) == Access::kOk;
    both.rtl->write(offset, ~0u);
    EXPECT_EQ(both.rtl->last_response() == 0, writes) << offset;
    EXPECT_EQ(both.rtl->read(offset), 0u);
    errors += !reads + !writes;
    fine += reads + writes;
  }
  EXPECT_GT(errors, 50u);
  EXPECT_GT(fine, 40u);
}

TEST(DmaRtlFaults, a_bus_error_stops_its_channel_with_the_models_registers) {
  for (const bool store : {false, true}) {
    Both both;
    const Command first = store ? store_row(0, 0x80000, 512, 1) : load_row(0x40, 0, 512, 1);
    const Command second = store ? store_row(0x40, 0x40, 512, 2) : load_row(0x400, 0x400, 512, 2);
    JobEntry job = both.tile.place(0, {first, second, first});
    job.region_base[0] = DmaTile::kData;
    both.submit(0, job);
    JobEntry bad = both.tile.place(1, {first, second});
    bad.region_base[0] = 0xf000000000;
    both.submit(1, bad);
    both.submit(2, {load_row(0, 0x1000, 512, 3)});
    both.run();
    EXPECT_EQ(both.error(1, true), both.error(1, false)) << store;
    EXPECT_EQ(both.error(0, true)[0], 0u);
    EXPECT_EQ(both.rtl->ends().size(), both.tile.records.size());
    EXPECT_EQ(both.rtl->read(PRESIL_DMA_REG_CHANNEL(1) + PRESIL_QUEUE_REG_STATUS),
              uint32_t{PRESIL_QUEUE_STATE_ERROR});
  }
}

uint32_t queue(unsigned channel, uint32_t offset) {
  return PRESIL_DMA_REG_CHANNEL(channel) + offset;
}

/// Loads, stores, local copies and moves that take some thousand cycles.
std::vector<Command> long_job(unsigned channel) {
  std::vector<Command> commands;
  const uint32_t at = 0x20000 * channel;
  for (unsigned i = 0; i < 3; ++i) {
    commands.push_back(copy_row(Space::kSystem, Space::kSram, at, at, 9000, i));
    commands.push_back(copy_row(Space::kSram, Space::kSram, at, at + 0x4000, 9000, i));
    commands.push_back(copy_row(Space::kSram, Space::kSystem, at + 0x4000, at + 0x100000, 9000, i));
    commands.push_back(copy_row(Space::kSystem, Space::kSystem, at, at + 0x200000, 3000, i));
  }
  return commands;
}

/// A load per channel after what was given up: its bytes must be those of the source.
void expect_next_job_exact(Both& both, const char* what) {
  for (unsigned c = 0; c < 4; ++c) {
    both.rtl->write(queue(c, PRESIL_QUEUE_REG_TAIL), both.tails[c]);
  }
  both.rtl->run();
  for (unsigned c = 0; c < 4; ++c) {
    const uint32_t at = 0x20000 * c + 0x10000;
    ASSERT_EQ(std::memcmp(both.rtl->sram_byte(at), both.tile.data(at), 5000), 0) << what << c;
    ASSERT_EQ(both.rtl->read(queue(c, PRESIL_QUEUE_REG_HEAD)), both.tails[c]) << what << c;
  }
  EXPECT_EQ(both.rtl->violations(), "");
}

TEST(DmaRtlFaults, an_abort_anywhere_leaves_the_next_job_exact) {
  std::mt19937 random(9);
  for (unsigned run = 0; run < (long_run() ? 100u : 8u); ++run) {
    Both both(fixed_latency(), run + 1);
    both.stalls = {run % 3 * 20, run % 3 * 20, run % 3 * 20, 0};
    for (unsigned c = 0; c < 4; ++c) {
      both.submit(c, long_job(c));
      const uint32_t at = 0x20000 * c + 0x10000;
      both.submit(c, {load_row(at, at, 5000)});
    }
    both.start();
    for (unsigned c = 0; c < 4; ++c) both.rtl->write(queue(c, PRESIL_QUEUE_REG_TAIL), 1);
    both.rtl->run(random() % 6000);
    for (unsigned c = 0; c < 4; ++c) {
      both.rtl->write(queue(c, PRESIL_QUEUE_REG_CONTROL),
                      PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
    }
    both.rtl->run();
    for (unsigned c = 0; c < 4; ++c) {
      ASSERT_EQ(both.rtl->read(queue(c, PRESIL_QUEUE_REG_STATUS)),
                uint32_t{PRESIL_QUEUE_STATE_STOPPED})
          << run;
      both.rtl->write(queue(c, PRESIL_QUEUE_REG_HEAD), 1);
      both.rtl->write(queue(c, PRESIL_QUEUE_REG_CONTROL),
                      PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
    }
    expect_next_job_exact(both, "after an abort, channel ");
  }
}

TEST(DmaRtlFaults, a_reset_anywhere_leaves_the_next_job_exact) {
  std::mt19937 random(10);
  for (unsigned run = 0; run < (long_run() ? 100u : 5u); ++run) {
    Both both(fixed_latency(), run + 1);
    for (unsigned c = 0; c < 4; ++c) {
      both.submit(c, long_job(c));
      const uint32_t at = 0x20000 * c + 0x10000;
      both.submit(c, {load_row(at, at, 5000)});
    }
    both.start();
    for (unsigned c = 0; c < 4; ++c) both.rtl->write(queue(c, PRESIL_QUEUE_REG_TAIL), 1);
    both.rtl->run(random() % 6000);
    both.rtl->reset();
    both.rtl->run(3000);
    both.set_up_queues();  // the rings from their beginning: the job that was lost once more
    expect_next_job_exact(both, "after a reset, channel ");
  }
}

TEST(DmaRtlFaults, registers_of_the_block_read_as_the_models) {
  Both both;
  both.start();
  for (uint32_t offset = 0; offset < PRESIL_DMA_SIZE; offset += 4) {
    const bool there =
        offset < PRESIL_DMA_REG_CHANNEL(4) ||
        (offset >= PRESIL_DMA_REG_COUNTERS(0) && offset < PRESIL_DMA_REG_COUNTERS(4));
    if (!there || (offset & 0xff) % 0x20 >= 0x18) continue;  // some of each
    uint32_t expected = 0;
    const Access access = both.tile.unit.bank().read(offset, expected);
    const uint32_t value = both.rtl->read(offset);
    EXPECT_EQ(both.rtl->last_response(), access == Access::kOk ? 0 : 2) << std::hex << offset;
    if (access == Access::kOk) {
      EXPECT_EQ(value, expected) << std::hex << offset;
    }
  }
}

TEST(DmaRtlFaults, counters_of_a_snapshot_add_up_and_tell_what_moved) {
  Both both;
  Command waits = load_row(0, 0x8000, 3000, 3);
  waits.wait0 = 1;
  waits.wait0_value = 1;
  both.submit(0, {load_row(0, 0, 5000, 1), store_row(0, 0x10000, 5000, 2), waits});
  both.start();
  both.rtl->write(queue(0, PRESIL_QUEUE_REG_TAIL), 1);
  const auto count = [&](uint32_t offset) {
    const uint32_t at = PRESIL_DMA_REG_COUNTERS(0) + offset;
    return both.rtl->read(at) | uint64_t{both.rtl->read(at + 4)} << 32;
  };
  const auto snapshot = [&] {
    both.rtl->write(PRESIL_DMA_REG_COUNTERS(0) + PRESIL_DMA_COUNTERS_REG_CONTROL,
                    PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK);
    uint64_t sum = 0;
    for (uint32_t at = PRESIL_DMA_COUNTERS_REG_RUN; at < PRESIL_DMA_COUNTERS_REG_COMMANDS;
         at += 8) {
      sum += count(at);
    }
    for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
      sum += count(PRESIL_DMA_COUNTERS_REG_WAIT(kind));
    }
    EXPECT_EQ(sum, count(PRESIL_DMA_COUNTERS_REG_CYCLES));
  };
  for (unsigned i = 0; i < 8; ++i) {
    both.rtl->run(300);
    snapshot();
    if (i == 6) both.rtl->signal(1, 1);
  }
  both.rtl->run();
  snapshot();
  EXPECT_EQ(count(PRESIL_DMA_COUNTERS_REG_COMMANDS), 3u);
  EXPECT_EQ(count(PRESIL_DMA_COUNTERS_REG_BYTES_READ), 128u + 3 * 128 + 8000);
  EXPECT_EQ(count(PRESIL_DMA_COUNTERS_REG_BYTES_WRITTEN), 5000u);
  EXPECT_GT(count(PRESIL_DMA_COUNTERS_REG_RUN), 500u);
}

TEST(DmaRtlFaults, the_interrupt_line_follows_the_queues_status) {
  Both both;
  Command c = load_row(0, 0, 64);
  c.irq = true;
  both.submit(2, {c});
  both.start();
  both.rtl->write(queue(2, PRESIL_QUEUE_REG_IRQ_ENABLE), PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK);
  both.rtl->write(queue(2, PRESIL_QUEUE_REG_TAIL), 1);
  EXPECT_FALSE(both.rtl->interrupt());
  both.rtl->run();
  EXPECT_TRUE(both.rtl->interrupt());
  both.rtl->write(queue(2, PRESIL_QUEUE_REG_IRQ_STATUS), PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK);
  both.rtl->run(2);
  EXPECT_FALSE(both.rtl->interrupt());
}

}  // namespace
}  // namespace presil::dma
