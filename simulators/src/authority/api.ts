import type { Reply, Request } from '../shared/http.ts'
import { Failure, failure, noRoute } from './envelope.ts'
import { entityRoutes } from './routes/entity.ts'
import { healthRoutes } from './routes/health.ts'
import { resourceRoutes } from './routes/resources.ts'
import { transmitRoutes } from './routes/transmit.ts'
import { utilityRoutes } from './routes/utilities.ts'
import { findRoute, type Group } from './routes.ts'
import type { Authority } from './state.ts'

export interface Keys {
  readonly apiKey: string
  readonly apiSecret: string
}

/** Everything the authority answers. A route is looked for first, then the keys are, then the body. */
export function authorityApi(authority: Authority, keys: Keys): (request: Request) => Reply {
  const groups: readonly Group[] = [
    healthRoutes,
    resourceRoutes(authority),
    entityRoutes(authority),
    utilityRoutes,
    transmitRoutes,
  ]
  return (request) => {
    const match = findRoute(groups, request)
    if (match === undefined) return noRoute()
    const { group, route, call } = match
    // 400, not 401
    if (!group.open && !holdsKeys(request, keys)) return failure(new Failure(400, 'unable to validate api key'))
    if (request.tooLong) return failure(new Failure(413, 'request body is too large'))
    try {
      return route.handle(call)
    } catch (error) {
      if (error instanceof Failure) return failure(error, group.handler)
      return failure(new Failure(500, `the simulator failed: ${error}`))
    }
  }
}

const holdsKeys = ({ headers }: Request, { apiKey, apiSecret }: Keys): boolean =>
  headers['x-api-key'] === apiKey && headers['x-api-secret'] === apiSecret
