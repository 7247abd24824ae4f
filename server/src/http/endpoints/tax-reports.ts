import { reportTax, validateReference } from '../../modules/tax-reports/index.ts'
import { endpoint } from '../endpoint.ts'

export const taxReportEndpoints = {
  validateReference: endpoint('POST', '/i/v1/invoices/reference/validate', 'both', validateReference, {
    summary: 'Have a reference checked by the tax authority',
    description:
      'Whether it fits the template of the business and is free. Nothing is registered by asking, and it costs nothing.',
  }),
  reportTax: endpoint('POST', '/i/v1/invoices/{id}/tax-report', 'both', reportTax, {
    summary: 'Declare the tax on an invoice to the tax authority',
    description:
      'Needs a connection, and an invoice that is no draft. Where no clear answer comes (502), it may be sent again: the authority takes a declaration once.',
  }),
}
