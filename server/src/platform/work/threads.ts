import { Worker } from 'node:worker_threads'
import type { Logger } from '../logger.ts'

/** What a thread says of an order: `result`, or the error that was thrown. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly failure: unknown }

export interface ThreadsOptions {
  /** the module that a thread runs; see `workOff` */
  readonly entry: URL
  /** how many orders are worked off at a time */
  readonly size: number
  readonly mostWaiting: number
  /** of one owner: so that nobody fills the queue alone */
  readonly mostWaitingEach: number
  /** what takes longer is ended together with its thread */
  readonly deadlineMs: number
  readonly log: Logger
}

export interface Threads<Order, Result> {
  /** Does an order outside of the main thread. What it needs is fetched when its turn comes, so that those who wait hold nothing. */
  run(owner: string, prepare: () => Promise<Order>): Promise<Result>
  close(): Promise<void>
}

/** As many are waiting as may. Nothing was done. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/** The thread ended under the order: it broke down, or was ended because the order took too long. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

interface Task<Order, Result> {
  readonly prepare: () => Promise<Order>
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
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
  const { entry, size, mostWaiting, mostWaitingEach, deadlineMs, log } = options
  /** by owner, in the order in which it is their turn */
  const waiting = new Map<string, Task<Order, Result>[]>()
  let waitingInAll = 0
  const threads = new Set<Thread<Result>>()
  const idle: Thread<Result>[] = []
  let busy = 0
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

  /** Owners take turns, whoever has how much waiting. */
  function takeTask(): Task<Order, Result> | undefined {
    for (const [owner, tasks] of waiting) {
      const task = tasks.shift()
      waiting.delete(owner)
      if (tasks.length > 0) waiting.set(owner, tasks)
      waitingInAll--
      return task
    }
    return undefined
  }

  function next(): void {
    const task = busy < size ? takeTask() : undefined
    if (!task) return
    busy++
    task
      .prepare()
      .then(ask)
      .then(task.resolve, task.reject)
      .finally(() => {
        busy--
        next()
      })
  }

  return {
    run: (owner, prepare) =>
      new Promise((resolve, reject) => {
        const own = waiting.get(owner) ?? []
        if (closed || waitingInAll >= mostWaiting || own.length >= mostWaitingEach) {
          reject(new NoRoom('too many orders are waiting'))
          return
        }
        own.push({ prepare, resolve, reject })
        waiting.set(owner, own)
        waitingInAll++
        next()
      }),
    async close() {
      closed = true
      for (const tasks of waiting.values())
        for (const { reject } of tasks) reject(new NoRoom('the threads are being closed'))
      waiting.clear()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
