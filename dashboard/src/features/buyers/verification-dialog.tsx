import type { Buyer } from '@risiti/sdk'
import { wordsOf } from '../../api/queries.ts'
import { Badge, Button, Dialog, DialogActions, Notice } from '../../ui/index.ts'
import { Reachability } from './reachability.tsx'
import { taxIdWords } from './tax-id-words.ts'
import { useVerification } from './use-verification.ts'

export function VerificationDialog({ buyer, onClose }: { readonly buyer: Buyer; readonly onClose: () => void }) {
  const { status, registeredName, error, isChecking, ask } = useVerification(buyer.id)
  return (
    <Dialog title={`Tax number of ${buyer.name}`} open onClose={onClose}>
      <p>
        <code>{buyer.taxId}</code> {status && <Badge tone={taxIdWords[status][0]}>{taxIdWords[status][1]}</Badge>}
      </p>
      <p role="status">{status && taxIdWords[status][2]}</p>
      {registeredName && (
        <p>
          Registered as <strong>{registeredName}</strong>.
        </p>
      )}
      {error && <Notice tone="bad">{wordsOf(error)}</Notice>}
      {buyer.taxId !== null && <Reachability taxId={buyer.taxId} />}
      <p className="field-hint">Each answer uses credits.</p>
      <DialogActions>
        <Button kind="primary" busy={isChecking} onClick={() => ask(buyer.id)}>
          Ask the tax authority
        </Button>
      </DialogActions>
    </Dialog>
  )
}
