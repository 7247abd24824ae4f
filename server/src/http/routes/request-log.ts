import { getRequest, listOwnRequests } from '../../modules/request-log/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const requests = '/i/v1/request-log'

export const requestLogRoutes = {
  list: defineRoute('GET', requests, 'user_or_program', listOwnRequests, {
    summary: 'List requests of the last seven days, newest first',
    description:
      'Requests of API keys and of people, in the mode of the token. Reading this log is not logged. A request appears about a second after its reply. The log helps with debugging and is not a complete record: under heavy load some requests are left out.',
    unlogged: true,
  }),
  get: defineRoute('GET', `${requests}/{id}`, 'user_or_program', getRequest, {
    summary: 'Get a request with its error',
    unlogged: true,
  }),
}
