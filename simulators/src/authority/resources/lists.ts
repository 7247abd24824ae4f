import { countries } from './countries.ts'
import { currencies } from './currencies.ts'
import { hsCodes } from './hs-codes.ts'
import { invoiceTypes } from './invoice-types.ts'
import { lgas } from './lgas.ts'
import { paymentMeans } from './payment-means.ts'
import { quantityCodes } from './quantity-codes.ts'
import { servicesCodes } from './services-codes.ts'
import { states } from './states.ts'
import { taxCategories } from './tax-categories.ts'
import { vatExemptions } from './vat-exemptions.ts'

export type Entry = Readonly<Record<string, unknown>>

/** By the last part of the route. Short ones, but as dirty as the real ones are: see the README. */
export const lists = {
  countries,
  currencies,
  'invoice-types': invoiceTypes,
  'services-codes': servicesCodes,
  'vat-exemptions': vatExemptions,
  'payment-means': paymentMeans,
  'tax-categories': taxCategories,
  'hs-codes': hsCodes,
  lgas,
  states,
  'invoice-quantity-codes': quantityCodes,
} satisfies Record<string, readonly Entry[]>

export type ListName = keyof typeof lists

export const listNames = Object.keys(lists) as readonly ListName[]

export const isListName = (name: string): name is ListName => Object.hasOwn(lists, name)
