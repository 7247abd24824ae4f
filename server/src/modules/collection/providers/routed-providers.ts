import type { CollectionProvider, CollectionProviders } from './collection-provider.ts'

/** The first provider in the list that serves a place is the default. */
export const routedProviders = (all: readonly CollectionProvider[]): CollectionProviders => ({
  all,
  route: ({ jurisdiction, currency, mode, preferred }) =>
    all.find(
      (one) =>
        one.country === jurisdiction &&
        one.mode === mode &&
        one.currencies.includes(currency) &&
        (preferred === undefined || one.name === preferred),
    ),
  named: (name, mode) => all.find((one) => one.name === name && one.mode === mode),
})
