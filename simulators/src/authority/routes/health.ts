import { jsonReply } from '../../shared/http.ts'
import type { Group } from '../routes.ts'

export const healthRoutes: Group = {
  handler: 'handler',
  open: true,
  routes: [{ on: 'GET /api', handle: () => jsonReply(200, { healthy: true }) }],
}
