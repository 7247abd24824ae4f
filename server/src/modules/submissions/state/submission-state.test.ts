import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { readConfig } from '../../../platform/config.ts'
import type { InvoiceStatus } from '../../invoices/index.ts'
import { statusAfter } from '../../invoices/status-moves.ts'
import { retryPolicyOf } from './retry-policy.ts'
import {
  type AuthorityAnswer,
  applyAnswer,
  beginStep,
  nextStep,
  type Outcome,
  type Step,
  type SubmissionState,
  startRetries,
  submissionStates,
} from './submission-state.ts'

/** The defaults. */
const { settings } = readConfig({}, [])
const policy = retryPolicyOf('sandbox', settings)
const fresh: SubmissionState = {
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
const at = (ms: number) => new Date(1_800_000_000_000 + ms)
const answerTo = (
  current: SubmissionState,
  step: Step,
  answer: AuthorityAnswer,
  more: { ms?: number; isHolder?: boolean } = {},
): Outcome =>
  applyAnswer(current, step, answer, { now: at(more.ms ?? 0), policy, isHolder: more.isHolder ?? true, chance: 0.5 })

const sent = beginStep(fresh, 'sign', at(0))
const yes: AuthorityAnswer = { kind: 'registered', transmitted: false, delivered: false }
const there: AuthorityAnswer = { kind: 'registered', transmitted: true, delivered: true }
const absent: AuthorityAnswer = { kind: 'absent' }
const unclear: AuthorityAnswer = { kind: 'unclear' }
const no: AuthorityAnswer = { kind: 'refused', messages: ['buyer.tin is required'] }

describe('an authority that answers later', () => {
  const processing: AuthorityAnswer = { kind: 'processing' }
  const patient = { ...sent, goesToBuyer: false }

  test('is asked again, less and less often, and the number of questions does not matter', () => {
    const first = answerTo({ ...patient, tries: 11, triedSince: at(0) }, 'sign', processing)
    expect(first).toMatchObject({ next: { state: 'unknown', tries: 0, triedSince: null }, moves: [] })
    expect(nextStep(first.next)).toBe('lookup')
    const waits = [100, 2_000, 8_000].map((ms) => answerTo(first.next, 'lookup', processing, { ms }).waitMs as number)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  })

  test('decides once: with a number of its own, or against the document', () => {
    const given: AuthorityAnswer = { ...yes, registeredAs: 'TOY-000001' }
    expect(answerTo(patient, 'lookup', given)).toMatchObject({ next: { state: 'accepted' }, credits: 'capture' })
    expect(answerTo(patient, 'lookup', no)).toMatchObject({
      next: { state: 'rejected', refused: ['buyer.tin is required'] },
      moves: ['reject'],
      credits: 'release',
    })
  })

  test('fails if no decision comes in time, and a worker without the lease changes nothing', () => {
    expect(answerTo(patient, 'lookup', processing, { ms: 12_000 })).toMatchObject({
      next: { isFailed: true },
      moves: ['fail'],
    })
    expect(answerTo(patient, 'lookup', processing, { ms: 12_000, isHolder: false }).next).toEqual(patient)
  })

  test('cannot take back what it registered', () => {
    const transmitted: SubmissionState = { ...sent, state: 'transmitted', tries: 11, triedSince: at(-1) }
    expect(answerTo(transmitted, 'confirm', processing)).toMatchObject({ next: { state: 'accepted' } })
  })
})

describe('one answer', () => {
  test('a document is unknown from the moment before it leaves', () => {
    expect([sent.state, sent.sends, nextStep(sent)]).toEqual(['unknown', 1, 'lookup'])
  })

  test.each<[string, SubmissionState, Step, AuthorityAnswer, Partial<Outcome> & { state: string; isFailed?: boolean }]>(
    [
      ['registered, and goes to the buyer', sent, 'sign', yes, { state: 'signed', moves: ['sign'], waitMs: 0 }],
      [
        'registered, and goes to nobody',
        { ...sent, goesToBuyer: false },
        'sign',
        yes,
        { state: 'accepted', moves: ['sign', 'accept'], credits: 'capture', waitMs: undefined },
      ],
      ['not a byte left', sent, 'sign', { kind: 'not_sent' }, { state: 'queued', moves: [], waitMs: 200 }],
      ['no answer', sent, 'sign', unclear, { state: 'unknown', moves: [], waitMs: 200 }],
      ['refused: it is looked up first', sent, 'sign', no, { state: 'unknown', moves: [], waitMs: 0 }],
      [
        'refused, and not there',
        { ...sent, refused: ['no'] },
        'lookup',
        absent,
        { state: 'rejected', moves: ['reject'], credits: 'release', waitMs: undefined },
      ],
      [
        'refused the second time: an earlier one may appear',
        { ...sent, sends: 2, refused: ['no'] },
        'lookup',
        absent,
        { state: 'unknown', waitMs: 500 },
      ],
      [
        'refused, and there all the same',
        { ...sent, refused: ['no'] },
        'lookup',
        yes,
        { state: 'signed', moves: ['sign'] },
      ],
      ['not there: that has to settle', sent, 'lookup', absent, { state: 'unknown', waitMs: 500 }],
      ['still not there', { ...sent, absentAt: at(-500) }, 'lookup', absent, { state: 'queued', waitMs: 200 }],
      ['not there, too soon after', { ...sent, absentAt: at(-499) }, 'lookup', absent, { state: 'unknown', waitMs: 1 }],
      [
        'another document is there',
        sent,
        'lookup',
        { kind: 'other_document' },
        { state: 'unknown', isFailed: true, moves: ['fail'], waitMs: undefined },
      ],
      [
        'found, and at the buyer',
        sent,
        'lookup',
        there,
        { state: 'accepted', moves: ['sign', 'transmit', 'accept'], delivery: 'deliver_to_buyer' },
      ],
      [
        'on its way',
        { ...sent, state: 'signed' },
        'transmit',
        { kind: 'transmitted' },
        { state: 'transmitted', moves: ['transmit'], waitMs: 0 },
      ],
      [
        'nobody receives for the buyer',
        { ...sent, state: 'signed' },
        'transmit',
        no,
        { state: 'accepted', moves: ['accept'], credits: 'capture' },
      ],
      [
        'went to the buyer',
        { ...sent, state: 'transmitted' },
        'confirm',
        there,
        { state: 'accepted', moves: ['accept'], credits: 'capture' },
      ],
      [
        'has not gone yet',
        { ...sent, state: 'transmitted' },
        'confirm',
        yes,
        { state: 'transmitted', moves: [], waitMs: 200 },
      ],
      [
        'lost by the authority',
        { ...sent, state: 'transmitted' },
        'confirm',
        absent,
        { state: 'transmitted', moves: [] },
      ],
      [
        'too many tries',
        { ...sent, tries: 11, triedSince: at(-1) },
        'lookup',
        unclear,
        { state: 'unknown', isFailed: true, moves: ['fail'] },
      ],
      [
        'too long',
        { ...sent, tries: 1, triedSince: at(-12_000) },
        'lookup',
        unclear,
        { state: 'unknown', isFailed: true, moves: ['fail'] },
      ],
      [
        'the network takes it too often without an answer',
        { ...sent, state: 'signed', tries: 11, triedSince: at(-1) },
        'transmit',
        unclear,
        { state: 'accepted', moves: ['accept'], credits: 'capture', delivery: 'authority', waitMs: undefined },
      ],
      [
        'the network cannot be reached for too long',
        { ...sent, state: 'signed', tries: 1, triedSince: at(-12_000) },
        'transmit',
        { kind: 'not_sent' },
        { state: 'accepted', moves: ['accept'], credits: 'capture', delivery: 'authority' },
      ],
      [
        'the network never confirms that it went',
        { ...sent, state: 'transmitted', tries: 11, triedSince: at(-1) },
        'confirm',
        yes,
        { state: 'accepted', moves: ['accept'], credits: 'capture', delivery: 'authority' },
      ],
      [
        'lost by the authority for too long: a person has to look',
        { ...sent, state: 'transmitted', tries: 11, triedSince: at(-1) },
        'confirm',
        absent,
        { state: 'transmitted', isFailed: true, moves: ['fail'], credits: undefined },
      ],
    ],
  )('%s', (_, current, step, answer, { state, isFailed = false, ...rest }) => {
    const outcome = answerTo(current, step, answer)
    expect(outcome.next).toMatchObject({ state, isFailed })
    expect(outcome).toMatchObject(rest)
  })

  test('facts count from every worker, decisions only from the holder of the lease', () => {
    const late = { isHolder: false }
    expect(answerTo(sent, 'sign', yes, late).next.state).toBe('signed')
    expect(answerTo({ ...sent, isFailed: true }, 'sign', yes, late)).toMatchObject({
      next: { state: 'signed', isFailed: false },
      moves: ['sign'],
    })
    expect(answerTo({ ...sent, absentAt: at(-1000) }, 'lookup', absent, late).next.state).toBe('unknown')
    expect(answerTo({ ...sent, refused: ['no'] }, 'lookup', absent, late).next.state).toBe('unknown')
    expect(answerTo({ ...sent, state: 'signed' }, 'transmit', no, late).next.state).toBe('signed')
    expect(answerTo({ ...sent, tries: 11 }, 'lookup', unclear, late).next.isFailed).toBe(false)
  })

  test.each(['signed', 'transmitted'] as const)(
    'a submission that failed while it was %s is accepted by a lookup that finds it registered',
    (state) => {
      const givenUp: SubmissionState = { ...sent, state, isFailed: true }
      for (const isHolder of [true, false])
        expect(answerTo(givenUp, 'lookup', yes, { isHolder })).toMatchObject({
          next: { state: 'accepted', isFailed: false },
          moves: ['accept'],
          credits: 'capture',
          delivery: 'authority',
        })
      for (const answer of [absent, unclear, no, { kind: 'other_document' } as const])
        expect(
          applyAnswer(givenUp, 'lookup', answer, {
            now: at(0),
            policy,
            isHolder: false,
            chance: 0.5,
            isLastWord: true,
          }),
        ).toMatchObject({ next: givenUp, moves: [], credits: undefined })
    },
  )

  const onItsWay: AuthorityAnswer = { kind: 'transmitted' }
  test('a decided submission stays decided', () => {
    for (const state of ['accepted', 'rejected'] as const)
      for (const answer of [yes, { ...there, delivered: false }, no, absent, unclear, onItsWay])
        expect(answerTo({ ...sent, state }, 'sign', answer)).toMatchObject({
          next: { state },
          moves: [],
          credits: undefined,
        })
  })

  test('the delivery of an accepted document is recorded once, from any worker, and costs nothing', () => {
    const accepted: SubmissionState = { ...sent, state: 'accepted' }
    const learnt = answerTo(accepted, 'lookup', there, { isHolder: false })
    expect(learnt).toMatchObject({
      next: { state: 'accepted', isDelivered: true },
      moves: ['deliver'],
      delivery: 'deliver_to_buyer',
      credits: undefined,
      waitMs: undefined,
    })
    for (const other of [learnt.next, { ...accepted, goesToBuyer: false }, { ...accepted, state: 'rejected' as const }])
      expect(answerTo(other, 'lookup', there)).toMatchObject({ next: other, moves: [], delivery: undefined })
    expect(answerTo({ ...sent, state: 'transmitted' }, 'confirm', there).next.isDelivered).toBe(true)
  })
})

/**
 * A model of the authority. It registers a document unless it has it, loses replies and sends nonsense. It shows a
 * new document only after a delay below the settling time. Workers die, and their answers come late.
 */
interface World {
  registeredAt: number | undefined
  registrations: number
}

const chances = fc.record({
  goesToBuyer: fc.boolean(),
  refuses: fc.boolean(),
  network: fc.constantFrom<'confirms' | 'never confirms' | 'is away'>('confirms', 'never confirms', 'is away'),
  happenings: fc.array(
    fc.record({
      reply: fc.constantFrom('whole', 'lost', 'applied_then_error', 'not_sent', 'nonsense'),
      dies: fc.boolean(),
      lateBy: fc.integer({ min: 0, max: 3 }),
      passes: fc.integer({ min: 0, max: 1500 }),
      retries: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  ),
})

test('with losses, crashes and late answers, a document is registered at most once, and the credits follow the outcome', () => {
  fc.assert(
    fc.property(chances, ({ goesToBuyer, refuses, network, happenings }) => {
      let current: SubmissionState = { ...fresh, goesToBuyer }
      let status: InvoiceStatus | undefined = 'queued'
      let ms = 0
      const staleMs = policy.settlingMs - 1
      const world: World = { registeredAt: undefined, registrations: 0 }
      const moved = { capture: 0, release: 0 }
      const underWay: { step: Step; answer: AuthorityAnswer; dueAfter: number }[] = []

      const apply = (step: Step, answer: AuthorityAnswer, isHolder: boolean): Outcome => {
        const outcome = applyAnswer(current, step, answer, { now: at(ms), policy, isHolder, chance: 0.5 })
        current = outcome.next
        for (const move of outcome.moves) {
          status = statusAfter(status as InvoiceStatus, move)
          expect(status, `${move} is a move`).toBeDefined()
        }
        if (outcome.credits) moved[outcome.credits]++
        return outcome
      }
      const ask = (step: Step, reply: string): AuthorityAnswer => {
        if (reply === 'not_sent') return step === 'sign' || step === 'transmit' ? { kind: 'not_sent' } : unclear
        const isKnown = world.registeredAt !== undefined && ms - world.registeredAt >= staleMs
        let answer: AuthorityAnswer = unclear
        if (step === 'sign' && world.registeredAt === undefined && !refuses) {
          world.registeredAt = ms
          world.registrations++
          answer = yes
        } else if (step === 'sign') answer = refuses ? no : unclear
        else if (step === 'transmit')
          answer = network === 'is away' ? unclear : world.registeredAt === undefined ? no : { kind: 'transmitted' }
        else if (step === 'confirm') answer = network === 'confirms' ? there : yes
        else answer = isKnown ? yes : absent
        return reply === 'whole' ? answer : unclear
      }

      for (const { reply, dies, lateBy, passes, retries } of happenings) {
        ms += passes
        for (const late of underWay.splice(0).map((one) => ({ ...one, dueAfter: one.dueAfter - 1 })))
          if (late.dueAfter <= 0) apply(late.step, late.answer, false)
          else underWay.push(late)
        if (current.isFailed && retries) {
          const again = startRetries(current)
          current = again.next
          for (const move of again.moves) status = statusAfter(status as InvoiceStatus, move)
        }
        const step = nextStep(current)
        if (!step) continue
        current = beginStep(current, step, at(ms))
        const answer = ask(step, reply)
        // After a crash, another worker takes the row when the lease has ended. The dead worker's answer may still
        // come much later.
        if (dies) {
          if (lateBy > 0) underWay.push({ step, answer, dueAfter: lateBy })
          ms += policy.leaseMs
        } else ms += apply(step, answer, true).waitMs ?? 0
        expect(world.registrations).toBeLessThanOrEqual(1)
        expect(submissionStates).toContain(current.state)
      }
      const { state } = current
      expect(moved).toEqual({ capture: state === 'accepted' ? 1 : 0, release: state === 'rejected' ? 1 : 0 })
      if (state === 'accepted' || state === 'signed') expect(world.registrations).toBe(1)
      if (state === 'rejected') expect(world.registrations).toBe(0)
      expect(status === 'accepted').toBe(state === 'accepted')
      expect(status === 'rejected').toBe(state === 'rejected')
      expect(status === 'failed').toBe(current.isFailed)
      // A document that the authority has registered never fails, whatever the network does.
      if (state === 'signed' || state === 'transmitted') expect(current.isFailed).toBe(false)
    }),
    { numRuns: casesToTry(512, 4096) },
  )
})

test('if the authority answers, every document is decided, whatever the network does', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom<AuthorityAnswer>({ kind: 'transmitted' }, unclear, { kind: 'not_sent' }, no),
      fc.constantFrom(there, yes, unclear),
      (goesToBuyer, refuses, transmit, confirm) => {
        let current: SubmissionState = { ...fresh, goesToBuyer }
        let captures = 0
        for (let steps = 0, ms = 0; steps < 3 * policy.mostTries; steps++) {
          const step = nextStep(current)
          if (!step) break
          current = beginStep(current, step, at(ms))
          const answer: Record<Step, AuthorityAnswer> = { sign: refuses ? no : yes, lookup: absent, transmit, confirm }
          const outcome = answerTo(current, step, answer[step], { ms })
          current = outcome.next
          if (outcome.credits === 'capture') captures++
          ms += outcome.waitMs ?? 0
        }
        expect(current).toMatchObject({ state: refuses ? 'rejected' : 'accepted', isFailed: false })
        expect(captures).toBe(refuses ? 0 : 1)
      },
    ),
  )
})

/** The longest time from being due to being taken. */
const takenAfterMs = 500

test.each([
  ['queued', 'given up'],
  ['unknown', 'given up'],
  ['signed', 'accepted'],
  ['transmitted', 'accepted'],
] as const)('a sandbox submission that is %s without an answer is %s within twenty seconds', (state, end) => {
  let current: SubmissionState = { ...fresh, state }
  let ms = 0
  for (let step = nextStep(current); step && ms < 60_000; step = nextStep(current)) {
    ms += takenAfterMs
    current = beginStep(current, step, new Date(ms))
    ms += policy.deadlineMs[step]
    const answer = { kind: 'unclear' } as const
    const outcome = applyAnswer(current, step, answer, { now: new Date(ms), policy, isHolder: true, chance: 1 })
    current = outcome.next
    ms += outcome.waitMs ?? 0
  }
  expect(current.isFailed ? 'given up' : current.state).toBe(end)
  expect(ms).toBeLessThan(20_000)
})

test('a lease outlives the longest request, in live mode and in the sandbox', () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const { deadlineMs, leaseMs } = retryPolicyOf(mode, settings)
    expect(leaseMs * 0.9, mode).toBeGreaterThan(Math.max(...Object.values(deadlineMs)))
  }
})
