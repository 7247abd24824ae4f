/** Stands for an unreadable query. The router must not throw: nothing catches its errors. */
export const unreadableQuery: Record<string, unknown> = Object.freeze({})

const nothingAsked: Record<string, unknown> = Object.freeze(Object.create(null))

export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return nothingAsked
  const query: Record<string, unknown> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name, value] = splitOnce(pair).map(decode)
    if (name === undefined || value === undefined) return unreadableQuery
    const before = query[name]
    if (Array.isArray(before)) before.push(value)
    else query[name] = before === undefined ? value : [before, value]
  }
  return query
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
