import { Refused } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { demoQuery } from '../../session/demo.ts'
import { PasswordField, SecondFactorField } from '../../ui/credential-fields.tsx'
import { Button, Notice, TextField } from '../../ui/index.ts'
import { OutsidePage } from './outside-page.tsx'
import { useEnter } from './use-enter.ts'

interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string
}

export function SignInPage() {
  const { next, ended } = useSearch({ from: '/sign-in' })
  const enter = useEnter()
  const demo = useQuery(demoQuery)
  const [asksForCode, setAsksForCode] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const faults = faultsOf(failure)

  async function signIn(given: Credentials) {
    setBusy(true)
    setFailure(undefined)
    try {
      await risiti.identity.logIn(given)
      await enter(next)
    } catch (error) {
      if (error instanceof Refused && error.is('credentials.second_factor_needed')) setAsksForCode(true)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    void signIn({
      email: text('email'),
      password: text('password'),
      ...(asksForCode ? { code: text('code').trim() } : {}),
    })
  }

  return (
    <OutsidePage title="Sign in">
      {ended && <Notice title="You were signed out.">Sign in again. An invoice that you were writing is kept.</Notice>}
      {demo.data && (
        <Notice title="Just looking?">
          <p>The demo organisation has invoices in every status. Nothing in it is real.</p>
          <Button kind="primary" busy={isBusy} onClick={() => demo.data && signIn(demo.data)}>
            Enter the demo
          </Button>
        </Notice>
      )}
      <form className="outside-form" onSubmit={submit}>
        {failure !== undefined && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(failure)}</Notice>}
        <TextField label="Email" name="email" type="email" autoComplete="username" required fault={faults.email} />
        <PasswordField label="Password" fault={faults.password} />
        {asksForCode && <SecondFactorField autoFocus fault={faults.code} />}
        <Button kind="primary" type="submit" busy={isBusy}>
          Sign in
        </Button>
      </form>
      <p className="outside-else">
        <Link to="/forgot-password" search={{ next }}>
          Forgot your password?
        </Link>
      </p>
      <p className="outside-else">
        New here?{' '}
        <Link to="/register" search={{ next }}>
          Create an account
        </Link>
        , or{' '}
        <Link to="/accept-invitation" search={{ next }}>
          accept an invitation
        </Link>
        .
      </p>
    </OutsidePage>
  )
}
