import type { CollectionListBanksEntry, CollectionRegisterSettlementBody } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { useFreshSignIn } from '../../session/fresh-sign-in.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'

async function allBanks(jurisdiction: string): Promise<readonly CollectionListBanksEntry[]> {
  const banks: CollectionListBanksEntry[] = []
  for await (const bank of risiti.collection.listBanks({ jurisdiction, limit: 100 })) banks.push(bank)
  return banks
}

/** The bank must confirm the account holder's name before the account is saved. */
export function SettlementForm({ onDone }: { readonly onDone: () => void }) {
  const { country } = useCountry()
  const client = useQueryClient()
  const sellers = useQuery({
    queryKey: ['sellers', 'list', 'all'],
    queryFn: async () => await risiti.sellers.list({ limit: 100 }),
  })
  const banks = useQuery({
    queryKey: ['collection', 'banks', country],
    queryFn: () => allBanks(country),
    staleTime: 600_000,
  })
  const asking = useMutation({
    mutationFn: async (given: CollectionRegisterSettlementBody) => ({
      given,
      found: await risiti.collection.resolveSettlement({
        bankCode: given.bankCode,
        accountNumber: given.accountNumber,
      }),
    }),
  })
  const { freshly, dialog } = useFreshSignIn()
  const saving = useMutation({
    mutationFn: (given: CollectionRegisterSettlementBody) =>
      freshly(async () => await risiti.collection.registerSettlement(given)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['collection', 'settlements'] })
      onDone()
    },
  })
  const failure = saving.error ?? asking.error ?? sellers.error ?? banks.error
  const faults = faultsOf(saving.error ?? asking.error)
  if (sellers.data?.data.length === 0)
    return (
      <>
        <Notice tone="warn">There is no seller yet. Sellers appear when you connect to the tax authority.</Notice>
        <DialogActions>
          <Link to="/settings/tax" className="button button-primary">
            Connect
          </Link>
        </DialogActions>
      </>
    )
  if (asking.data) {
    const { given, found } = asking.data
    return (
      <div className="dialog-form">
        {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
        <p>
          According to {found.bankName}, {found.accountNumber} is the account of <strong>{found.accountName}</strong>.
          Your buyers’ payments go to this account as soon as the provider confirms it.
        </p>
        <DialogActions>
          <Button onClick={() => asking.reset()}>Choose another account</Button>
          <Button kind="primary" busy={saving.isPending} onClick={() => saving.mutate(given)}>
            Use this account
          </Button>
        </DialogActions>
        {dialog}
      </div>
    )
  }
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text } = fieldsOf(event)
        asking.mutate({ sellerId: text('sellerId'), bankCode: text('bankCode'), accountNumber: text('accountNumber') })
      }}
    >
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      <SelectField
        label="Seller"
        name="sellerId"
        options={(sellers.data?.data ?? []).map(({ id, name, tradingName }) => [id, tradingName ?? name])}
        fault={faults.sellerId}
      />
      <SelectField
        label="Bank"
        name="bankCode"
        options={(banks.data ?? []).map(({ code, name }) => [code, name])}
        fault={faults.bankCode}
      />
      <TextField
        label="Account number"
        name="accountNumber"
        inputMode="numeric"
        required
        minLength={10}
        maxLength={10}
        fault={faults.accountNumber}
      />
      <DialogActions>
        <Button kind="primary" type="submit" busy={asking.isPending}>
          Check with the bank
        </Button>
      </DialogActions>
    </form>
  )
}
