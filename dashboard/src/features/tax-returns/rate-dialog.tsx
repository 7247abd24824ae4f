import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { Button, Dialog, DialogActions, dayText, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { plainNumber } from '../../ui/money.ts'
import { say } from '../../ui/toast.tsx'
import '../../ui/form.css'

export interface KnownRate {
  readonly currency?: string
  readonly day?: string
  readonly rate?: string
}

/** Enters the exchange rate of a day, or replaces it. */
export function RateDialog({ known, onClose }: { readonly known: KnownRate; readonly onClose: () => void }) {
  const client = useQueryClient()
  const { currency: home, currencies } = useCountry()
  const codes = [...new Set([...(known.currency ? [known.currency] : []), ...currencies.map(({ code }) => code)])]
  const foreign = codes.filter((code) => code !== home)
  const [currency, setCurrency] = useState(known.currency ?? foreign[0] ?? '')
  const saving = useMutation({
    mutationFn: async (rate: { readonly currency: string; readonly day: string; readonly rate: string }) => {
      await risiti.taxReturns.saveRates({ rates: [rate] })
      return rate
    },
    onSuccess: async ({ currency: code, day }) => {
      say(`The rate of ${code} on ${dayText(day)} is saved.`)
      onClose()
      await client.invalidateQueries({ queryKey: ['tax-returns'] })
    },
  })
  const faults = faultsOf(saving.error)
  return (
    <Dialog title="Enter an exchange rate" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          const { text } = fieldsOf(event)
          saving.mutate({ currency, day: text('day'), rate: plainNumber(text('rate')) })
        }}
      >
        {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
        <p>
          A document in a foreign currency uses the rate of its date, or the last one of the 7 days before. A rate of
          the same day is replaced. Closed months keep the rates that they used.
        </p>
        <SelectField
          label="Currency"
          options={foreign.map((code) => [code, code] as const)}
          value={currency}
          onChange={({ target }) => setCurrency(target.value)}
          fault={faults['rates[0].currency']}
        />
        <TextField
          label="Day"
          name="day"
          type="date"
          required
          defaultValue={known.day}
          fault={faults['rates[0].day']}
        />
        <TextField
          label={`Price of 1 ${currency} in ${home}`}
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={known.rate}
          fault={faults['rates[0].rate']}
        />
        <DialogActions>
          <Button kind="primary" type="submit" busy={saving.isPending}>
            Save the rate
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
