/** One text for equal JSON values, whatever the order of their keys. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value)) ?? 'null'

/** The same value with its keys in one order: JSON itself is written many times as fast as anything of ours. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(ordered)
  const same: Record<string, unknown> = {}
  for (const key of inOrder(Object.keys(value))) same[key] = ordered((value as Record<string, unknown>)[key])
  return same
}

/** Lines of an invoice have the same keys one after the other, and so have requests: the last order for so many keys is mostly the next one too. */
const lastOrders: { readonly keys: readonly string[]; readonly order: readonly string[] }[] = []
const mostRemembered = 64

function inOrder(keys: readonly string[]): readonly string[] {
  const last = lastOrders[keys.length]
  if (last?.keys.every((key, at) => key === keys[at])) return last.order
  const order = keys.toSorted()
  if (keys.length < mostRemembered) lastOrders[keys.length] = { keys, order }
  return order
}
