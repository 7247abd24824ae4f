import { ThreadTime } from './thread-time.ts'

/** Throws once nobody waits for the result any more. */
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

/** As many tasks are waiting as may. Nothing was done. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * A bounded queue that no owner can close for the others.
 *
 * - Owners take turns. Those who used less time of the threads lately come before those who used twice as much.
 * - One place stays free for owners who used little, and no owner takes all places.
 * - In a full queue, a task of an owner with few waiting replaces the last task of the owner with the most waiting.
 * - A task whose caller is gone leaves the queue when its turn comes, or when its place is needed.
 */
export class FairQueue<Task extends QueuedTask> {
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

  /** Takes the last place of whoever has the most, if that owner keeps at least as many as the other one will have. */
  #makeRoomFor(waitingOfOther: number): boolean {
    const longest = this.#longest()
    if (longest.length <= waitingOfOther + 1) return false
    this.#waitingInAll--
    longest.pop()?.reject(new NoRoom('another owner had fewer tasks waiting'))
    return true
  }

  /** The task whose turn it is, if there is a place for it. Whoever takes it calls `over` when it has ended. */
  take(): { readonly task: Task; readonly over: (threadMs: number) => void } | undefined {
    const ranked = [...this.#waiting.keys()].map((owner) => ({ owner, rank: this.#time.rank(owner) }))
    // Sorting keeps the order of turns among those who are alike.
    for (const { owner } of ranked.sort((one, other) => one.rank - other.rank)) {
      const isHeavy = this.#time.isHeavy(owner)
      const task = this.#hasPlaceFor(owner, isHeavy) ? this.#takeFirst(owner) : undefined
      if (task) return { task, over: this.#begin(owner, isHeavy) }
    }
    return undefined
  }

  /** Rejects everything that waits. */
  close(): void {
    for (const tasks of this.#waiting.values())
      for (const { reject } of tasks) reject(new NoRoom('the threads are being closed'))
    this.#waiting.clear()
    this.#waitingInAll = 0
  }

  #hasPlaceFor(owner: string, isHeavy: boolean): boolean {
    const { size } = this.#limits
    if (this.#runningInAll >= size) return false
    // With a single thread there is nothing to share but turns.
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

  /** The owner goes to the end of the line. */
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
