import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { CodeField } from './code-field.tsx'
import { OutsidePage } from './outside-page.tsx'
import { PlaygroundMailbox } from './playground-mailbox.tsx'
import { useEnter } from './use-enter.ts'

export function ForgotPasswordPage() {
  const { next } = useSearch({ from: '/forgot-password' })
  const [email, setEmail] = useState<string>()
  return (
    <OutsidePage title="Choose a new password">
      {email === undefined ? <AskForCode onSent={setEmail} /> : <ChoosePassword email={email} />}
      <p className="outside-else">
        Remember your password?{' '}
        <Link to="/sign-in" search={{ next }}>
          Sign in
        </Link>
      </p>
    </OutsidePage>
  )
}

function AskForCode({ onSent }: { readonly onSent: (email: string) => void }) {
  const asking = useMutation({
    mutationFn: (email: string) => risiti.identity.forgotPassword({ email }),
    onSuccess: (_, email) => onSent(email),
  })
  const faults = faultsOf(asking.error)
  return (
    <form className="outside-form" onSubmit={(event) => asking.mutate(fieldsOf(event).text('email'))}>
      {asking.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(asking.error)}</Notice>}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        hint="If the address has an account, we email a code to it."
        fault={faults.email}
      />
      <Button kind="primary" type="submit" busy={asking.isPending}>
        Send the code
      </Button>
    </form>
  )
}

function ChoosePassword({ email }: { readonly email: string }) {
  const { next } = useSearch({ from: '/forgot-password' })
  const enter = useEnter()
  const navigate = useNavigate()
  const choosing = useMutation({
    mutationFn: async ({ code, password }: { code: string; password: string }) => {
      await risiti.identity.resetPassword({ email, code, password })
      try {
        await risiti.identity.logIn({ email, password })
      } catch {
        // The password is changed, but the sign-in may still need a second factor.
        return await navigate({ to: '/sign-in', search: { next } })
      }
      return await enter(next)
    },
  })
  const faults = faultsOf(choosing.error)
  return (
    <form
      className="outside-form"
      onSubmit={(event) => {
        const { text, typed } = fieldsOf(event)
        choosing.mutate({ code: text('code'), password: typed('password') })
      }}
    >
      <p>If {email} has an account, we sent a six-digit code to it. The code works for 15 minutes.</p>
      <PlaygroundMailbox />
      {choosing.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(choosing.error)}</Notice>}
      <CodeField fault={faults.code} />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint="All devices that are signed in with the old password are signed out."
        fault={faults.password}
      />
      <Button kind="primary" type="submit" busy={choosing.isPending}>
        Change the password
      </Button>
    </form>
  )
}
