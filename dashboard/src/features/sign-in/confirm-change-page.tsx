import type { MembersConfirmChangeReply } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { OutsidePage } from './outside-page.tsx'

const changed: Readonly<Record<MembersConfirmChangeReply['what'], string>> = {
  name: 'Your name was changed.',
  phone: 'Your telephone number was changed.',
  second_factor: 'Your second factor is off: signing in asks for your password alone, until you switch on another.',
}

/** Somebody whom an organisation asked by mail says yes to a change of their account. */
export function ConfirmChangePage() {
  // Behind the `#`, which no server and no log ever sees.
  const [email] = useState(() => new URLSearchParams(location.hash.slice(1)).get('email') ?? '')
  const confirming = useMutation({
    mutationFn: (given: { email: string; code: string }) => risiti.members.confirmChange(given),
  })
  const faults = faultsOf(confirming.error)
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
      <form
        className="outside-form"
        onSubmit={(event) => {
          const { text } = fieldsOf(event)
          confirming.mutate({ email: text('email'), code: text('code') })
        }}
      >
        {confirming.isError && Object.keys(faults).length === 0 && (
          <Notice tone="bad">{wordsOf(confirming.error)}</Notice>
        )}
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          fault={faults.email}
        />
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          autoFocus
          hint="Twelve letters and digits, from the mail."
          fault={faults.code}
        />
        <Button kind="primary" type="submit" busy={confirming.isPending}>
          Confirm it
        </Button>
      </form>
    </OutsidePage>
  )
}
