import type { Request } from '../shared/http.ts'
import { Failure, failure, noRoute } from './envelope.ts'
import { type Group, type RouteReply, routesOf } from './routes.ts'

export interface Keys {
  readonly apiKey: string
  readonly apiSecret: string
}

/** All replies of the authority. Checks the route first, then the keys, then the body. */
export function authorityApi(
  groups: readonly Group[],
  holdsKeys: (keys: Keys) => boolean,
): (request: Request) => RouteReply {
  const findRoute = routesOf(groups)
  return (request) => {
    const match = findRoute(request)
    if (match === undefined) return noRoute()
    const { group, route, call } = match
    // 400, not 401
    if (!group.open && !holdsKeys(keysIn(request))) return failure(new Failure(400, 'unable to validate api key'))
    if (request.tooLong) return failure(new Failure(413, 'request body is too large'))
    try {
      return route.handle(call)
    } catch (error) {
      if (error instanceof Failure) return failure(error, group.handler)
      return failure(new Failure(500, `the simulator failed: ${error}`))
    }
  }
}

const keysIn = ({ headers }: Request): Keys => ({
  apiKey: String(headers['x-api-key'] ?? ''),
  apiSecret: String(headers['x-api-secret'] ?? ''),
})
