import { afterEach, expect, test } from 'vitest'
import { capturedLog } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { TestOrder, TestResult } from '../../../../test/harness/thread-at-work.ts'
import { createThreads, NoRoom, ThreadLost, type Threads, type ThreadsOptions } from './threads.ts'

const entry = new URL('../../../../test/harness/thread-at-work.ts', import.meta.url)
const { log, text: logged } = capturedLog()
const opened: Threads<TestOrder, TestResult>[] = []
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close()
})

function threadsWith(options: Partial<ThreadsOptions> = {}) {
  const usual = { entry, size: 1, mostWaiting: 4, mostWaitingEach: 4, deadlineMs: 20_000, log }
  const threads = createThreads<TestOrder, TestResult>({ ...usual, ...options })
  opened.push(threads)
  return threads
}
const order = (what: TestOrder['do']) => async () => ({ do: what, ms: 0 }) as TestOrder
const orderOf = (ms: number) => async (): Promise<TestOrder> => ({ do: 'wait', ms })

test('a task runs in a thread without the environment of the process, and the thread is used again', async () => {
  const threads = threadsWith()
  const first = await threads.run('a', order('tell'))
  expect(first).toMatchObject({ isMainThread: false })
  expect(first.settings.filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([])
  expect(first.bytes).toHaveLength(8)
  expect((await threads.run('a', order('tell'))).threadId).toBe(first.threadId)
})

test('an idle thread is ended after a while, and the next task gets a new one', async () => {
  const threads = threadsWith({ idleMs: 1 })
  const { threadId } = await threads.run('a', order('tell'))
  await eventually(async () => expect((await threads.run('a', order('tell'))).threadId).not.toBe(threadId))
})

test('as many tasks run at a time as there are threads', async () => {
  const threads = threadsWith({ size: 2 })
  const both = await Promise.all([threads.run('a', orderOf(50)), threads.run('b', orderOf(50))])
  expect(new Set(both.map(({ threadId }) => threadId)).size).toBe(2)
})

test('if the queue is full, the next task is refused at once, and its input is not fetched', async () => {
  const threads = threadsWith({ mostWaiting: 2 })
  const gate = Promise.withResolvers<TestOrder>()
  const taken = [threads.run('a', () => gate.promise), threads.run('b', order('tell')), threads.run('c', order('tell'))]
  let fetched = 0
  const refused = threads.run('d', async () => {
    fetched++
    return { do: 'tell' }
  })
  await expect(refused).rejects.toThrow(NoRoom)
  expect(fetched).toBe(0)
  gate.resolve({ do: 'tell' })
  await Promise.all(taken)
  await threads.run('d', order('tell'))
})

test('one owner cannot fill the queue alone', async () => {
  const threads = threadsWith({ mostWaiting: 3, mostWaitingEach: 1 })
  const gate = Promise.withResolvers<TestOrder>()
  const taken = [threads.run('a', () => gate.promise), threads.run('a', order('tell'))]
  await expect(threads.run('a', order('tell'))).rejects.toThrow(NoRoom)
  taken.push(threads.run('b', order('tell')))
  gate.resolve({ do: 'tell' })
  expect(await Promise.all(taken)).toHaveLength(3)
})

test('owners take turns, however many waiting tasks one of them has', async () => {
  const threads = threadsWith({ mostWaiting: 8, mostWaitingEach: 8 })
  const gate = Promise.withResolvers<TestOrder>()
  const done: string[] = []
  const run = (owner: string) => threads.run(owner, order('tell')).then(() => done.push(owner))
  const taken = [threads.run('a', () => gate.promise), ...['a', 'a', 'a', 'b', 'b', 'c'].map(run)]
  gate.resolve({ do: 'tell' })
  await Promise.all(taken)
  expect(done).toHaveLength(6)
  expect(done.slice(0, 3)).toEqual(expect.arrayContaining(['b', 'c']))
})

test('a task whose caller is gone before its turn never starts', async () => {
  const threads = threadsWith()
  const gate = Promise.withResolvers<TestOrder>()
  const leaving = new AbortController()
  let fetched = 0
  const running = threads.run('a', () => gate.promise, leaving.signal)
  const fetch = async (): Promise<TestOrder> => {
    fetched++
    return { do: 'tell' }
  }
  const left = threads.run('b', fetch, leaving.signal)
  const stayed = threads.run('b', fetch, new AbortController().signal)
  leaving.abort(new Error('hung up'))
  gate.resolve({ do: 'tell' })
  await expect(left).rejects.toThrow('hung up')
  // What was begun is brought to its end.
  await Promise.all([running, stayed])
  expect(fetched).toBe(1)
})

test('a task that fails, or whose input cannot be fetched or sent, affects no other task', async () => {
  const threads = threadsWith()
  const { threadId } = await threads.run('a', order('tell'))
  await expect(threads.run('a', order('fail'))).rejects.toThrow(new TypeError('this order cannot be done'))
  await expect(threads.run('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  await expect(threads.run('a', async () => ({ do: 'tell', with: () => {} }) as TestOrder)).rejects.toThrow(/cloned/)
  expect((await threads.run('a', order('tell'))).threadId).toBe(threadId)
})

test('a task that takes too long is ended with its thread, and a new thread replaces it', async () => {
  const threads = threadsWith({ deadlineMs: 3_000 })
  const { threadId } = await threads.run('a', order('tell'))
  const spinning = threads.run('a', order('spin'))
  const behind = threads.run('a', order('tell'))
  await expect(spinning).rejects.toThrow(ThreadLost)
  expect((await behind).threadId).not.toBe(threadId)
  expect(logged()).toContain('nothing came within 3000 ms')
})

test.each(['exit', 'throw later', 'fill the heap'] as const)(
  'a thread that breaks down (%s) affects no other task, and is replaced',
  async (what) => {
    const threads = threadsWith()
    const lost = threads.run('a', order(what))
    const behind = threads.run('a', order('tell'))
    await expect(lost).rejects.toThrow(ThreadLost)
    expect(await behind).toMatchObject({ isMainThread: false })
  },
)

test('if no thread can be started, each task fails instead of hanging', async () => {
  const threads = threadsWith({ entry: new URL('no-such-file.ts', entry) })
  for (let times = 0; times < 2; times++) await expect(threads.run('a', order('tell'))).rejects.toThrow(ThreadLost)
})

test('closing ends running tasks and refuses waiting and new ones', async () => {
  const threads = threadsWith()
  const running = threads.run('a', orderOf(60_000))
  const waiting = threads.run('a', order('tell'))
  const ends = Promise.allSettled([running, waiting])
  await threads.close()
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(waiting).rejects.toThrow(NoRoom)
  await expect(threads.run('a', order('tell'))).rejects.toThrow(NoRoom)
})
