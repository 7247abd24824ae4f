import { afterAll, beforeAll, expect, test } from 'vitest'
import { capturedLog, origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { exchange } from './operation.ts'

const captured = capturedLog()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ log: captured.log })
})
afterAll(() => app.close())

/** Asks somebody who answers in the way that is given, and says how that was settled. */
const asking = (name: string, call: () => Promise<string>, deadlineMs = 5_000, late = async () => 'late') =>
  app.runner.run(
    exchange(
      { needs: [], refuses: [] },
      {
        name,
        deadlineMs,
        intend: async () => ({}),
        call,
        inquire: { none: 'a test asks once' },
        settle: async (_, __, outcome) => (outcome.kind === 'answered' && outcome.late ? await late() : outcome.kind),
      },
    ),
    { caller: systemCaller, origin, input: undefined },
  )
interface Line {
  readonly msg: string
  readonly level: number | string
  readonly reason?: string
  readonly error?: { readonly name: string; readonly message?: string }
}
const linesOf = (name: string): Line[] =>
  captured
    .text()
    .split('\n')
    .filter((line) => line.includes(`"${name}"`))
    .map((line) => JSON.parse(line) as Line)

test('the reason of a missing answer is logged, and an internal error is logged as such', async () => {
  expect(await asking('well', async () => 'yes')).toBe('answered')
  expect(linesOf('well')).toEqual([])

  const refused = async () => {
    throw new Error('connection refused')
  }
  expect(await asking('away', refused)).toBe('unknown')
  const ours = async () => (undefined as unknown as { length: string }).length
  expect(await asking('ours', ours)).toBe('unknown')
  expect(await asking('slow', () => new Promise<string>(() => {}), 50)).toBe('unknown')

  const [away, own, slow] = ['away', 'ours', 'slow'].map((name) => linesOf(name))
  expect(away).toMatchObject([{ msg: 'exchange.unanswered', error: { message: 'connection refused' } }])
  expect(own).toMatchObject([{ msg: 'exchange.unanswered', error: { name: 'TypeError' } }])
  expect(slow).toMatchObject([{ msg: 'exchange.unanswered', error: { message: 'deadline passed' } }])
  expect(own?.[0]?.level).not.toBe(away?.[0]?.level)
})

test('a late answer that cannot be settled is logged', async () => {
  const answer = Promise.withResolvers<string>()
  const failing = async () => {
    throw new Error('no room for it')
  }
  expect(await asking('late', () => answer.promise, 50, failing)).toBe('unknown')
  answer.resolve('yes')
  await eventually(async () =>
    expect(linesOf('late')).toMatchObject([
      { msg: 'exchange.unanswered' },
      { msg: 'exchange.late' },
      { msg: 'exchange.settle_failed', error: { message: 'no room for it' } },
    ]),
  )
})
