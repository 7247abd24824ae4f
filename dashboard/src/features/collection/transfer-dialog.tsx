import type { VirtualAccount } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, Dialog, DialogActions, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'
import '../../ui/form.css'

/** Sandbox only: simulates a buyer's transfer. */
export function TransferDialog({
  account,
  amount,
  onClose,
}: {
  readonly account: VirtualAccount
  /** the amount that the field begins with */
  readonly amount?: string
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const { once } = useOneKey()
  const sending = useMutation({
    mutationFn: (body: { amount: string; senderName?: string; narration?: string }) =>
      risiti.collection.sendTransfer({ accountNumber: account.accountNumber, ...body }, once()),
    onSuccess: async () => {
      say('The transfer is on its way. It arrives within seconds.')
      onClose()
      await client.invalidateQueries({ queryKey: ['collection'] })
    },
  })
  const faults = faultsOf(sending.error)
  return (
    <Dialog title={`Transfer to ${account.accountNumber}`} open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          const { text, maybe } = fieldsOf(event)
          const [senderName, narration] = [maybe('senderName'), maybe('narration')]
          sending.mutate({
            amount: text('amount'),
            ...(senderName ? { senderName } : {}),
            ...(narration ? { narration } : {}),
          })
        }}
      >
        <p>This is the sandbox. The simulated bank reports the transfer as a real bank would.</p>
        {sending.isError && <Notice tone="bad">{wordsOf(sending.error)}</Notice>}
        <TextField
          label="Amount"
          name="amount"
          inputMode="decimal"
          required
          defaultValue={amount}
          fault={faults.amount}
        />
        <TextField label="Sender (optional)" name="senderName" fault={faults.senderName} />
        <TextField label="Narration (optional)" name="narration" fault={faults.narration} />
        <DialogActions>
          <Button kind="primary" type="submit" busy={sending.isPending}>
            Send the transfer
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
