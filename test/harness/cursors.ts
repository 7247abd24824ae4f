import type { Reply } from './client.ts'

/** Every entry of a list, page by page, each page by the cursor of the one before. */
export async function walkByCursor(
  read: (after?: string) => Promise<Reply>,
  between: (page: Reply) => Promise<void> = async () => undefined,
): Promise<{ id: string }[]> {
  const entries: { id: string }[] = []
  let after: string | undefined
  // No list of a test has more pages.
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
