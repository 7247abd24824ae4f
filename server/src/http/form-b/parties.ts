import Type from 'typebox'
import type { PostalAddress } from '../../modules/tax-identities/index.ts'
import { Country, Email, Maybe, means, Named, Prose, Text, WebAddress } from '../definitions/fields.ts'
import { PartyTypeField } from '../shared/parties.ts'

export const Address = Named('NewAddress', {
  line1: means('Street and house number.', Text(1, 255)),
  line2: Type.Optional(means('Second line, such as a floor or a building.', Text(1, 255))),
  city: means('City or town of the address.', Text(1, 100)),
  state: Type.Optional(
    means('State or province. In Nigeria a code or a name of the code list `states`.', Text(1, 100)),
  ),
  postalCode: Type.Optional(means('Postal code of the address.', Text(1, 20))),
  country: means('Country of the address.', Country),
})

/** Fields that sellers and buyers of Form B share. */
export const partyFields = {
  tradingName: Type.Optional(means('Name that customers know the party by.', Maybe(Text(1, 255)))),
  partyType: Type.Optional(
    means('What the party is. If you leave it out: `individual` for a buyer, `company` for a seller.', PartyTypeField),
  ),
  vatNumber: Type.Optional(means('Number for value-added tax.', Maybe(Text(1, 50)))),
  registrationNumber: Type.Optional(means('Number in the register of companies.', Maybe(Text(1, 100)))),
  website: Type.Optional(means('Website of the party.', Maybe(WebAddress))),
  notes: Type.Optional(means('Your own remarks on the party.', Maybe(Prose(0, 1000)))),
}
export const PartyName = Text(1, 255)
export const PartyEmail = Email(255)
/** Form B checks only the length of a phone number. */
export const PartyPhone = Text(1, 50)

/** Form B's names of fields, for faults that the core reports. */
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

/** The same fields under the core's names. An absent field stays absent. */
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
