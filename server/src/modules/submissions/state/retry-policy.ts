import type { Mode } from '../../../kernel/tenant.ts'
import type { Settings } from '../../../platform/config.ts'
import type { RetryPolicy } from './submission-state.ts'

/** Live mode: attempts continue for a day, and the settling time is ten minutes. */
const live: RetryPolicy = {
  deadlineMs: { sign: 30_000, lookup: 15_000, transmit: 30_000, confirm: 15_000 },
  leaseMs: 120_000,
  settlingMs: 600_000,
  firstWaitMs: 5_000,
  longestWaitMs: 1_800_000,
  giveUpAfterMs: 86_400_000,
  networkWithinMs: 3_600_000,
  mostTries: 60,
  // The network has been down for weeks before.
  followUp: { firstMs: 600_000, untransmittedMs: 86_400_000, forMs: 90 * 86_400_000 },
}

/** A worker on a busy machine needs at least this long, whatever the settings say. */
const shortestLeaseMs = 2_500

/**
 * In the sandbox, a developer waits for the outcome. With the default patience of 12 seconds, a submission fails
 * within 20 seconds. All times are in proportion to the patience.
 */
function inSandbox(patienceMs: number): RetryPolicy {
  const share = (ofTwelveSeconds: number): number => Math.round((patienceMs * ofTwelveSeconds) / 12_000)
  return {
    deadlineMs: { sign: share(3_000), lookup: share(2_000), transmit: share(3_000), confirm: share(2_000) },
    leaseMs: Math.max(shortestLeaseMs, share(10_000)),
    settlingMs: share(500),
    firstWaitMs: share(200),
    longestWaitMs: share(2_000),
    giveUpAfterMs: patienceMs,
    networkWithinMs: patienceMs,
    mostTries: 12,
    followUp: { firstMs: share(5_000), untransmittedMs: share(300_000), forMs: 3_600_000 },
  }
}

export const retryPolicyOf = (mode: Mode, { sandboxPatienceMs }: Pick<Settings, 'sandboxPatienceMs'>): RetryPolicy =>
  mode === 'sandbox' ? inSandbox(sandboxPatienceMs) : live
