import type { Reply, Request } from '../shared/http.ts'
import { invalid } from './envelope.ts'
import type { ReplyBehaviour } from './reply-behaviour.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A route's reply, and how it reaches the caller if not in the usual way. */
export type RouteReply = Reply & { readonly behaviour?: ReplyBehaviour }

export interface Route {
  /** `:name` stands for one part of the path */
  readonly on: `${'GET' | 'POST' | 'PATCH' | 'PUT'} /${string}`
  handle(call: Call): RouteReply
}

/** Routes of one part of the authority, which names itself in the errors that come from it. */
export interface Group {
  readonly handler: string
  /** the routes need no key */
  readonly open?: true
  readonly routes: readonly Route[]
}

/** A request at the route it is for. */
export class Call {
  readonly request: Request
  readonly #named: Readonly<Record<string, string>>

  constructor(request: Request, named: Readonly<Record<string, string>>) {
    this.request = request
    this.#named = named
  }

  /** The value of a `:name` in the route. */
  named(name: string): string {
    const value = this.#named[name]
    if (value === undefined) throw new Error(`the route has no :${name}`)
    return value
  }

  /** The body, which must be a JSON object. */
  fields(): Fields {
    const value = parsed(this.request.body)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid('the body must be a JSON object')
    return value as Fields
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('the body is not valid JSON')
  }
}

export interface Match {
  readonly group: Group
  readonly route: Route
  readonly call: Call
}

/** Finds the route of a request. Patterns are taken apart once. */
export function routesOf(groups: readonly Group[]): (request: Request) => Match | undefined {
  const all = groups.flatMap((group) =>
    group.routes.map((route) => {
      const [method, pattern = ''] = route.on.split(' ')
      return { group, route, method, wanted: pattern.split('/') }
    }),
  )
  return (request) => {
    const given = request.path.split('/')
    for (const { group, route, method, wanted } of all) {
      const named = method === request.method && namedParts(wanted, given)
      if (named) return { group, route, call: new Call(request, named) }
    }
    return undefined
  }
}

function namedParts(wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined
  const named: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const text = decoded(given[at] ?? '')
    if (text === undefined) return undefined
    if (!part.startsWith(':')) {
      if (part !== text) return undefined
    } else if (text === '') return undefined
    else named[part.slice(1)] = text
  }
  return named
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
