import type { EventPayloads } from '../../../kernel/event-payloads.ts'

const moveId = '01990000-0000-7000-8000-000000000014'
const fromAt = '2026-11-20T09:30:00.000Z'
const toAt = '2026-12-20T09:30:00.000Z'

/** Payloads of the events about work that takes its time: bulk jobs, and moves of the test clock. */
export const jobSamples = {
  'bulk_job.completed': {
    bulkJobId: '01990000-0000-7000-8000-000000000013',
    action: 'submit',
    status: 'done',
    total: 468,
    done: 466,
    failed: 2,
    skipped: 0,
  },
  'test_clock.advancing': { moveId, fromAt, toAt },
  'test_clock.ready': { moveId, fromAt, reachedAt: toAt, steps: 3 },
  'test_clock.stopped': { moveId, fromAt, reachedAt: '2026-12-01T00:00:00.000Z', steps: 2 },
} satisfies Partial<EventPayloads>
