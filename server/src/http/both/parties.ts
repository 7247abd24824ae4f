import Type from 'typebox'
import type { CodeEntry, Jurisdiction } from '../../jurisdictions/port.ts'
import {
  type PostalAddress,
  partyTypes,
  type TaxNumberCheck,
  taxIdStatuses,
} from '../../modules/tax-identities/index.ts'
import { Country, Fields, Instant, isoOrNull, List, Maybe, Named, named, OneOf, Text, Uuid } from '../fields.ts'

export const PartyTypeField = named('PartyType', OneOf(...partyTypes))
export const TaxIdTypeField = named('TaxIdType', OneOf('tin', 'rn', 'foreign', 'none'))
export const TaxIdStatusField = named('BuyerTaxIdStatus', OneOf(...taxIdStatuses))

export const BuyerAddress = Named('NewAddress', {
  line1: Text(1, 255),
  line2: Type.Optional(Maybe(Text(1, 255))),
  city: Text(1, 100),
  state: Type.Optional(Maybe(Text(1, 100))),
  lga: Type.Optional(Maybe(Text(1, 100))),
  postalCode: Type.Optional(Maybe(Text(1, 20))),
  country: Country,
})

/** The same without what was sent as `null`. */
export const withoutNulls = (address: Type.Static<typeof BuyerAddress>): PostalAddress =>
  Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)) as unknown as PostalAddress

export const AddressView = Maybe(
  Named('Address', {
    line1: Type.String(),
    line2: Type.Optional(Type.String()),
    city: Type.String(),
    state: Type.Optional(Type.String()),
    lga: Type.Optional(Type.String()),
    postalCode: Type.Optional(Type.String()),
    country: Type.String(),
  }),
)
export const toAddress = (address: PostalAddress | null) => (address === null ? null : { ...address })

export const CheckView = Maybe(
  Named('TaxIdCheck', {
    id: Uuid,
    status: OneOf('pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
    taxId: Type.String(),
    registeredName: Maybe(Type.String()),
    startedAt: Instant,
    endedAt: Maybe(Instant),
  }),
)
export const toCheck = (check: TaxNumberCheck) => ({
  id: check.id,
  status: check.status,
  taxId: check.taxId,
  registeredName: check.registeredName,
  startedAt: check.startedAt.toISOString(),
  endedAt: isoOrNull(check.endedAt),
})

export const TaxIdTypesView = List(
  Named('TaxIdKind', { type: TaxIdTypeField, label: Type.String(), sample: Maybe(Type.String()) }),
)
/** Called `sample` here: linters take an object with a `type` and an `example` for a schema. */
export const toTaxIdTypes = (types: Jurisdiction['taxIds']['types']) =>
  types.map(({ type, label, example }) => ({ type, label, sample: example }))
export const CountriesView = List(Named('Country', { code: Type.String(), name: Type.String() }))
export const toCountries = (entries: readonly CodeEntry[]) => entries.map(({ code, name }) => ({ code, name }))

export const SearchQuery = {
  q: Text(2, 100),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
}
export const searchLimit = 10

/** Distinct ids, at least one and at most a hundred. */
export const ManyIds = Fields({ ids: Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }) })

/** A short list is one page. */
export const wholePage = (rows: readonly unknown[]) => ({
  page: 1,
  limit: Math.max(rows.length, 1),
  total: rows.length,
})
