import { reportTax, validateReference } from '../../modules/tax-reports/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

export const taxReportRoutes = {
  validateReference: defineRoute('POST', '/i/v1/invoices/reference/validate', 'token', validateReference, {
    summary: 'Check an invoice reference at the tax authority',
    description:
      'Checks that the reference fits the template of the business and is not used yet. Registers nothing and costs nothing.',
  }),
  reportTax: defineRoute('POST', '/i/v1/invoices/{id}/tax-report', 'token', reportTax, {
    summary: 'Declare the tax on an invoice to the tax authority',
    description:
      'Needs a connection to the tax authority and a finalised invoice. After a 502 you can send it again: the tax authority takes each declaration only once.',
  }),
}
