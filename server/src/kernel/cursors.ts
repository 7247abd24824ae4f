/** A position in a list: in which order, and the values that the last row before it is sorted by. */
export interface Cursor {
  readonly order: string
  readonly keys: readonly (string | null)[]
}

/** Names in a cursor are a few hundred characters at most. */
export const longestCursor = 4_000
const mostKeys = 8

/** Opaque to callers: they hand back what they were given. */
export const writeCursor = ({ order, keys }: Cursor): string =>
  Buffer.from(JSON.stringify([order, ...keys])).toString('base64url')

/** `undefined` unless the text is exactly what `writeCursor` writes. Whether the values fit the order is for the list to check. */
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
