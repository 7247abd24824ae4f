export interface Pagination {
  /** this page, from 1 */
  readonly page: number
  /** entries on a page at most */
  readonly limit: number
  /** entries on all pages, exactly */
  readonly total: number
  readonly totalPages: number
  /** whether there are entries after this page */
  readonly hasMore?: boolean
  /** give it as `after` to get the next page; null on the last one */
  readonly nextCursor?: string | null
}

/** Which page: by its number, or the one that begins at a cursor. */
export type PagePosition = { readonly page: number } | { readonly after: string }

export interface Page<Data> {
  readonly data: Data
  readonly pagination: Pagination
  readonly requestId: string
}

/**
 * A list. Awaited, it is its first page (or the page asked for). Gone through with `for await`, it gives every entry of that page
 * and of the pages after it. Each page is asked for when it is reached, by the cursor of the page before: no entry is lost or
 * given twice while others are added or leave the list.
 */
export class Pages<Entry, Data = Entry[]> implements PromiseLike<Page<Data>>, AsyncIterable<Entry> {
  readonly #load: (position?: PagePosition) => Promise<Page<Data>>
  #first: Promise<Page<Data>> | undefined

  constructor(load: (position?: PagePosition) => Promise<Page<Data>>) {
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

  /** As of a promise: of the first page. */
  catch<Failed = never>(
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Page<Data> | Failed> {
    return this.then(undefined, onError)
  }

  /** As of a promise: of the first page. */
  finally(onEnd?: (() => void) | null): Promise<Page<Data>> {
    return this.then().finally(onEnd)
  }

  /** All entries in one array, or the first `limit` of them. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { readonly limit?: number } = {}): Promise<Entry[]> {
    const entries: Entry[] = []
    if (limit <= 0) return entries
    for await (const entry of this) if (entries.push(entry) >= limit) break
    return entries
  }

  /** Page by page. */
  async *byPage(): AsyncGenerator<Page<Data>, void, undefined> {
    let page: Page<Data> = await this.then()
    for (;;) {
      yield page
      const { page: number, totalPages, nextCursor } = page.pagination
      // A service without cursors counts pages. A page without entries is behind the last one, whatever it says.
      const isLast = nextCursor === undefined ? number >= totalPages : nextCursor === null
      if (isLast || entriesOf(page.data).length === 0) return
      page = await this.#load(nextCursor ? { after: nextCursor } : { page: number + 1 })
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    // Where pages are counted, what is new at the top moves others to the next page: they are not given again.
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
