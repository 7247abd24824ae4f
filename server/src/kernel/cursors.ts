/** A position in a list: the order, and the sort values of the last row before the position. */
export interface Cursor {
  readonly order: string
  readonly keys: readonly (string | null)[]
}

/** A cursor with the longest names has a few hundred characters. */
export const longestCursor = 4_000
const mostKeys = 8

/** Callers must treat a cursor as opaque and send it back unchanged. */
export const writeCursor = ({ order, keys }: Cursor): string =>
  Buffer.from(JSON.stringify([order, ...keys])).toString('base64url')

/** `undefined` unless `writeCursor` wrote exactly this text. The list checks whether the values fit its order. */
export function readCursor(text: string): Cursor | undefined {
  if (text.length > longestCursor) return undefined
  const read = jsonIn(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(read) || read.length < 2 || read.length > mostKeys) return undefined
  const [order, ...keys] = read as unknown[]
  if (typeof order !== 'string' || !keys.every((key) => key === null || typeof key === 'string')) return undefined
  const cursor = { order, keys: keys as (string | null)[] }
  return writeCursor(cursor) === text ? cursor : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
