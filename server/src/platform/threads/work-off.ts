import { parentPort, type Transferable } from 'node:worker_threads'
import type { ThreadAnswer } from './threads.ts'

/** The loop of a thread. Result bytes are transferred, not copied. */
export function workOff<Input, Result>(
  work: (input: Input) => Promise<{ readonly result: Result; readonly handOver: readonly Transferable[] }>,
): void {
  const say = (answer: ThreadAnswer<Result>, handOver: readonly Transferable[] = []) =>
    parentPort?.postMessage(answer, handOver)
  parentPort?.on('message', async (input: Input) => {
    try {
      const { result, handOver } = await work(input)
      say({ result }, handOver)
    } catch (failure) {
      say({ failure })
    }
  })
}
