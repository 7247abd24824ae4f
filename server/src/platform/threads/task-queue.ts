import { ThreadTime } from './thread-time.ts'

/** Throws once the caller no longer waits for the result. */
export interface GoneSignal {
  throwIfAborted(): void
}

export interface QueuedTask {
  readonly owner: string
  readonly signal: GoneSignal | undefined
  readonly reject: (error: unknown) => void
}

export interface QueueLimits {
  readonly mostWaiting: number
  /** of one owner */
  readonly mostWaitingEach: number
  /** how many tasks run at a time */
  readonly size: number
}

/** The queue is full. The task was not started. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * A bounded queue that one owner cannot block for the others. Owners take turns; an owner with little recent thread time comes before one
 * with twice as much. One slot stays free for owners with little recent thread time, and no owner gets all slots. In a full queue, a task
 * of an owner with few waiting tasks replaces the last task of the owner with the most. A task whose caller has disconnected leaves the
 * queue when its turn comes or its place is needed.
 */
export class TaskQueue<Task extends QueuedTask> {
  readonly #limits: QueueLimits
  readonly #time: ThreadTime
  /** by owner, in the order of their turns */
  readonly #waiting = new Map<string, Task[]>()
  readonly #running = new Map<string, number>()
  #waitingInAll = 0
  #runningInAll = 0
  #runningOfHeavy = 0

  constructor(limits: QueueLimits, time = new ThreadTime()) {
    this.#limits = limits
    this.#time = time
  }

  /** Rejects the task, or another one, with `NoRoom` if the queue is full. */
  add(task: Task): void {
    const { mostWaiting, mostWaitingEach } = this.#limits
    const own = () => this.#waiting.get(task.owner) ?? []
    const isFull = () => this.#waitingInAll >= mostWaiting || own().length >= mostWaitingEach
    if (isFull()) this.#dropAllGone()
    if (own().length >= mostWaitingEach || (this.#waitingInAll >= mostWaiting && !this.#makeRoomFor(own().length))) {
      task.reject(new NoRoom('too many tasks are waiting'))
      return
    }
    this.#waiting.set(task.owner, [...own(), task])
    this.#waitingInAll++
  }

  /** Drops the last task of the owner with the most, if that owner keeps at least as many as the other owner will have. */
  #makeRoomFor(waitingOfOther: number): boolean {
    const longest = this.#longest()
    if (longest.length <= waitingOfOther + 1) return false
    this.#waitingInAll--
    longest.pop()?.reject(new NoRoom('another owner had fewer tasks waiting'))
    return true
  }

  /** The next task, if a slot is free. The taker calls `over` when the task has ended. */
  take(): { readonly task: Task; readonly over: (threadMs: number) => void } | undefined {
    const ranked = [...this.#waiting.keys()].map((owner) => ({ owner, rank: this.#time.rank(owner) }))
    // The sort is stable, so equal owners keep their order of turns.
    for (const { owner } of ranked.sort((one, other) => one.rank - other.rank)) {
      const isHeavy = this.#time.isHeavy(owner)
      const task = this.#hasPlaceFor(owner, isHeavy) ? this.#takeFirst(owner) : undefined
      if (task) return { task, over: this.#begin(owner, isHeavy) }
    }
    return undefined
  }

  /** Rejects all waiting tasks. */
  close(): void {
    for (const tasks of this.#waiting.values())
      for (const { reject } of tasks) reject(new NoRoom('the threads are being closed'))
    this.#waiting.clear()
    this.#waitingInAll = 0
  }

  #hasPlaceFor(owner: string, isHeavy: boolean): boolean {
    const { size } = this.#limits
    if (this.#runningInAll >= size) return false
    // With a single thread, owners can share only turns.
    if (size === 1) return true
    return (this.#running.get(owner) ?? 0) < size - 1 && (!isHeavy || this.#runningOfHeavy < size - 1)
  }

  #begin(owner: string, isHeavy: boolean): (threadMs: number) => void {
    this.#runningInAll++
    if (isHeavy) this.#runningOfHeavy++
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
    return (threadMs) => {
      this.#runningInAll--
      if (isHeavy) this.#runningOfHeavy--
      const left = (this.#running.get(owner) ?? 1) - 1
      if (left > 0) this.#running.set(owner, left)
      else this.#running.delete(owner)
      this.#time.add(owner, threadMs)
    }
  }

  /** The owner goes to the end of the order of turns. */
  #takeFirst(owner: string): Task | undefined {
    const tasks = this.#waiting.get(owner) ?? []
    this.#waiting.delete(owner)
    for (const [at, task] of tasks.entries()) {
      this.#waitingInAll--
      if (rejectIfGone(task)) continue
      if (at + 1 < tasks.length) this.#waiting.set(owner, tasks.slice(at + 1))
      return task
    }
    return undefined
  }

  #dropAllGone(): void {
    for (const [owner, tasks] of [...this.#waiting]) {
      const left = tasks.filter((task) => !rejectIfGone(task))
      this.#waitingInAll -= tasks.length - left.length
      if (left.length > 0) this.#waiting.set(owner, left)
      else this.#waiting.delete(owner)
    }
  }

  #longest(): Task[] {
    let longest: Task[] = []
    for (const tasks of this.#waiting.values()) if (tasks.length > longest.length) longest = tasks
    return longest
  }
}

function rejectIfGone({ signal, reject }: QueuedTask): boolean {
  try {
    signal?.throwIfAborted()
    return false
  } catch (gone) {
    reject(gone)
    return true
  }
}
