import type { BillingAccount } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { count } from '../../ui/count.ts'
import { Button, fieldsOf, Notice, Panel, TextField } from '../../ui/index.ts'

export function BalancePanel({ account }: { readonly account: BillingAccount }) {
  const client = useQueryClient()
  const mayConfigure = useMay('billing.low_balance.configure')
  const held = account.balances.find(({ mode }) => mode === account.mode)
  const saving = useMutation({
    mutationFn: (threshold: number) => risiti.billing.changeThreshold({ threshold }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['billing'] }),
  })
  return (
    <Panel title="Balance" about={account.mode === 'live' ? undefined : 'Sandbox credits are free.'}>
      <dl className="billing-figures">
        <div>
          <dt>Credits</dt>
          <dd>{count.format(account.creditBalance)}</dd>
        </div>
        <div>
          <dt>Held for work in progress</dt>
          <dd>{count.format(held?.heldCredits ?? 0)}</dd>
        </div>
        {held !== undefined && held.owedCredits > 0 && (
          <div>
            <dt>Owed</dt>
            <dd>{count.format(held.owedCredits)}</dd>
          </div>
        )}
      </dl>
      {mayConfigure && (
        <form onSubmit={(event) => saving.mutate(Number(fieldsOf(event).text('threshold')))}>
          {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
          {saving.isSuccess && <Notice tone="good">Saved.</Notice>}
          <TextField
            label="Warn below"
            name="threshold"
            type="number"
            min={0}
            step={1}
            required
            defaultValue={account.lowBalanceThreshold}
            hint="You get an email when you have fewer live credits than this."
            fault={faultsOf(saving.error).threshold}
          />
          <Button type="submit" busy={saving.isPending}>
            Save the limit
          </Button>
        </form>
      )}
    </Panel>
  )
}
