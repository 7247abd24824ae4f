import { referenceOperations } from '../../modules/reference/index.ts'
import { taxIdentityOperations } from '../../modules/tax-identities/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const invoices = '/i/v1/invoices'

export const referenceRoutes = {
  listJurisdictions: defineRoute('GET', '/i/v1/jurisdictions', 'public', referenceOperations.listJurisdictions, {
    summary: 'List the countries that Risiti serves',
    description: 'Each country with its currencies, kinds of invoice, usual tax categories, defaults and words.',
  }),
  searchProductCodes: defineRoute('GET', `${invoices}/hsn-codes`, 'token', referenceOperations.searchProductCodes, {
    summary: 'Search product codes',
    description: 'Finds customs codes (HS) by words, digits or category.',
  }),
  listProductCategories: defineRoute(
    'GET',
    `${invoices}/hsn-codes/categories`,
    'token',
    referenceOperations.listProductCategories,
    {
      summary: 'List categories of product codes',
    },
  ),
  readAllLists: defineRoute('GET', `${invoices}/resources`, 'token', referenceOperations.readAllLists, {
    summary: 'Get all code lists',
    description:
      'Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.',
  }),
  readList: defineRoute('GET', `${invoices}/resources/{type}`, 'token', referenceOperations.readList, {
    summary: 'Get a code list',
    description:
      'Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.',
  }),
  lookUpTaxId: defineRoute('GET', `${invoices}/lookup/tax-id/{value}`, 'token', taxIdentityOperations.lookUpTaxId, {
    summary: 'Look up a tax number',
    description:
      'Asks the tax authority who is registered under the number. Costs credits if it answers. A repeat with the same Idempotency-Key is free.',
    idempotent: true,
  }),
}
