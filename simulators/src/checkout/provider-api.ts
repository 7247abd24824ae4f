import type { Reply, Request } from '../shared/http.ts'

export const bearer = ({ headers }: Request): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** A method and a path in which `:` stands for anything. */
export interface Route {
  readonly on: `${'GET' | 'POST'} /${string}`
  handle(request: Request, named: string): Reply
}

/** The first route that fits, given the part that its `:` stands for. */
export function dispatch(routes: readonly Route[], request: Request, path: string): Reply | undefined {
  for (const { on, handle } of routes) {
    const [method, pattern = ''] = on.split(' ')
    const match = method === request.method && new RegExp(`^${pattern.replace(':', '([^/]+)')}$`).exec(path)
    if (match) return handle(request, decodeURIComponent(match[1] ?? ''))
  }
  return undefined
}

/** Return addresses end in a `Location` header: nothing but a web address may stand there. */
export const isWebAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text)
