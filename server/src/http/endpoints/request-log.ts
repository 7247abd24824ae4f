import { getRequest, listOwnRequests } from '../../modules/request-log/index.ts'
import { endpoint } from '../endpoint.ts'

const requests = '/i/v1/request-log'

export const requestLogEndpoints = {
  list: endpoint('GET', requests, 'user', listOwnRequests, {
    summary: 'Requests of the last seven days, newest first',
    description:
      'Those of the mode of the token, of keys and of people; reading this log is left out. A request stands here about a second after it was answered. It is a help for debugging, not a record: of very many at once some are let go.',
    unlogged: true,
  }),
  get: endpoint('GET', `${requests}/{id}`, 'user', getRequest, {
    summary: 'A request, with what was refused',
    unlogged: true,
  }),
}
