import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, Notice, TextField } from '../../../ui/index.ts'
import { say } from '../../../ui/toast.tsx'
import { useAct } from './use-invoice.ts'

interface SharedDocument {
  /** what a visitor can see and do, after "can see" */
  readonly what: string
  readonly share: () => PromiseLike<{ readonly url: string }>
  readonly unshare: () => PromiseLike<unknown>
  readonly kind: string
  readonly onClose: () => void
}

export const ShareInvoiceDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => (
  <ShareDialog
    what="the invoice and its PDF"
    share={() => risiti.invoices.share(id)}
    unshare={() => risiti.invoices.unshare(id)}
    kind="invoices"
    onClose={onClose}
  />
)

/** The public link to a document. */
export function ShareDialog({ what, share: createLink, unshare, kind, onClose }: SharedDocument) {
  const share = useMutation({ mutationFn: async () => await createLink() })
  const end = useAct(() => unshare(), 'The link was revoked.', onClose, [kind])
  const url = share.data?.url
  const failure = share.error ?? end.error
  const { mutate } = share
  // Opening the dialog creates the share link. An existing link is returned again.
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog title="Share by link" open onClose={onClose}>
      <p>Anyone with this link can see {what} without signing in.</p>
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
