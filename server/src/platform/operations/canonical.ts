/** Equal JSON values give the same text, in any order of their keys. No key is `__proto__`: the body reader refuses such a body. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value)) ?? 'null'

function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(ordered)
  const same: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) same[key] = ordered((value as Record<string, unknown>)[key])
  return same
}
