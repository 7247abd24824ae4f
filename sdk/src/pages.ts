export interface Pagination {
  /** number of this page, from 1 */
  readonly page: number
  /** most entries per page */
  readonly limit: number
  /** exact number of entries on all pages */
  readonly total: number
  readonly totalPages: number
  /** whether more entries follow this page */
  readonly hasMore?: boolean
  /** pass it as `after` to get the next page; null on the last page */
  readonly nextCursor?: string | null
}

/** A page by number, or the page that begins at a cursor. */
export type PagePosition = { readonly page: number } | { readonly after: string }

export interface Page<Data> {
  readonly data: Data
  readonly pagination: Pagination
  readonly requestId: string
}

/**
 * A list. `await` returns its first page, or the requested one. `for await` returns every entry from that page on. Each
 * page is fetched when it is reached, by the cursor of the previous page. So no entry is lost or repeated while the
 * list changes.
 */
export class Pages<Entry, Data = Entry[]> implements PromiseLike<Page<Data>>, AsyncIterable<Entry> {
  readonly #load: (position?: PagePosition) => Promise<Page<Data>>
  #first: Promise<Page<Data>> | undefined

  constructor(load: (position?: PagePosition) => Promise<Page<Data>>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited and iterated.
  then<Kept = Page<Data>, Failed = never>(
    onPage?: ((page: Page<Data>) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    this.#first ??= this.#load()
    return this.#first.then(onPage, onError)
  }

  /** Like a promise's `catch`, for the first page. */
  catch<Failed = never>(
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Page<Data> | Failed> {
    return this.then(undefined, onError)
  }

  /** Like a promise's `finally`, for the first page. */
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

  /** Iterates over pages instead of entries. */
  async *byPage(): AsyncGenerator<Page<Data>, void, undefined> {
    let page: Page<Data> = await this.then()
    for (;;) {
      yield page
      const { page: number, totalPages, nextCursor } = page.pagination
      // A service without cursors counts pages. An empty page always ends the list.
      const isLast = nextCursor === undefined ? number >= totalPages : nextCursor === null
      if (isLast || entriesOf(page.data).length === 0) return
      page = await this.#load(nextCursor ? { after: nextCursor } : { page: number + 1 })
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    // With counted pages, new entries at the top move older ones to the next page. Those must not be returned twice.
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
