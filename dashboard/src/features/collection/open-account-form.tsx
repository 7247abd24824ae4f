import type { CollectionOpenAccountBody, Invoice } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { decimalOf } from '../../ui/money.ts'
import { internationalPhone } from '../../ui/phone.ts'
import { BuyerField, type ChosenBuyer } from '../buyers/buyer-field.tsx'
import { useSettlementAccounts } from './use-settlement.ts'
import '../../ui/form.css'

/** The reference makes a repeated request open only one account. */
const newReference = () => `acct-${crypto.getRandomValues(new Uint32Array(3)).join('')}`.slice(0, 30)

const buyerOf = (invoice: Invoice | undefined): ChosenBuyer | undefined =>
  invoice?.buyerId && invoice.buyer ? { id: invoice.buyerId, name: invoice.buyer.name } : undefined

export function OpenAccountForm({
  invoice,
  onDone,
}: {
  /** the invoice that the account is for; without it, the person chooses a buyer or nobody */
  readonly invoice?: Invoice
  readonly onDone: () => Promise<void>
}) {
  const own = useCountry()
  const { country, phonePrefix, payerIdentifiers } = own
  const settlements = useSettlementAccounts()
  const [buyer, setBuyer] = useState<ChosenBuyer | undefined>(() => buyerOf(invoice))
  const [kind, setKind] = useState<CollectionOpenAccountBody['mode']>('persistent')
  const [reference] = useState(newReference)
  const details = useQuery({
    queryKey: ['buyers', 'one', buyer?.id],
    queryFn: () => risiti.buyers.get(buyer?.id as string),
    enabled: buyer !== undefined,
  })
  const opening = useMutation({
    mutationFn: (body: CollectionOpenAccountBody) => risiti.collection.openAccount(body),
    onSuccess: onDone,
  })
  const faults = faultsOf(opening.error)
  const all = (settlements.data?.data ?? []).filter(({ sellerId }) => !invoice || sellerId === invoice.sellerId)
  if (settlements.data && all.length === 0)
    return (
      <>
        <Notice tone="warn">First choose your own bank account, to which the money is paid out.</Notice>
        <DialogActions>
          <Link to="/collection/settlement" className="button button-primary">
            Add a bank account
          </Link>
        </DialogActions>
      </>
    )
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe } = fieldsOf(event)
        const [email, phoneNumber] = [maybe('email'), maybe('phoneNumber')]
        const identifiers = payerIdentifiers.filter(({ name }) => maybe(name) !== undefined)
        const settlement = all.find(({ sellerId }) => sellerId === text('sellerId'))
        opening.mutate({
          mode: kind,
          jurisdiction: settlement?.jurisdiction ?? country,
          sellerId: text('sellerId'),
          reference,
          customer: {
            name: text('name'),
            ...(email ? { email } : {}),
            ...(phoneNumber ? { phoneNumber: internationalPhone(phoneNumber, own) } : {}),
            ...Object.fromEntries(identifiers.map(({ name }) => [name, text(name)])),
          },
          ...(invoice
            ? { invoiceId: invoice.id, currency: invoice.currency as CollectionOpenAccountBody['currency'] }
            : buyer && { buyerId: buyer.id }),
          ...(kind === 'dynamic' ? { amount: text('amount') } : {}),
        })
      }}
    >
      {opening.isError && <Notice tone="bad">{wordsOf(opening.error)}</Notice>}
      {!invoice && (
        <BuyerField
          buyer={buyer}
          onChoose={setBuyer}
          nobody="No buyer chosen: you match each payment yourself."
          fault={faults.buyerId}
        />
      )}
      <div className="form-pair">
        <SelectField
          label="Pay out to"
          name="sellerId"
          options={all.map(({ sellerId, sellerName, bankName, accountNumber }) => [
            sellerId,
            `${sellerName}: ${bankName} ${accountNumber}`,
          ])}
          fault={faults.sellerId}
        />
        <SelectField
          label="For"
          value={kind}
          onChange={({ target }) => setKind(target.value as typeof kind)}
          options={[
            ['persistent', invoice ? 'All payments of this invoice' : 'All payments'],
            ['dynamic', 'One amount'],
          ]}
          fault={faults.mode}
        />
        {kind === 'dynamic' && (
          <TextField
            label="Amount"
            name="amount"
            inputMode="decimal"
            required
            defaultValue={invoice && decimalOf(invoice.dueMinor, invoice.currency)}
            fault={faults.amount}
          />
        )}
      </div>
      <fieldset key={details.data?.id} className="form-group">
        <legend>Payer</legend>
        <TextField
          label="Name"
          name="name"
          required
          defaultValue={details.data?.name ?? buyer?.name}
          fault={faults['customer.name']}
        />
        <div className="form-pair">
          <TextField
            label="Email"
            name="email"
            type="email"
            defaultValue={details.data?.email ?? ''}
            fault={faults['customer.email']}
          />
          <TextField
            label="Phone"
            name="phoneNumber"
            type="tel"
            placeholder={phonePrefix}
            defaultValue={details.data?.phone ?? ''}
            fault={faults['customer.phoneNumber']}
          />
          {payerIdentifiers.map(({ name, label }) => (
            <TextField
              key={name}
              label={label}
              name={name}
              inputMode="numeric"
              autoComplete="off"
              hint={`Some banks require the ${label}. Risiti passes the ${label} on and does not store it.`}
              fault={faults[`customer.${name}`]}
            />
          ))}
        </div>
      </fieldset>
      <DialogActions>
        <Button kind="primary" type="submit" busy={opening.isPending}>
          Open the account
        </Button>
      </DialogActions>
    </form>
  )
}
