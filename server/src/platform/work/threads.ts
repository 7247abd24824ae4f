import { Worker } from 'node:worker_threads'
import type { Logger } from '../logger.ts'
import { FairQueue, type GoneSignal, NoRoom, type QueuedTask, type QueueLimits } from './fair-queue.ts'

export { type GoneSignal, NoRoom } from './fair-queue.ts'

/** What a thread says of an order: `result`, or the error that was thrown. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly failure: unknown }

export interface ThreadsOptions extends QueueLimits {
  /** the module that a thread runs; see `workOff` */
  readonly entry: URL
  /** what takes longer is ended together with its thread */
  readonly deadlineMs: number
  readonly log: Logger
}

export interface Threads<Order, Result> {
  /**
   * Does an order outside of the main thread. What it needs is fetched when its turn comes, so that those who wait hold nothing. An order
   * whose signal throws before its turn is never begun.
   */
  run(owner: string, prepare: () => Promise<Order>, signal?: GoneSignal): Promise<Result>
  close(): Promise<void>
}

/** The thread ended under the order: it broke down, or was ended because the order took too long. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

interface Task<Order, Result> extends QueuedTask {
  readonly prepare: () => Promise<Order>
  readonly resolve: (result: Result) => void
}

interface Thread<Result> {
  readonly worker: Worker
  /** of the order that it works at */
  settle: ((answer: ThreadAnswer<Result>) => void) | undefined
}

/** A thread that eats up memory ends by itself, and not with the whole process. */
const mostHeapMb = 256

/**
 * Work that would keep everybody else waiting, done by a bounded number of threads with a bounded queue before them. A thread
 * is started when it is first needed, and in place of one that was lost.
 */
export function createThreads<Order, Result>(options: ThreadsOptions): Threads<Order, Result> {
  const { entry, size, deadlineMs, log } = options
  const queue = new FairQueue<Task<Order, Result>>(options)
  const threads = new Set<Thread<Result>>()
  const idle: Thread<Result>[] = []
  let closed = false

  function start(): Thread<Result> {
    // No settings and no secrets of the process, nor its command line, reach a thread.
    const worker = new Worker(entry, {
      execArgv: [],
      argv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
    })
    const thread: Thread<Result> = { worker, settle: undefined }
    threads.add(thread)
    const gone = (why: unknown) => {
      threads.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      thread.settle?.({ failure: new ThreadLost('the thread broke down', { cause: why }) })
    }
    worker.on('message', (answer: ThreadAnswer<Result>) => thread.settle?.(answer))
    worker.on('error', gone)
    worker.on('exit', gone)
    return thread
  }

  async function ask(order: Order): Promise<Result> {
    if (closed) throw new NoRoom('the threads are being closed')
    const thread = idle.pop() ?? start()
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer<Result>>()
    thread.settle = resolve
    thread.worker.ref()
    const timer = setTimeout(() => {
      resolve({ failure: new ThreadLost(`nothing came within ${deadlineMs} ms`) })
      // Not to be given another order until it is gone.
      threads.delete(thread)
      void thread.worker.terminate()
    }, deadlineMs)
    try {
      thread.worker.postMessage(order)
    } catch (failure) {
      resolve({ failure })
    }
    const answer = await promise
    clearTimeout(timer)
    thread.settle = undefined
    if (threads.has(thread)) {
      thread.worker.unref()
      idle.push(thread)
    }
    if ('result' in answer) return answer.result
    if (answer.failure instanceof ThreadLost && !closed) log.warn('thread.lost', { error: answer.failure })
    throw answer.failure
  }

  function next(): void {
    for (let started = 0; started < size; started++) {
      const taken = queue.take()
      if (!taken) return
      void workOn(taken)
    }
  }

  async function workOn({ task, over }: NonNullable<ReturnType<typeof queue.take>>): Promise<void> {
    let threadMs = 0
    try {
      const order = await task.prepare()
      const begun = performance.now()
      try {
        task.resolve(await ask(order))
      } finally {
        threadMs = performance.now() - begun
      }
    } catch (error) {
      task.reject(error)
    }
    over(threadMs)
    next()
  }

  return {
    run: (owner, prepare, signal) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new NoRoom('the threads are being closed'))
        queue.add({ owner, prepare, signal, resolve, reject })
        next()
      }),
    async close() {
      closed = true
      queue.close()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
