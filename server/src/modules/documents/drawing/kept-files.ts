import type { GoneSignal } from '../../../platform/threads/threads.ts'

export interface KeptLimits {
  readonly mostFiles: number
  readonly mostBytes: number
}

/** A cache of recent files, least recently used first out. Concurrent callers share one creation. */
export class KeptFiles<File extends { readonly bytes: Buffer }> {
  /** in the order of their last use */
  readonly #files = new Map<string, File>()
  readonly #making = new Map<string, FileInProgress<File>>()
  readonly #limits: KeptLimits
  #bytes = 0

  constructor(limits: KeptLimits) {
    this.#limits = limits
  }

  /** `make` gets a signal that throws only when all callers are gone. */
  get(key: string, make: (gone: GoneSignal) => Promise<File>, gone?: GoneSignal): Promise<File> {
    const kept = this.#files.get(key)
    if (kept) {
      this.#files.delete(key)
      this.#files.set(key, kept)
      return Promise.resolve(kept)
    }
    const underWay = this.#making.get(key)
    if (underWay) {
      underWay.waiters.push(gone)
      return underWay.file
    }
    return this.#make(key, make, [gone])
  }

  #make(key: string, make: (gone: GoneSignal) => Promise<File>, waiters: (GoneSignal | undefined)[]): Promise<File> {
    const throwIfAborted = () => {
      try {
        throwIfAllGone(waiters)
      } catch (error) {
        // From here on, a new caller starts a new creation.
        this.#making.delete(key)
        throw error
      }
    }
    const file = make({ throwIfAborted })
      .then((made) => {
        this.#keep(key, made)
        return made
      })
      .finally(() => {
        if (this.#making.get(key)?.file === file) this.#making.delete(key)
      })
    this.#making.set(key, { file, waiters })
    return file
  }

  #keep(key: string, file: File): void {
    this.#files.set(key, file)
    this.#bytes += file.bytes.length
    for (const [oldest, { bytes }] of this.#files) {
      if (this.#files.size <= this.#limits.mostFiles && this.#bytes <= this.#limits.mostBytes) return
      this.#files.delete(oldest)
      this.#bytes -= bytes.length
    }
  }
}

interface FileInProgress<File> {
  readonly file: Promise<File>
  readonly waiters: (GoneSignal | undefined)[]
}

/** Removes callers who are gone, so that the list holds only those who wait. */
function throwIfAllGone(waiters: (GoneSignal | undefined)[]): void {
  for (let last = waiters.length; last > 0; last = waiters.length) {
    const waiter = waiters.at(-1)
    if (!waiter) return
    try {
      waiter.throwIfAborted()
      return
    } catch (gone) {
      if (last === 1) throw gone
      waiters.pop()
    }
  }
}
