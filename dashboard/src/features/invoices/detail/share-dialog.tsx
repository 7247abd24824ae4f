import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, Notice, TextField } from '../../../ui/index.ts'
import { say } from '../../../ui/toast.tsx'
import { useAct } from './use-invoice.ts'

export function ShareDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const share = useMutation({ mutationFn: async () => await risiti.invoices.share(id) })
  const end = useAct(() => risiti.invoices.unshare(id), 'The link was revoked.', onClose)
  const url = share.data?.url
  const failure = share.error ?? end.error
  const { mutate } = share
  // Opening the dialog creates the share link. An existing link is returned again.
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog title="Share by link" open onClose={onClose}>
      <p>Anyone with this link can see the invoice and its PDF without signing in.</p>
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      <TextField
        label="Link"
        readOnly
        value={url ?? ''}
        placeholder="Creating the link …"
        onFocus={({ target }) => target.select()}
      />
      <DialogActions>
        <Button kind="danger" busy={end.isPending} disabled={url === undefined} onClick={() => end.mutate()}>
          Revoke the link
        </Button>
        {'share' in navigator && (
          // The person may close the system's own sheet again, which is no failure.
          <Button disabled={url === undefined} onClick={() => url && navigator.share({ url }).catch(() => undefined)}>
            Send by another app
          </Button>
        )}
        <Button
          kind="primary"
          disabled={url === undefined}
          onClick={async () => {
            if (url === undefined) return
            await navigator.clipboard.writeText(url).then(
              () => say('The link was copied.'),
              () => say('Your browser does not allow copying. Select the link and copy it yourself.'),
            )
          }}
        >
          Copy the link
        </Button>
      </DialogActions>
    </Dialog>
  )
}
