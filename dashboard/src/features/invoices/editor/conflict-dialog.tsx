import { Button, Dialog, DialogActions, momentText } from '../../../ui/index.ts'
import type { Conflict } from './use-draft-saving.ts'

/** Asks which version of a draft stays, if somebody else saved it in between. Nothing has to be typed again. */
export const ConflictDialog = ({
  conflict,
  onMine,
  onTheirs,
  onClose,
}: {
  readonly conflict: Conflict
  readonly onMine: () => void
  readonly onTheirs: () => void
  readonly onClose: () => void
}) => (
  <Dialog title="This draft was changed elsewhere" open onClose={onClose}>
    <p>
      Somebody saved {conflict.invoice.invoiceNumber} in another window, on {momentText(conflict.invoice.updatedAt)}.
      Choose the version that stays. The other one is replaced.
    </p>
    <DialogActions>
      <Button onClick={onTheirs}>Take the other version</Button>
      <Button kind="primary" onClick={onMine}>
        Keep my version
      </Button>
    </DialogActions>
  </Dialog>
)

/** Somebody finalised the draft, so nobody can change it any more. What the person wrote can become another draft. */
export const FinalisedDialog = ({
  conflict,
  onShow,
  onAnother,
}: {
  readonly conflict: Conflict
  /** drops what the person wrote */
  readonly onShow: () => void
  readonly onAnother: () => void
}) => (
  <Dialog title="This invoice is no longer a draft" open onClose={onShow}>
    <p>
      Somebody finalised {conflict.invoice.invoiceNumber} in the meantime, on {momentText(conflict.invoice.updatedAt)}.
      Your last changes are not part of it.
    </p>
    <DialogActions>
      <Button onClick={onAnother}>Save my version as another draft</Button>
      <Button kind="primary" onClick={onShow}>
        Show the invoice
      </Button>
    </DialogActions>
  </Dialog>
)

/** Somebody deleted the draft. What the person wrote can become a new draft. */
export const DeletedDialog = ({
  invoiceNumber,
  onDiscard,
  onAnother,
  onClose,
}: {
  readonly invoiceNumber: string
  readonly onDiscard: () => void
  readonly onAnother: () => void
  readonly onClose: () => void
}) => (
  <Dialog title="This draft was deleted" open onClose={onClose}>
    <p>Somebody deleted {invoiceNumber} in the meantime. What you wrote is still here.</p>
    <DialogActions>
      <Button onClick={onDiscard}>Discard what I wrote</Button>
      <Button kind="primary" onClick={onAnother}>
        Save it as a new draft
      </Button>
    </DialogActions>
  </Dialog>
)
