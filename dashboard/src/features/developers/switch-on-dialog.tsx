import type { WebhookEndpoint } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Button, Dialog, DialogActions, Notice } from '../../ui/index.ts'

/** Switches an endpoint on, and asks whether it gets the events that it missed. */
export function SwitchOnDialog({
  endpoint: { id, url },
  onClose,
}: {
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const switching = useMutation({
    mutationFn: (replayMissed: boolean) => risiti.webhooks.update(id, { enabled: true, replayMissed }),
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: ['webhooks'] })
    },
  })
  const isBusyWith = (replayMissed: boolean) => switching.isPending && switching.variables === replayMissed
  return (
    <Dialog title="Switch on the endpoint?" open onClose={onClose}>
      {switching.isError && <Notice tone="bad">{wordsOf(switching.error)}</Notice>}
      <p>
        {url} gets new events from now on. Events that happened while the endpoint was off can be sent too. They may
        arrive in another order.
      </p>
      <DialogActions>
        <Button busy={isBusyWith(false)} onClick={() => switching.mutate(false)}>
          New events only
        </Button>
        <Button kind="primary" busy={isBusyWith(true)} onClick={() => switching.mutate(true)}>
          Send missed events too
        </Button>
      </DialogActions>
    </Dialog>
  )
}
