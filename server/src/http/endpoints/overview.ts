import { getOverview } from '../../modules/overview/index.ts'
import { endpoint } from '../endpoint.ts'

export const overviewEndpoints = {
  get: endpoint('GET', '/i/v1/overview', 'both', getOverview, {
    summary: 'How business stands',
    description:
      'Of the last twelve months what was invoiced, its tax, and what of it has been paid; what is left to pay, by how long it has been due; what has to be reported soon, what nobody knows the outcome of, and whether the tax authority can be reached. Exact at any moment, and as fast for a million invoices as for a few.',
  }),
}
