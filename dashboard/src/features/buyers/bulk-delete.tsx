import type { Buyer } from '@risiti/sdk'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button, ConfirmDialog } from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'

const buyers = (count: number): string => (count === 1 ? 'one buyer' : `${count} buyers`)

/** Deletes the selected rows after a confirmation, and shows the result. */
export function BulkDelete({
  chosen,
  onAll,
  onNone,
  onDone,
}: {
  readonly chosen: readonly Buyer[]
  /** undefined if the whole page is selected */
  readonly onAll: (() => void) | undefined
  readonly onNone: () => void
  readonly onDone: () => Promise<void>
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <BulkBar count={chosen.length} onNone={onNone}>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete selected
        </Button>
        {onAll && <Button onClick={onAll}>Select all on this page</Button>}
      </BulkBar>
      <ConfirmDialog
        title={`Delete ${buyers(chosen.length)}?`}
        action={`Delete ${buyers(chosen.length)}`}
        dismiss="Not now"
        open={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          const { deleted, archived } = await risiti.buyers.deleteMany({ ids: chosen.map(({ id }) => id) })
          say(
            archived.length > 0
              ? `${deleted.length} deleted. ${archived.length} archived, because they have invoices.`
              : `${buyers(deleted.length)} deleted.`,
          )
          await onDone()
        }}
      >
        Existing invoices stay unchanged. A buyer with invoices is archived instead of deleted.
      </ConfirmDialog>
    </>
  )
}
