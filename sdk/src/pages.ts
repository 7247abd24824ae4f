export interface Pagination {
  /** this page, from 1 */
  readonly page: number
  /** entries on a page at most */
  readonly limit: number
  /** entries on all pages, exactly */
  readonly total: number
  readonly totalPages: number
}

export interface Page<Data> {
  readonly data: Data
  readonly pagination: Pagination
  readonly requestId: string
}

/**
 * A list: awaited, its first page (or the one asked for); gone through with `for await`, every entry of it and of the
 * pages behind it, each page asked for when it is reached.
 */
export class Pages<Entry, Data = Entry[]> implements PromiseLike<Page<Data>>, AsyncIterable<Entry> {
  readonly #load: (page?: number) => Promise<Page<Data>>
  #first: Promise<Page<Data>> | undefined

  constructor(load: (page?: number) => Promise<Page<Data>>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, and can be gone through.
  then<Kept = Page<Data>, Failed = never>(
    onPage?: ((page: Page<Data>) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    this.#first ??= this.#load()
    return this.#first.then(onPage, onError)
  }

  /** Page by page. */
  async *byPage(): AsyncGenerator<Page<Data>, void, undefined> {
    let page: Page<Data> = await this.then()
    for (;;) {
      yield page
      const { page: number, totalPages } = page.pagination
      // A page without entries is behind the last one, whatever it says.
      if (number >= totalPages || entriesOf(page.data).length === 0) return
      page = await this.#load(number + 1)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    // What is new at the top moves others to the next page: they are not given again.
    let before = new Set<unknown>()
    for await (const { data } of this.byPage()) {
      const entries = entriesOf<Entry>(data)
      const ids = new Set<unknown>()
      for (const entry of entries) {
        const id = (entry as { id?: unknown } | null)?.id
        if (id !== undefined) ids.add(id)
        if (!before.has(id)) yield entry
      }
      before = ids
    }
  }
}

const entriesOf = <Entry>(data: unknown): readonly Entry[] =>
  (Array.isArray(data) ? data : (data as { items: Entry[] }).items) as readonly Entry[]
