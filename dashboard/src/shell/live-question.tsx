import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Asks before live mode. */
export const LiveQuestion = ({
  onClose,
  onConfirm,
}: {
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}) => (
  <ConfirmDialog
    title="Switch to live?"
    action="Switch to live"
    kind="primary"
    open
    onClose={onClose}
    onConfirm={onConfirm}
  >
    <p>In live mode invoices go to the tax authority and to real buyers, and payments are real money.</p>
    <p>Live has its own buyers, items, invoices and API keys. Those of the sandbox stay in the sandbox.</p>
  </ConfirmDialog>
)
