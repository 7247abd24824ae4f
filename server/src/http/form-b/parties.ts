import Type from 'typebox'
import type { PostalAddress } from '../../modules/tax-identities/index.ts'
import { PartyTypeField } from '../both/parties.ts'
import { Country, Email, Maybe, Named, Prose, Text, WebAddress } from '../fields.ts'

export const Address = Named('NewAddress', {
  line1: Text(1, 255),
  line2: Type.Optional(Text(1, 255)),
  city: Text(1, 100),
  state: Type.Optional(Text(1, 100)),
  postalCode: Type.Optional(Text(1, 20)),
  country: Country,
})

/** What Form B says of a seller and of a buyer alike, in its own words. */
export const partyFields = {
  tradingName: Type.Optional(Maybe(Text(1, 255))),
  partyType: Type.Optional(PartyTypeField),
  vatNumber: Type.Optional(Maybe(Text(1, 50))),
  registrationNumber: Type.Optional(Maybe(Text(1, 100))),
  website: Type.Optional(Maybe(WebAddress)),
  notes: Type.Optional(Maybe(Prose(0, 1000))),
}
export const PartyName = Text(1, 255)
export const PartyEmail = Email(255)
/** As people write phone numbers; Form B asks for no more than their length. */
export const PartyPhone = Text(1, 50)

/** What Form B calls the fields that the core may find fault with. */
export const fieldNames = { name: 'partyName', taxId: 'taxNumber', phone: 'phoneNumber', address: 'postalAddress' }

interface PartyBody {
  partyName?: string
  tradingName?: string | null
  partyType?: 'individual' | 'company' | 'partnership' | 'non_profit' | 'government'
  vatNumber?: string | null
  registrationNumber?: string | null
  email?: string
  phoneNumber?: string
  website?: string | null
  postalAddress?: PostalAddress
  notes?: string | null
}

/** The same fields under the core's names; what is absent stays absent. */
export const toCore = (body: PartyBody) => ({
  ...(body.partyName === undefined ? {} : { name: body.partyName }),
  ...(body.tradingName === undefined ? {} : { tradingName: body.tradingName }),
  ...(body.partyType === undefined ? {} : { partyType: body.partyType }),
  ...(body.vatNumber === undefined ? {} : { vatNumber: body.vatNumber }),
  ...(body.registrationNumber === undefined ? {} : { registrationNumber: body.registrationNumber }),
  ...(body.email === undefined ? {} : { email: body.email }),
  ...(body.phoneNumber === undefined ? {} : { phone: body.phoneNumber }),
  ...(body.website === undefined ? {} : { website: body.website }),
  ...(body.postalAddress === undefined ? {} : { address: body.postalAddress }),
  ...(body.notes === undefined ? {} : { notes: body.notes }),
})
