import { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from '../../modules/catalogue/index.ts'
import { endpoint } from '../endpoint.ts'

const plans = '/b/v1/plans'

export const catalogueEndpoints = {
  listOffers: endpoint('GET', plans, 'public', listOffers, { summary: 'Plans and packages of credits, with prices' }),
  listCosts: endpoint('GET', `${plans}/credit-costs`, 'public', listCosts, {
    summary: 'What each billable action costs',
    description: 'In credits, so that the filters of the other lists change nothing here.',
  }),
  listPackages: endpoint('GET', `${plans}/packages`, 'public', listPackages, { summary: 'Packages of credits' }),
  getPackage: endpoint('GET', `${plans}/packages/{id}`, 'public', getPackage, { summary: 'A package of credits' }),
  listPlans: endpoint('GET', `${plans}/subscriptions`, 'public', listPlans, { summary: 'Plans' }),
  getPlan: endpoint('GET', `${plans}/subscriptions/{code}`, 'public', getPlan, { summary: 'A plan' }),
}
