import { getOverview } from '../../modules/overview/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

export const overviewRoutes = {
  get: defineRoute('GET', '/i/v1/overview', 'token', getOverview, {
    summary: 'Get the key figures of the business',
    description:
      'Has the amounts invoiced, taxed and paid in the last twelve months, and the amounts left to pay by age. Also has the documents to report soon, submissions with an unknown outcome and outages of the tax authority. The figures are exact at any moment.',
  }),
}
