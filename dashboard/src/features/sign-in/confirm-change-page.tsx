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
  second_factor: 'Your second factor is off: signing in asks for your password alone, until you switch on another.',
}

/** A person confirms by email a change that an organisation requested. */
export function ConfirmChangePage() {
  const [{ email }] = useState(carriedByLink)
  const confirming = useMutation({
    mutationFn: (given: { email: string; code: string }) => risiti.members.confirmChange(given),
  })
  if (confirming.data)
    return (
      <OutsidePage title="It is done">
        <p>
          {changed[confirming.data.what]} {confirming.data.organization.name} had asked for it.
        </p>
        <Link to="/" className="button button-primary">
          Go to Risiti
        </Link>
      </OutsidePage>
    )
  return (
    <OutsidePage title="Confirm a change">
      <p>
        An organisation of yours asked for a change of your account. The mail says which. It happens only with its code.
      </p>
      <MailedCodeForm
        email={email}
        codeHint="Twelve letters and digits, from the mail."
        action="Confirm it"
        busy={confirming.isPending}
        error={confirming.error}
        onGiven={(given) => confirming.mutate(given)}
      />
    </OutsidePage>
  )
}
