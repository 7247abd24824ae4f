import type { Buyer, NewBuyer, PartyType, TaxIdType } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { AddressFields, addressIn } from '../../ui/address-fields.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import '../../ui/form.css'

const partyTypes: readonly (readonly [PartyType, string])[] = [
  ['company', 'A company'],
  ['individual', 'A person'],
  ['partnership', 'A partnership'],
  ['non_profit', 'A non-profit'],
  ['government', 'A public body'],
]

type Fields = ReturnType<typeof fieldsOf>

function buyerIn(fields: Fields): NewBuyer {
  const { text, maybe } = fields
  const taxIdType = text('taxIdType') as TaxIdType
  return {
    name: text('name'),
    partyType: text('partyType') as PartyType,
    taxIdType,
    taxId: taxIdType === 'none' ? null : (maybe('taxId') ?? null),
    email: maybe('email') ?? null,
    phone: maybe('phone') ?? null,
    reference: maybe('reference') ?? null,
    address: addressIn(fields) ?? null,
  }
}

/** Without `buyer`, the form creates a new one. */
export function BuyerForm({ buyer, onDone }: { readonly buyer?: Buyer; readonly onDone: (buyer: Buyer) => void }) {
  const { country, taxIdTypes, phonePrefix, districtName } = useCountry()
  const saving = useMutation({
    mutationFn: async (given: NewBuyer) =>
      buyer ? await risiti.buyers.update(buyer.id, given) : await risiti.buyers.create(given),
    onSuccess: onDone,
  })
  const faults = faultsOf(saving.error)
  return (
    <form className="dialog-form" onSubmit={(event) => saving.mutate(buyerIn(fieldsOf(event)))}>
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      <TextField label="Name" name="name" required defaultValue={buyer?.name} fault={faults.name} />
      <div className="form-pair">
        <SelectField
          label="Kind"
          name="partyType"
          options={partyTypes}
          defaultValue={buyer?.partyType}
          fault={faults.partyType}
        />
        <TextField
          label="Your reference"
          name="reference"
          defaultValue={buyer?.reference ?? ''}
          fault={faults.reference}
        />
        <SelectField
          label="Kind of tax number"
          name="taxIdType"
          options={taxIdTypes.map(({ type, label }) => [type, label])}
          defaultValue={buyer?.taxIdType}
          fault={faults.taxIdType}
        />
        <TextField
          label="Tax number"
          name="taxId"
          autoComplete="off"
          defaultValue={buyer?.taxId ?? ''}
          fault={faults.taxId}
        />
        <TextField label="Email" name="email" type="email" defaultValue={buyer?.email ?? ''} fault={faults.email} />
        <TextField
          label="Phone"
          name="phone"
          type="tel"
          placeholder={phonePrefix}
          defaultValue={buyer?.phone ?? ''}
          fault={faults.phone}
        />
      </div>
      <fieldset className="form-group">
        <legend>Address</legend>
        <AddressFields address={buyer?.address} country={country} districtName={districtName} faults={faults} />
      </fieldset>
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {buyer ? 'Save' : 'Add the buyer'}
        </Button>
      </DialogActions>
    </form>
  )
}
