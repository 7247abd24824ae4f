import {
  analyseReceivedInvoices,
  getReceivedInvoice,
  listReceivedInvoices,
  loadOlderReceived,
  sendFromOutside,
} from '../../modules/received-invoices/index.ts'
import { endpoint } from '../endpoint.ts'

const inbound = '/i/v1/inbound-invoices'

export const receivedInvoiceEndpoints = {
  list: endpoint('GET', inbound, 'both', listReceivedInvoices, {
    summary: 'Invoices that other businesses sent',
    description:
      'From our own records alone: where the tax authority does not answer, they are shown as they are and `sync.error` says why. Free.',
  }),
  analyse: endpoint('GET', `${inbound}/analytics`, 'both', analyseReceivedInvoices, {
    summary: 'What other businesses have invoiced',
    description:
      'Figures in minor units of `reportingCurrency`: the one of the filter, or else the most common. Credit notes count as less. Free.',
  }),
  loadOlder: endpoint('POST', `${inbound}/load-older`, 'both', loadOlderReceived, {
    summary: 'Read one more page of what was sent before',
    description:
      'What is on its way comes by itself; this reads what was sent before the organisation was connected. `hasMore: false` means that there is nothing older.',
  }),
  get: endpoint('GET', `${inbound}/{id}`, 'both', getReceivedInvoice, {
    summary: 'One received invoice, with the authority’s copy',
    description:
      'By its id, or by the authority’s reference. One that has not come through yet is asked for by its reference; 503 only where that is not possible.',
  }),
  sendFromOutside: endpoint('POST', '/sandbox/v1/received-invoices', 'both', sendFromOutside, {
    summary: 'Have another business send an invoice',
    description:
      'For trying things out, with sandbox tokens: another business on the simulated network sends an invoice, which comes through the feed a moment later. Everything may be left out.',
  }),
}
