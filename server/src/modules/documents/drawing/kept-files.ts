export interface KeptLimits {
  readonly mostFiles: number
  readonly mostBytes: number
}

/** Files that were made lately, those asked for last the longest; each is made once, however many ask for it meanwhile. */
export class KeptFiles<File extends { readonly bytes: Buffer }> {
  /** in the order in which they were last asked for */
  readonly #files = new Map<string, File>()
  readonly #making = new Map<string, Promise<File>>()
  readonly #limits: KeptLimits
  #bytes = 0

  constructor(limits: KeptLimits) {
    this.#limits = limits
  }

  get(key: string, make: () => Promise<File>): Promise<File> {
    const kept = this.#files.get(key)
    if (kept) {
      this.#files.delete(key)
      this.#files.set(key, kept)
      return Promise.resolve(kept)
    }
    const underWay = this.#making.get(key)
    if (underWay) return underWay
    const making = make()
      .then((file) => {
        this.#keep(key, file)
        return file
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
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
