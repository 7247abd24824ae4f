import type { Mode } from '../../kernel/tenant.ts'
import type { Settings } from '../../platform/config.ts'
import type { Pace } from './machine.ts'

/**
 * In the sandbox somebody is waiting who tries things out: what does not answer there has failed within twenty seconds. For real,
 * an authority is given a day, and what it does not have is not sent again before ten minutes have shown that it has it not.
 */
const paces: Readonly<Record<Mode, Pace>> = {
  sandbox: {
    deadlineMs: { sign: 3_000, lookup: 2_000, transmit: 3_000, confirm: 2_000 },
    leaseMs: 10_000,
    settleMs: 500,
    firstWaitMs: 200,
    longestWaitMs: 2_000,
    giveUpAfterMs: 12_000,
    mostTries: 12,
  },
  live: {
    deadlineMs: { sign: 30_000, lookup: 15_000, transmit: 30_000, confirm: 15_000 },
    leaseMs: 120_000,
    settleMs: 600_000,
    firstWaitMs: 5_000,
    longestWaitMs: 1_800_000,
    giveUpAfterMs: 86_400_000,
    mostTries: 60,
  },
}

/** With less patience for a document, there is less for each answer too, and what a dead worker had is taken up earlier. */
function impatient(giveUpAfterMs: number): Pace {
  const { sandbox } = paces
  const { sign, lookup, transmit, confirm } = sandbox.deadlineMs
  const share = Math.min(1, giveUpAfterMs / sandbox.giveUpAfterMs)
  const ofIt = (ms: number) => Math.ceil(ms * share)
  return {
    ...sandbox,
    giveUpAfterMs,
    deadlineMs: { sign: ofIt(sign), lookup: ofIt(lookup), transmit: ofIt(transmit), confirm: ofIt(confirm) },
    leaseMs: ofIt(sandbox.leaseMs),
  }
}

export const paceOf = (mode: Mode, { sandboxPatienceMs }: Pick<Settings, 'sandboxPatienceMs'>): Pace =>
  mode === 'sandbox' ? impatient(sandboxPatienceMs) : paces.live
