/** Equal JSON values give the same text, whatever the order of their keys. No key is `__proto__`: the body reader refuses such a body. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value)) ?? 'null'

/** Sorts the keys and leaves the writing to `JSON.stringify`, which is many times as fast as a writer in JavaScript. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(ordered)
  const same: Record<string, unknown> = {}
  for (const key of inOrder(Object.keys(value))) same[key] = ordered((value as Record<string, unknown>)[key])
  return same
}

interface Order {
  readonly keys: readonly string[]
  readonly order: readonly string[]
}

/** Consecutive objects, such as invoice lines, mostly have the same keys. So a few key orders are cached for each number of keys. */
const knownOrders: Order[][] = []
const mostKeys = 64
const mostOrders = 4

function inOrder(keys: readonly string[]): readonly string[] {
  if (keys.length > mostKeys) return keys.toSorted()
  knownOrders[keys.length] ??= []
  const known = knownOrders[keys.length] as Order[]
  for (const one of known) if (isSame(one.keys, keys)) return one.order
  const order = keys.toSorted()
  if (known.length === mostOrders) known.shift()
  known.push({ keys, order })
  return order
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}
