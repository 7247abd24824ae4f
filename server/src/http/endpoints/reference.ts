import { listProductCategories, readAllLists, readList, searchProductCodes } from '../../modules/reference/index.ts'
import { lookUpTaxId } from '../../modules/tax-identities/index.ts'
import { endpoint } from '../endpoint.ts'

const invoices = '/i/v1/invoices'

export const referenceEndpoints = {
  searchProductCodes: endpoint('GET', `${invoices}/hsn-codes`, 'both', searchProductCodes, {
    summary: 'Search product codes',
    description: 'HS codes, by words, digits or category.',
  }),
  listProductCategories: endpoint('GET', `${invoices}/hsn-codes/categories`, 'both', listProductCategories, {
    summary: 'Categories of product codes, with how many codes each has',
  }),
  readAllLists: endpoint('GET', `${invoices}/resources`, 'both', readAllLists, {
    summary: 'All code lists',
    description: 'Sent compressed to those who take it; `If-None-Match` with the ETag you hold answers 304.',
  }),
  readList: endpoint('GET', `${invoices}/resources/{type}`, 'both', readList, {
    summary: 'A code list',
    description: 'Sent compressed to those who take it; `If-None-Match` with the ETag you hold answers 304.',
  }),
  lookUpTaxId: endpoint('GET', `${invoices}/lookup/tax-id/{value}`, 'both', lookUpTaxId, {
    summary: 'Who is registered under a tax number',
    description: 'Asks the tax authority. Charged when it answers; a repetition with the same Idempotency-Key is not.',
    idempotent: true,
  }),
}
