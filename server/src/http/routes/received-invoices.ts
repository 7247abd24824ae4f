import { receivedInvoiceOperations } from '../../modules/received-invoices/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const inbound = '/i/v1/inbound-invoices'

export const receivedInvoiceRoutes = {
  list: defineRoute('GET', inbound, 'token', receivedInvoiceOperations.listReceivedInvoices, {
    summary: 'List invoices received from other businesses',
    description:
      'The list comes from our own records. If the tax authority does not answer, `sync.error` says why the list may be incomplete. This costs no credits.',
  }),
  analyse: defineRoute('GET', `${inbound}/analytics`, 'token', receivedInvoiceOperations.analyseReceivedInvoices, {
    summary: 'Get totals of received invoices',
    description:
      'Figures are in minor units of `reportingCurrency`: the currency of the filter, or else the most common one. Credit notes are subtracted. This costs no credits.',
  }),
  loadOlder: defineRoute('POST', `${inbound}/load-older`, 'token', receivedInvoiceOperations.loadOlderReceived, {
    summary: 'Load one more page of older invoices',
    description:
      'New invoices arrive automatically. This request loads up to 10 invoices that were sent before the organisation was connected. `hasMore: false` means that there are no older ones.',
  }),
  get: defineRoute('GET', `${inbound}/{id}`, 'token', receivedInvoiceOperations.getReceivedInvoice, {
    summary: 'Get a received invoice with the authority’s copy',
    description:
      'Name the invoice by its id or its authority reference. An invoice that has not arrived yet is fetched from the authority by its reference. If the authority does not answer, the reply is 503.',
  }),
  sendFromOutside: defineRoute(
    'POST',
    '/sandbox/v1/received-invoices',
    'token',
    receivedInvoiceOperations.sendFromOutside,
    {
      summary: 'Simulate an invoice from another business',
      description:
        'For tests, with sandbox tokens only. A business on the simulated network sends you an invoice, which arrives a moment later. Every field is optional.',
    },
  ),
}
