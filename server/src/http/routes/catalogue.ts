import { catalogueOperations } from '../../modules/catalogue/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const plans = '/b/v1/plans'

export const catalogueRoutes = {
  listOffers: defineRoute('GET', plans, 'public', catalogueOperations.listOffers, {
    summary: 'List plans and credit packages with their prices',
  }),
  listCosts: defineRoute('GET', `${plans}/credit-costs`, 'public', catalogueOperations.listCosts, {
    summary: 'List what each billable action costs',
    description: 'Costs are in credits, so the currency and interval filters change nothing here.',
  }),
  listPackages: defineRoute('GET', `${plans}/packages`, 'public', catalogueOperations.listPackages, {
    summary: 'List credit packages',
  }),
  getPackage: defineRoute('GET', `${plans}/packages/{id}`, 'public', catalogueOperations.getPackage, {
    summary: 'Get a credit package',
  }),
  listPlans: defineRoute('GET', `${plans}/subscriptions`, 'public', catalogueOperations.listPlans, {
    summary: 'List plans',
  }),
  getPlan: defineRoute('GET', `${plans}/subscriptions/{code}`, 'public', catalogueOperations.getPlan, {
    summary: 'Get a plan',
  }),
}
