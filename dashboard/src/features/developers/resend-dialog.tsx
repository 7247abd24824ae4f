import type { WebhookEndpoint } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Button, Dialog, DialogActions, fieldsOf, Notice, SelectField } from '../../ui/index.ts'

const hourMs = 3600_000
const spans = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['720', 'The last 30 days'],
] as const

export function ResendDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const resending = useMutation({
    mutationFn: (hours: number) =>
      risiti.webhooks.redeliverFailed(endpoint.id, { since: new Date(Date.now() - hours * hourMs).toISOString() }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const sent = resending.data
  return (
    <Dialog title="Send failed deliveries again" open onClose={onClose}>
      <form className="dialog-form" onSubmit={(event) => resending.mutate(Number(fieldsOf(event).text('hours')))}>
        <p>Each failed delivery is sent again with the same id and content, to the current address.</p>
        <SelectField label="Period" name="hours" defaultValue="24" options={spans} />
        {resending.isError && <Notice tone="bad">{wordsOf(resending.error)}</Notice>}
        {sent && (
          <Notice tone={sent.count > 0 ? 'good' : 'info'}>
            {sent.count === 0
              ? 'No delivery failed in this period.'
              : `${sent.count} ${sent.count === 1 ? 'delivery is' : 'deliveries are'} sent again.`}
            {sent.hasMore && ' More deliveries have failed. Send again later for the rest.'}
          </Notice>
        )}
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={resending.isPending}>
            Send again
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
