import Type from 'typebox'
import {
  type CatalogueFilter,
  type CreditPackage,
  currencies,
  intervals,
  type Plan,
} from '../../modules/catalogue/index.ts'
import { catalogueEndpoints as endpoints } from '../endpoints/catalogue.ts'
import { Fields, List, MinorUnits, Named, OneOf, Text, Uuid } from '../fields.ts'
import { speak } from '../speak.ts'

export const CurrencyField = OneOf(...currencies)
export const IntervalField = OneOf(...intervals)
export const Credits = Type.Integer({ description: 'a whole number of credits' })

const filters = { currency: Type.Optional(CurrencyField), interval: Type.Optional(IntervalField) }
const Filter = Fields(filters)
const filterFrom = ({ currency, interval }: CatalogueFilter): CatalogueFilter => ({ currency, interval })

const PlanView = Named('Plan', {
  code: Type.String(),
  name: Type.String(),
  description: Type.String(),
  monthlyCredits: Credits,
  prices: List(Fields({ currency: CurrencyField, interval: IntervalField, amountMinor: MinorUnits })),
})
const PackageView = Named('CreditPackage', {
  id: Uuid,
  name: Type.String(),
  credits: Credits,
  featured: Type.Boolean(),
  prices: List(Fields({ currency: CurrencyField, amountMinor: MinorUnits })),
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

/** A short list is one page. */
const wholeList = (list: readonly unknown[]) => ({ page: 1, limit: Math.max(list.length, 1), total: list.length })

export const catalogue = {
  listOffers: speak(endpoints.listOffers, {
    status: 200,
    query: Filter,
    reply: Fields({ plans: List(PlanView), packages: List(PackageView) }),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: ({ plans, packages }) => ({ plans: plans.map(toPlan), packages: packages.map(toPackage) }),
  }),
  listCosts: speak(endpoints.listCosts, {
    status: 200,
    query: Filter,
    reply: List(
      Fields({
        section: Type.String(),
        actions: List(Fields({ action: Type.String(), label: Type.String(), credits: Credits })),
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
  listPackages: speak(endpoints.listPackages, {
    status: 200,
    query: Fields({ ...filters, featured: Type.Optional(Type.Boolean()) }),
    reply: List(PackageView),
    decode: ({ query }) => ({ filter: filterFrom(query), featured: query.featured }),
    encode: (list) => list.map(toPackage),
    pagination: wholeList,
  }),
  getPackage: speak(endpoints.getPackage, {
    status: 200,
    params: Fields({ id: Uuid }),
    query: Filter,
    reply: PackageView,
    decode: ({ params, query }) => ({ id: params.id, filter: filterFrom(query) }),
    encode: toPackage,
  }),
  listPlans: speak(endpoints.listPlans, {
    status: 200,
    query: Filter,
    reply: List(PlanView),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: (list) => list.map(toPlan),
    pagination: wholeList,
  }),
  getPlan: speak(endpoints.getPlan, {
    status: 200,
    params: Fields({ code: Text(1, 50) }),
    query: Filter,
    reply: PlanView,
    decode: ({ params, query }) => ({ code: params.code, filter: filterFrom(query) }),
    encode: toPlan,
  }),
}
