import type { Buyer, Jurisdiction, Language, NewBuyer, PartyType, TaxIdType } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { AddressFields, addressIn } from '../../ui/address-fields.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { internationalPhone } from '../../ui/phone.ts'
import { languageWords, standardLanguage } from './languages.ts'
import '../../ui/form.css'

const partyTypes: readonly (readonly [PartyType, string])[] = [
  ['company', 'A company'],
  ['individual', 'A person'],
  ['partnership', 'A partnership'],
  ['non_profit', 'A non-profit'],
  ['government', 'A public body'],
]

type Fields = ReturnType<typeof fieldsOf>

function buyerIn(fields: Fields, country: Jurisdiction): NewBuyer {
  const { text, maybe } = fields
  const chosen = text('taxIdType') as TaxIdType
  const taxId = chosen === 'none' ? undefined : maybe('taxId')
  const phone = maybe('phone')
  return {
    name: text('name'),
    partyType: text('partyType') as PartyType,
    // A kind without a number would say nothing.
    taxIdType: taxId === undefined ? 'none' : chosen,
    taxId: taxId ?? null,
    email: maybe('email') ?? null,
    phone: phone === undefined ? null : internationalPhone(phone, country),
    reference: maybe('reference') ?? null,
    address: addressIn(fields) ?? null,
    language: text('language') as Language,
  }
}

/** Without `buyer`, the form creates a new one. */
export function BuyerForm({
  buyer,
  name,
  isShort = false,
  onDone,
}: {
  readonly buyer?: Buyer | undefined
  /** the name of a new buyer, as typed elsewhere */
  readonly name?: string | undefined
  /** shows only what the tax authority needs; the other fields are under "More" */
  readonly isShort?: boolean
  readonly onDone: (buyer: Buyer) => void
}) {
  const own = useCountry()
  const { country, taxIdTypes, phonePrefix, districtName } = own
  const saving = useMutation({
    mutationFn: async (given: NewBuyer) =>
      buyer ? await risiti.buyers.update(buyer.id, given) : await risiti.buyers.create(given),
    onSuccess: onDone,
  })
  const faults = faultsOf(saving.error)
  const kind = (
    <SelectField
      label="Kind"
      name="partyType"
      options={partyTypes}
      defaultValue={buyer?.partyType}
      fault={faults.partyType}
    />
  )
  const reference = (
    <TextField label="Your reference" name="reference" defaultValue={buyer?.reference ?? ''} fault={faults.reference} />
  )
  const language = (
    <SelectField
      label="Language"
      name="language"
      options={Object.entries(languageWords)}
      defaultValue={buyer?.language ?? standardLanguage}
      hint="Of the documents, mails and pages that the buyer reads."
      fault={faults.language}
    />
  )
  const taxIdFields = (
    <>
      <SelectField
        label="Kind of tax number"
        name="taxIdType"
        options={taxIdTypes.map(({ type, label }) => [type, label])}
        defaultValue={buyer?.taxIdType}
        fault={faults.taxIdType}
      />
      <TextField
        label="Tax number"
        help="taxNumber"
        name="taxId"
        autoComplete="off"
        defaultValue={buyer?.taxId ?? ''}
        fault={faults.taxId}
      />
    </>
  )
  const email = (
    <TextField label="Email" name="email" type="email" defaultValue={buyer?.email ?? ''} fault={faults.email} />
  )
  const phone = (
    <TextField
      label="Phone"
      name="phone"
      type="tel"
      placeholder={phonePrefix}
      defaultValue={buyer?.phone ?? ''}
      fault={faults.phone}
    />
  )
  const address = { address: buyer?.address, country, districtName, faults }
  return (
    <form className="dialog-form" onSubmit={(event) => saving.mutate(buyerIn(fieldsOf(event), own))}>
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      <TextField label="Name" name="name" required defaultValue={buyer?.name ?? name} fault={faults.name} />
      {isShort ? (
        <>
          <div className="form-pair">{taxIdFields}</div>
          {email}
          <AddressFields
            {...address}
            isShort
            more={{
              isFaulty: [faults.partyType, faults.reference, faults.phone, faults.language].some(
                (fault) => fault !== undefined,
              ),
              fields: (
                <div className="form-pair">
                  {kind}
                  {phone}
                  {reference}
                  {language}
                </div>
              ),
            }}
          />
        </>
      ) : (
        <>
          <div className="form-pair">
            {kind}
            {reference}
            {taxIdFields}
            {email}
            {phone}
            {language}
          </div>
          <fieldset className="form-group">
            <legend>Address</legend>
            <AddressFields {...address} />
          </fieldset>
        </>
      )}
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {buyer ? 'Save' : 'Add the buyer'}
        </Button>
      </DialogActions>
    </form>
  )
}
