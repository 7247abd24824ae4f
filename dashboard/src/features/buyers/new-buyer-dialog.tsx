import type { Buyer } from '@risiti/sdk'
import { useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { Button, Dialog, DialogActions, Notice } from '../../ui/index.ts'
import { BuyerForm } from './buyer-form.tsx'
import { taxIdWords } from './tax-id-words.ts'
import { useVerification } from './use-verification.ts'

/**
 * Adds a buyer without leaving the page: saves it, checks its tax number with the authority and returns it. The dialog
 * closes by itself if the number is valid.
 */
export function NewBuyerDialog({
  name,
  onClose,
  onDone,
}: {
  readonly name?: string
  readonly onClose: () => void
  readonly onDone: (buyer: Buyer) => void
}) {
  const mayVerify = useMay('buyer.verify_tax_id')
  const [saved, setSaved] = useState<Buyer>()
  const [isEditing, setEditing] = useState(true)
  const { status, registeredName, error, isChecking, ask } = useVerification(isEditing ? undefined : saved?.id)
  const isValid = !isEditing && (status === 'verified' || status === 'valid_off_network')
  const finish = useRef(onDone)
  finish.current = onDone
  useEffect(() => {
    if (isValid && saved) finish.current(saved)
  }, [isValid, saved])
  function keep(buyer: Buyer) {
    setSaved(buyer)
    if (buyer.taxId === null || !mayVerify) return onDone(buyer)
    setEditing(false)
    ask(buyer.id)
  }
  return (
    // A saved buyer is used even if the person closes the dialog during the check.
    <Dialog title="Add a buyer" open onClose={() => (saved ? onDone(saved) : onClose())}>
      {isEditing || !saved ? (
        <>
          <BuyerForm buyer={saved} name={name} isShort onDone={keep} />
          {mayVerify && <p className="field-hint">The tax authority checks the tax number. Its answer uses credits.</p>}
        </>
      ) : (
        <>
          <p role="status">
            {isChecking || status === undefined || error
              ? `${saved.name} is saved. ${isChecking ? 'Risiti asks the tax authority for the tax number …' : ''}`
              : taxIdWords[status][2]}
          </p>
          {registeredName && !isValid && (
            <p>
              Registered as <strong>{registeredName}</strong>.
            </p>
          )}
          {error && <Notice tone="bad">{wordsOf(error)}</Notice>}
          <DialogActions>
            {!isChecking && <Button onClick={() => setEditing(true)}>Correct the buyer</Button>}
            <Button kind="primary" busy={isChecking && !error} onClick={() => onDone(saved)}>
              Use this buyer
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
