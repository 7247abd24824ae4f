import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { after, begun, nextStep, type Standing } from './machine.ts'
import { paceOf } from './pace.ts'

const { settings } = readConfig({}, [])
const fresh: Standing = {
  state: 'queued',
  isFailed: false,
  goesToBuyer: true,
  isDelivered: false,
  sends: 0,
  lastSentAt: null,
  absentAt: null,
  refused: null,
  tries: 0,
  triedSince: null,
}
/** How long it takes at most between being due and being taken. */
const takenAfterMs = 500

test.each(['queued', 'unknown', 'signed', 'transmitted'] as const)(
  'in the sandbox what is %s and never gets an answer has failed within twenty seconds, however long each question takes',
  (state) => {
    const pace = paceOf('sandbox', settings)
    let standing: Standing = { ...fresh, state }
    let ms = 0
    for (let step = nextStep(standing); step && ms < 60_000; step = nextStep(standing)) {
      ms += takenAfterMs
      standing = begun(standing, step, new Date(ms))
      ms += pace.deadlineMs[step]
      const heard = { kind: 'unclear' } as const
      const outcome = after(standing, step, heard, { now: new Date(ms), pace, isHolder: true, chance: 1 })
      standing = outcome.standing
      ms += outcome.waitMs ?? 0
    }
    expect(standing.isFailed).toBe(true)
    expect(ms).toBeLessThan(20_000)
  },
)

test('a claim outlives the longest question, for real and in the sandbox', () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const { deadlineMs, leaseMs } = paceOf(mode, settings)
    expect(leaseMs * 0.9, mode).toBeGreaterThan(Math.max(...Object.values(deadlineMs)))
  }
})
