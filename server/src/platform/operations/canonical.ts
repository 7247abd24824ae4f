/** One text for equal JSON values, whatever the order of their keys. None of those is `__proto__`: such a body is refused when it is read. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value)) ?? 'null'

/** The same value with its keys in one order: JSON itself is written many times as fast as anything of ours. */
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

/** Lines of an invoice have the same keys one after the other, and so have requests: a few orders are remembered for each number of keys. */
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
