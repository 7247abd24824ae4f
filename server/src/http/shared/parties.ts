import Type from 'typebox'
import type { CodeEntry, Jurisdiction } from '../../jurisdictions/port.ts'
import { languageCodes } from '../../kernel/languages/languages.ts'
import { partyTypes, type TaxNumberCheck, taxIdStatuses } from '../../modules/tax-identities/index.ts'
import {
  Country,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  named,
  OneOf,
  SearchWords,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { toTaxIdType, wireTaxIdTypes } from './contract-words.ts'
import { meaningOf } from './value-meanings.ts'

export const PartyTypeField = named(
  'PartyType',
  means(`What a buyer or seller is: ${meaningOf.partyTypes}.`, OneOf(...partyTypes)),
)
export const TaxIdTypeField = named(
  'TaxIdType',
  means(`Kind of tax number. ${meaningOf.taxIdTypes}`, OneOf(...wireTaxIdTypes)),
)
export const TaxIdStatusField = named(
  'BuyerTaxIdStatus',
  means(
    `What is known of a tax number. ${meaningOf.taxIdStatuses} \`valid_off_network\` and \`checking\` are reserved.`,
    OneOf(...taxIdStatuses),
  ),
)

export const LanguageField = named(
  'Language',
  means(
    'Language of documents, public pages and mails for a buyer, by its ISO 639-1 code: English (`en`), French (`fr`), Hausa (`ha`), Yoruba (`yo`), Igbo (`ig`), Portuguese (`pt`) or Arabic (`ar`).',
    OneOf(...languageCodes),
  ),
)

export const BuyerAddress = Named('NewAddress', {
  line1: means('Street and house number.', Text(1, 255)),
  line2: Type.Optional(means('Second line, such as a floor or a building.', Maybe(Text(1, 255)))),
  city: means('City or town of the address.', Text(1, 100)),
  state: Type.Optional(
    means('State or province. In Nigeria a code or a name of the code list `states`.', Maybe(Text(1, 100))),
  ),
  lga: Type.Optional(
    means('Local government area, in Nigeria. A code or a name of the code list `lgas`.', Maybe(Text(1, 100))),
  ),
  postalCode: Type.Optional(means('Postal code of the address.', Maybe(Text(1, 20)))),
  country: means('Country of the address.', Country),
})

export const AddressView = Maybe(
  Named('Address', {
    line1: means('Street and house number.', Type.String()),
    line2: Type.Optional(means('Second line, such as a floor or a building.', Type.String())),
    city: means('City or town of the address.', Type.String()),
    state: Type.Optional(means('State or province of the address.', Type.String())),
    lga: Type.Optional(means('Local government area, in Nigeria.', Type.String())),
    postalCode: Type.Optional(means('Postal code of the address.', Type.String())),
    country: means('Country of the address, as a code of ISO 3166-1 such as `NG`.', Type.String()),
  }),
)

export const CheckView = Maybe(
  Named('TaxIdCheck', {
    id: means('Unique identifier of the check (UUIDv7).', Uuid),
    status: means(
      '`pending`: the check runs. `verified`: the authority knows the number under this name. `not_found`: it does not know the number. `name_mismatch`: registered under another name. `unavailable`: the authority did not answer.',
      OneOf('pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'),
    ),
    taxId: means('Tax number that is checked.', Type.String()),
    registeredName: means(
      'Name that the authority has for the tax number. Null if it gave none.',
      Maybe(Type.String()),
    ),
    startedAt: means('When the check was started.', Instant),
    endedAt: means('When the check ended. Null while it runs.', Maybe(Instant)),
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
  Named('TaxIdKind', {
    type: means('Kind of tax number, as requests give it.', TaxIdTypeField),
    label: means('Name of the kind of tax number, for people.', Type.String()),
    sample: means('Example of a tax number of this kind. Null if there is none.', Maybe(Type.String())),
  }),
)
/** Named `sample`: linters read an object with `type` and `example` as a schema. */
export const toTaxIdTypes = (types: Jurisdiction['taxIds']['types']) =>
  types.map(({ type, label, example }) => ({ type: toTaxIdType(type), label, sample: example }))
export const CountriesView = List(
  Named('Country', {
    code: means('Code of the country (ISO 3166-1 alpha-2), such as `NG`.', Type.String()),
    name: means('Name of the country, in English.', Type.String()),
  }),
)
export const toCountries = (entries: readonly CodeEntry[]) => entries.map(({ code, name }) => ({ code, name }))

export const SearchQuery = {
  q: means('Words to search for in names and tax numbers, 2 to 100 characters.', SearchWords(2, 100)),
  limit: Type.Optional(means('Number of results at most.', Type.Integer({ minimum: 1, maximum: 20, default: 10 }))),
}
export const searchLimit = 10

export const ManyIds = Fields({
  ids: means(
    'Unique identifiers of what to delete, 1 to 100.',
    Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
  ),
})

export const wholePage = (rows: readonly unknown[]) => ({
  page: 1,
  limit: Math.max(rows.length, 1),
  total: rows.length,
})
