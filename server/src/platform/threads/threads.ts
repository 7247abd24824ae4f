import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../logger.ts'
import { type GoneSignal, NoRoom, type QueuedTask, type QueueLimits, TaskQueue } from './task-queue.ts'

export { type GoneSignal, NoRoom } from './task-queue.ts'

/** A thread's reply to a task: `result`, or the error that was thrown. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly failure: unknown }

export interface ThreadsOptions extends QueueLimits {
  /** the module that a thread runs; see `workOff` */
  readonly entry: URL
  /** a task that takes longer is ended together with its thread */
  readonly deadlineMs: number
  /** a thread without a task for this long is ended */
  readonly idleMs?: number
  readonly log: Logger
}

export interface Threads<Input, Result> {
  /**
   * Runs a task outside the main thread. Its input is fetched when its turn comes, so that waiting tasks hold no memory. A task whose
   * signal throws before its turn is never started.
   */
  run(owner: string, prepare: () => Promise<Input>, signal?: GoneSignal): Promise<Result>
  close(): Promise<void>
}

/** The thread ended during the task: it crashed, or it was ended because the task took too long. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

interface Task<Input, Result> extends QueuedTask {
  readonly prepare: () => Promise<Input>
  readonly resolve: (result: Result) => void
}

interface Thread<Result> {
  readonly worker: Worker
  /** ends the thread when it has been idle for long */
  idleTimer: NodeJS.Timeout | undefined
  /** of the running task */
  settle: ((answer: ThreadAnswer<Result>) => void) | undefined
}

/** Limits the memory of a thread, so that a greedy one ends alone and not with the whole process. */
const mostHeapMb = 256
/** Enough for a document; the usual size would triple the memory of a thread. */
const youngHeapMb = 8
const usualIdleMs = 60_000

/**
 * Runs computations that would block the main thread, in a bounded number of threads with a bounded queue. A thread is started at first
 * use, and to replace a lost one.
 */
export function createThreads<Input, Result>(options: ThreadsOptions): Threads<Input, Result> {
  const { entry, size, deadlineMs, idleMs = usualIdleMs, log } = options
  const queue = new TaskQueue<Task<Input, Result>>(options)
  const threads = new Set<Thread<Result>>()
  const idle: Thread<Result>[] = []
  let closed = false

  function start(): Thread<Result> {
    const compileCache = getCompileCacheDir()
    // A thread gets no settings, secrets or command line of the process, only its cache of compiled modules.
    const worker = new Worker(entry, {
      execArgv: [],
      argv: [],
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) },
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
    })
    const thread: Thread<Result> = { worker, idleTimer: undefined, settle: undefined }
    threads.add(thread)
    const gone = (why: unknown) => {
      remove(thread)
      thread.settle?.({ failure: new ThreadLost('the thread broke down', { cause: why }) })
    }
    worker.on('message', (answer: ThreadAnswer<Result>) => thread.settle?.(answer))
    worker.on('error', gone)
    worker.on('exit', gone)
    return thread
  }

  function remove(thread: Thread<Result>): void {
    clearTimeout(thread.idleTimer)
    threads.delete(thread)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  }

  /** A thread that rests returns its memory after a while: a fresh one costs less than a second. */
  function rest(thread: Thread<Result>): void {
    thread.worker.unref()
    idle.push(thread)
    thread.idleTimer = setTimeout(() => {
      remove(thread)
      void thread.worker.terminate()
    }, idleMs).unref()
  }

  async function ask(input: Input): Promise<Result> {
    if (closed) throw new NoRoom('the threads are being closed')
    const thread = idle.pop() ?? start()
    clearTimeout(thread.idleTimer)
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer<Result>>()
    thread.settle = resolve
    thread.worker.ref()
    const timer = setTimeout(() => {
      resolve({ failure: new ThreadLost(`nothing came within ${deadlineMs} ms`) })
      // The thread gets no further task while it ends.
      threads.delete(thread)
      void thread.worker.terminate()
    }, deadlineMs)
    try {
      thread.worker.postMessage(input)
    } catch (failure) {
      resolve({ failure })
    }
    const answer = await promise
    clearTimeout(timer)
    thread.settle = undefined
    if (threads.has(thread)) rest(thread)
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
      const input = await task.prepare()
      const begun = performance.now()
      try {
        task.resolve(await ask(input))
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
