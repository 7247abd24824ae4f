import type { Reply, Request } from '../shared/http.ts'

/** A method and a path in which `:` stands for anything between slashes. */
export interface Route {
  readonly on: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  handle(request: Request, named: string): Reply
}

/** The first that fits, given what its `:` stands for. */
export function dispatch(routes: readonly Route[], request: Request, path: string): Reply | undefined {
  for (const { on, handle } of routes) {
    const [method, pattern = ''] = on.split(' ')
    const match = method === request.method && new RegExp(`^${pattern.replace(':', '([^/]+)')}$`).exec(path)
    if (match) return handle(request, decodeURIComponent(match[1] ?? ''))
  }
  return undefined
}

/** A body that is a list. */
export function entriesOf({ body }: Request): readonly Readonly<Record<string, unknown>>[] {
  try {
    const value: unknown = JSON.parse(body)
    if (Array.isArray(value)) return value.filter((one) => typeof one === 'object' && one !== null)
  } catch {}
  return []
}

export function fieldsOf({ body }: Request): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {}
  return {}
}
