import { Button, Dialog, DialogActions } from '../../../ui/index.ts'

/** Asks about a typed name that belongs to no buyer, so that the name is not lost in silence. */
export const UnknownBuyerDialog = ({
  name,
  onAdd,
  onConsumer,
  onClose,
}: {
  readonly name: string
  /** absent if the person may not add buyers */
  readonly onAdd: (() => void) | undefined
  readonly onConsumer: () => void
  readonly onClose: () => void
}) => (
  <Dialog title={`Who is “${name}”?`} open onClose={onClose}>
    <p>
      You have no buyer with this name, or you have not chosen it from the list. Without a buyer, the invoice is for a
      consumer and shows no name.
    </p>
    <DialogActions>
      <Button onClick={onClose}>Choose another buyer</Button>
      <Button onClick={onConsumer}>Sell to a consumer</Button>
      {onAdd && (
        <Button kind="primary" onClick={onAdd}>
          Add the buyer
        </Button>
      )}
    </DialogActions>
  </Dialog>
)
