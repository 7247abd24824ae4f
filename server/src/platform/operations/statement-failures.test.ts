import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { someTurns } from '../../../../test/harness/turns.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { statement } from './operation.ts'
import type { Runtime } from './runner.ts'
import { createStatementBatches } from './statement-batches.ts'
import { createTransactions } from './transactions.ts'

let app: TestApp
let caller: TokenCaller
beforeAll(async () => {
  app = await startTestApp()
  caller = (await app.runtime.authentication.authenticate((await app.person({ mode: 'live' })).token)).caller
})
afterAll(() => app.close())

/** The first is written, and holds up the others until they have all come; what is written after it fails in the way that is given. */
async function failing(code: string, count: number) {
  const batches: number[] = []
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const write = statement<TokenCaller, number, number, Record<string, never>, number>(
    { needs: [], refuses: [] },
    {
      plan: async (_, input) => input,
      write: async (_, __, planned) => {
        batches.push(planned.length)
        if (batches.length > 1) throw Object.assign(new Error('no luck'), { code })
        begun.resolve()
        await released.promise
        return planned.map(() => ({}))
      },
      returning: [],
      replyHasNoSecret: true,
      output: (plan) => plan,
      fallback: async (_, plan) => plan,
    },
  )
  const logged: unknown[] = []
  const log = {
    ...app.runtime.log,
    error: (name: string, { error }: { error?: unknown }) => logged.push([name, error]),
  }
  const attempt = createStatementBatches({ ...app.runtime, log } as Runtime, createTransactions(app.runtime))
  const first = attempt(write, { caller, origin, input: 0 })
  await begun.promise
  const attempts = Array.from({ length: count }, (_, input) => attempt(write, { caller, origin, input }))
  await someTurns()
  released.resolve()
  await first
  const outcomes = await Promise.allSettled(attempts)
  return { batches: batches.slice(1), outcomes, logged }
}

test.each([
  ['a lock that was not to be had in time', '55P03'],
  ['a statement that took too long', '57014'],
  ['a full disk', '53100'],
])('%s fails the whole batch, because its halves would wait as long again', async (_, code) => {
  const { batches, outcomes } = await failing(code, 16)
  expect(batches).toEqual([16])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code } })
})

test('the fault of one request is found by halving, and affects only that request', async () => {
  const { batches, outcomes, logged } = await failing('23505', 4)
  expect(batches).toEqual([4, 2, 1, 1, 2, 1, 1])
  expect(logged).toEqual([])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'fulfilled', value: { returned: undefined } })
})

test('a statement that is wrong itself is in the log, although the fallback serves the requests', async () => {
  const { outcomes, logged } = await failing('42703', 2)
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'fulfilled', value: { returned: undefined } })
  const entry = ['statement.failed', expect.objectContaining({ code: '42703' })]
  expect(logged).toEqual([entry, entry])
})
