import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Runner } from '../../../platform/operations/runner.ts'
import type { AnswerToRecord, RecordResult } from '../state/record-answers.ts'
import { createRecorder } from './recorder.ts'

interface Batch {
  readonly tenant: Tenant
  readonly answers: readonly AnswerToRecord[]
}

const newTenant = (): Tenant => ({ organisationId: newId(), mode: 'live' })
const answer = (fence = 1): AnswerToRecord => ({
  id: newId(),
  step: 'sign',
  answer: { kind: 'not_sent' },
  noted: { answer: 'not_sent', why: null, messages: [] },
  fence,
})
const nothing: RecordResult = { nextSteps: [], soonestMs: undefined, ends: [], unknownRefusals: 0 }

/** Instead of writing to a database, batches wait until the test ends them. */
function recorderThat(write: (batch: Batch) => Promise<RecordResult>, underWay = 0) {
  const batches: Batch[] = []
  const run = (_: unknown, { input }: { input: Batch }) => {
    batches.push(input)
    return write(input)
  }
  const record = createRecorder(
    { run } as unknown as Runner,
    () => underWay,
    () => {},
  )
  return { record, batches }
}

test('six tenants are written at a time, each by one batch, and answers that come meanwhile join the next batch', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const release = Promise.withResolvers<void>()
  const { record, batches } = recorderThat(async () => {
    await release.promise
    return nothing
  })
  const tenants = Array.from({ length: 7 }, newTenant)
  const [first] = tenants as [Tenant]
  const recorded = tenants.map((tenant) => record(tenant, answer()))
  await vi.advanceTimersByTimeAsync(1_000)
  for (let nth = 0; nth < 70; nth++) recorded.push(record(first, answer()))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(batches.map(({ tenant }) => tenant)).toEqual(tenants.slice(0, 6))
  release.resolve()
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(recorded)
  expect(batches.filter(({ tenant }) => tenant === first).map(({ answers }) => answers.length)).toEqual([1, 64, 6])
  expect(batches.filter(({ tenant }) => tenant === tenants[6])).toHaveLength(1)
})

test('answers wait for those of the other documents under way, and not forever for one that is slow', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [first, second, third] = [answer(), answer(), answer()]
  const { record, batches } = recorderThat(async () => nothing, 2)
  const tenant = newTenant()
  const written = () => batches.map(({ answers }) => answers)
  void record(tenant, first)
  await vi.advanceTimersByTimeAsync(99)
  expect(written()).toEqual([])
  void record(tenant, second)
  await vi.advanceTimersByTimeAsync(1)
  expect(written()).toEqual([[first, second]])
  void record(tenant, third)
  await vi.advanceTimersByTimeAsync(100)
  expect(written()).toEqual([[first, second], [third]])
})

test('an answer that cannot be written fails alone; after a passing database failure the batch is not split', async () => {
  const [bad, tenant] = [answer(), newTenant()]
  const refuse = recorderThat(async ({ answers }) => {
    if (answers.includes(bad)) throw new Error('it cannot be written')
    return nothing
  })
  const all = [answer(), bad, answer()]
  const ends = await Promise.allSettled(all.map((one) => refuse.record(tenant, one)))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])

  const held = recorderThat(async () => {
    throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  })
  const late = await Promise.allSettled(all.map((one) => held.record(tenant, one)))
  expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(held.batches).toHaveLength(1)
})

test('of two answers about one document, only the one with the current lease continues', async () => {
  const [late, holder] = [answer(1), answer(2)]
  const about = { ...late, id: holder.id }
  const goingOn = [{ id: holder.id, step: 'transmit' as const, fence: 3 }]
  const { record } = recorderThat(async () => ({ ...nothing, nextSteps: goingOn }))
  const tenant = newTenant()
  expect(await Promise.all([record(tenant, about), record(tenant, holder)])).toEqual([undefined, goingOn[0]])
})
