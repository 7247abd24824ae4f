import Type from 'typebox'
import {
  type CatalogueFilter,
  type CreditPackage,
  currencies,
  intervals,
  type Plan,
} from '../../modules/catalogue/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields, List, MinorUnits, means, Named, OneOf, Text, Uuid } from '../definitions/fields.ts'
import { catalogueRoutes as routes } from '../routes/catalogue.ts'

export const CurrencyField = OneOf(...currencies)
export const IntervalField = OneOf(...intervals)
export const Credits = Type.Integer()

const filters = {
  currency: means(
    'Only prices in this currency, as an ISO 4217 code. All currencies if left out.',
    Type.Optional(CurrencyField),
  ),
  interval: means(
    'Only plan prices for this interval: `monthly` or `yearly`. Both if left out.',
    Type.Optional(IntervalField),
  ),
}
const Filter = Fields(filters)
const filterFrom = ({ currency, interval }: CatalogueFilter): CatalogueFilter => ({ currency, interval })

const PlanView = Named('Plan', {
  code: means('Code of the plan, such as `starter`. A code is never reused.', Type.String()),
  name: means('Name of the plan, for display.', Type.String()),
  description: means('Whom the plan is for, in one sentence.', Type.String()),
  monthlyCredits: means('Credits that a subscription adds to the live balance every month.', Credits),
  prices: means(
    'Price for each currency and interval. Empty for the free plan.',
    List(
      Fields({
        currency: means('Currency of the price, as an ISO 4217 code.', CurrencyField),
        interval: means('How often the price is paid: `monthly` or `yearly`.', IntervalField),
        amountMinor: means('Price for one interval, in minor units such as cents.', MinorUnits),
      }),
    ),
  ),
})
const PackageView = Named('CreditPackage', {
  id: means('Unique identifier of the package (UUID). It is never reused.', Uuid),
  name: means('Name of the package, for display.', Type.String()),
  credits: means('Number of credits in the package.', Credits),
  featured: means('Whether price pages show this package first.', Type.Boolean()),
  prices: means(
    'One price for each currency.',
    List(
      Fields({
        currency: means('Currency of the price, as an ISO 4217 code.', CurrencyField),
        amountMinor: means('Price of the package, in minor units such as cents.', MinorUnits),
      }),
    ),
  ),
})

const toPlan = ({ code, name, description, monthlyCredits, prices }: Plan) => ({
  code,
  name,
  description,
  monthlyCredits: Number(monthlyCredits),
  prices: prices.map(({ currency, interval, amountMinor }) => ({
    currency,
    interval,
    amountMinor: Number(amountMinor),
  })),
})
const toPackage = ({ id, name, credits, featured, prices }: CreditPackage) => ({
  id,
  name,
  credits: Number(credits),
  featured,
  prices: prices.map(({ currency, amountMinor }) => ({ currency, amountMinor: Number(amountMinor) })),
})

/** These lists are short, so each is a single page. */
const wholeList = (list: readonly unknown[]) => ({ page: 1, limit: Math.max(list.length, 1), total: list.length })

export const catalogue = {
  listOffers: describeRoute(routes.listOffers, {
    status: 200,
    query: Filter,
    reply: Fields({
      plans: means('Plans, which add credits every month.', List(PlanView)),
      packages: means('Packages of credits, which are bought once.', List(PackageView)),
    }),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: ({ plans, packages }) => ({ plans: plans.map(toPlan), packages: packages.map(toPackage) }),
  }),
  listCosts: describeRoute(routes.listCosts, {
    status: 200,
    query: Filter,
    reply: List(
      Fields({
        section: means('Heading of this group of actions, for display.', Type.String()),
        actions: means(
          'Billable actions of this group.',
          List(
            Fields({
              action: means('Name of the action, such as `invoice.submit`.', Type.String()),
              label: means('Name of the action, for display.', Type.String()),
              credits: means('Number of credits that one such action costs.', Credits),
            }),
          ),
        ),
      }),
    ),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: (sections) =>
      sections.map(({ section, actions }) => ({
        section,
        actions: actions.map(({ action, label, credits }) => ({ action, label, credits: Number(credits) })),
      })),
    pagination: wholeList,
  }),
  listPackages: describeRoute(routes.listPackages, {
    status: 200,
    query: Fields({
      ...filters,
      featured: means(
        'Only packages that price pages show first (`true`), or only others (`false`).',
        Type.Optional(Type.Boolean()),
      ),
    }),
    reply: List(PackageView),
    decode: ({ query }) => ({ filter: filterFrom(query), featured: query.featured }),
    encode: (list) => list.map(toPackage),
    pagination: wholeList,
  }),
  getPackage: describeRoute(routes.getPackage, {
    status: 200,
    params: Fields({ id: means('Identifier of the package (UUID).', Uuid) }),
    query: Filter,
    reply: PackageView,
    decode: ({ params, query }) => ({ id: params.id, filter: filterFrom(query) }),
    encode: toPackage,
  }),
  listPlans: describeRoute(routes.listPlans, {
    status: 200,
    query: Filter,
    reply: List(PlanView),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: (list) => list.map(toPlan),
    pagination: wholeList,
  }),
  getPlan: describeRoute(routes.getPlan, {
    status: 200,
    params: Fields({ code: means('Code of the plan, such as `starter`.', Text(1, 50)) }),
    query: Filter,
    reply: PlanView,
    decode: ({ params, query }) => ({ code: params.code, filter: filterFrom(query) }),
    encode: toPlan,
  }),
}
