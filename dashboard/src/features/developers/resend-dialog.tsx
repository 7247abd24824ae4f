import type { WebhookEndpoint } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Button, Dialog, DialogActions, fieldsOf, Notice, SelectField } from '../../ui/index.ts'
import { endpointName } from './delivery-words.ts'

const hourMs = 3600_000
const spans = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['720', 'The last 30 days'],
] as const

/** With several endpoints, a person chooses one or all. */
export function ResendDialog({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const resending = useMutation({
    mutationFn: async ({ hours, endpointId }: { readonly hours: number; readonly endpointId: string }) => {
      const since = new Date(Date.now() - hours * hourMs).toISOString()
      const chosen = endpointId === '' ? endpoints : endpoints.filter(({ id }) => id === endpointId)
      const all = { count: 0, hasMore: false }
      for (const { id } of chosen) {
        const { count, hasMore } = await risiti.webhooks.redeliverFailed(id, { since })
        all.count += count
        all.hasMore ||= hasMore
      }
      return all
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const sent = resending.data
  return (
    <Dialog title="Send failed deliveries again" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          const { text } = fieldsOf(event)
          const endpointId = endpoints.length > 1 ? text('endpoint') : ''
          resending.mutate({ hours: Number(text('hours')), endpointId })
        }}
      >
        <p>Each failed delivery is sent again with the same id and content, to the current address.</p>
        {endpoints.length > 1 && (
          <SelectField
            label="To"
            name="endpoint"
            options={[
              ['', 'All endpoints that are on'],
              ...endpoints.map((each) => [each.id, endpointName(each)] as const),
            ]}
          />
        )}
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
