import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, threadId } from 'node:worker_threads'
import { workOff } from '../../server/src/platform/threads/work-off.ts'

export type TestOrder =
  | { readonly do: 'tell' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'spin' | 'fail' | 'exit' | 'throw later' | 'fill the heap' }

export interface TestResult {
  readonly isMainThread: boolean
  readonly threadId: number
  readonly settings: readonly string[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The code that thread tests run, including everything that a thread must not do. */
workOff<TestOrder, TestResult>(async (order) => {
  if (order.do === 'wait') await wait(order.ms)
  if (order.do === 'fail') throw new TypeError('this order cannot be done')
  if (order.do === 'exit') process.exit(3)
  if (order.do === 'throw later') setTimeout(() => Promise.reject(new Error('nobody catches this')), 1)
  if (order.do === 'throw later') await wait(60_000)
  if (order.do === 'fill the heap')
    for (const kept: number[][] = []; kept.length >= 0; ) kept.push(Array(1e6).fill(0.5))
  if (order.do === 'spin') for (let turns = 0; turns >= 0; ) turns = (turns + 1) % 7
  const bytes = new Uint8Array(8)
  const result = { isMainThread, threadId, settings: Object.keys(process.env), bytes }
  return { result, handOver: [bytes.buffer] }
})
