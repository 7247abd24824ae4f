import { listProductCategories, readAllLists, readList, searchProductCodes } from '../../modules/reference/index.ts'
import { lookUpTaxId } from '../../modules/tax-identities/index.ts'
import { endpoint } from '../endpoint.ts'

const invoices = '/i/v1/invoices'

export const referenceEndpoints = {
  searchProductCodes: endpoint('GET', `${invoices}/hsn-codes`, 'both', searchProductCodes, {
    summary: 'Search product codes',
    description: 'Finds customs codes (HS) by words, digits or category.',
  }),
  listProductCategories: endpoint('GET', `${invoices}/hsn-codes/categories`, 'both', listProductCategories, {
    summary: 'List categories of product codes',
  }),
  readAllLists: endpoint('GET', `${invoices}/resources`, 'both', readAllLists, {
    summary: 'Get all code lists',
    description:
      'Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.',
  }),
  readList: endpoint('GET', `${invoices}/resources/{type}`, 'both', readList, {
    summary: 'Get a code list',
    description:
      'Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.',
  }),
  lookUpTaxId: endpoint('GET', `${invoices}/lookup/tax-id/{value}`, 'both', lookUpTaxId, {
    summary: 'Look up a tax number',
    description:
      'Asks the tax authority who is registered under the number. Costs credits if it answers. A repeat with the same Idempotency-Key is free.',
    idempotent: true,
  }),
}
