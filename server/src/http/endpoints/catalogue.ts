import { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from '../../modules/catalogue/index.ts'
import { endpoint } from '../endpoint.ts'

const plans = '/b/v1/plans'

export const catalogueEndpoints = {
  listOffers: endpoint('GET', plans, 'public', listOffers, {
    summary: 'List plans and credit packages with their prices',
  }),
  listCosts: endpoint('GET', `${plans}/credit-costs`, 'public', listCosts, {
    summary: 'List what each billable action costs',
    description: 'Costs are in credits, so the currency and interval filters change nothing here.',
  }),
  listPackages: endpoint('GET', `${plans}/packages`, 'public', listPackages, { summary: 'List credit packages' }),
  getPackage: endpoint('GET', `${plans}/packages/{id}`, 'public', getPackage, { summary: 'Get a credit package' }),
  listPlans: endpoint('GET', `${plans}/subscriptions`, 'public', listPlans, { summary: 'List plans' }),
  getPlan: endpoint('GET', `${plans}/subscriptions/{code}`, 'public', getPlan, { summary: 'Get a plan' }),
}
