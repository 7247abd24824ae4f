import type { MembersConfirmChangeReply } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { carriedByLink, MailedCodeForm } from './mailed-code-form.tsx'
import { OutsidePage } from './outside-page.tsx'

const changed: Readonly<Record<MembersConfirmChangeReply['what'], string>> = {
  name: 'Your name was changed.',
  phone: 'Your telephone number was changed.',
  second_factor:
    'Your second factor is off. You sign in with your password alone until you set up another second factor.',
}

/** A person confirms by email a change that an organisation requested. */
export function ConfirmChangePage() {
  const [{ email }] = useState(carriedByLink)
  const confirming = useMutation({
    mutationFn: (given: { email: string; code: string }) => risiti.members.confirmChange(given),
  })
  if (confirming.data)
    return (
      <OutsidePage title="Change confirmed">
        <p>
          {changed[confirming.data.what]} {confirming.data.organization.name} had requested this change.
        </p>
        <Link to="/" className="button button-primary">
          Go to Risiti
        </Link>
      </OutsidePage>
    )
  return (
    <OutsidePage title="Confirm a change">
      <p>
        One of your organisations asked to change your account. The email describes the change. Enter the code from the
        email to confirm the change.
      </p>
      <MailedCodeForm
        email={email}
        codeHint="Twelve letters and digits, from the email."
        action="Confirm the change"
        busy={confirming.isPending}
        error={confirming.error}
        onGiven={(given) => confirming.mutate(given)}
      />
    </OutsidePage>
  )
}
