import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { CodeField } from './code-field.tsx'
import { OutsidePage } from './outside-page.tsx'
import { PlaygroundMailbox } from './playground-mailbox.tsx'
import { useEnter } from './use-enter.ts'

export function VerifyEmailPage() {
  const { email, next } = useSearch({ from: '/verify-email' })
  const enter = useEnter()
  const verifying = useMutation({
    mutationFn: async (given: { email: string; code: string }) => {
      await risiti.identity.verifyEmail(given)
      await enter(next)
    },
  })
  const resending = useMutation({ mutationFn: (to: string) => risiti.identity.resendVerification({ email: to }) })
  const faults = faultsOf(verifying.error)
  return (
    <OutsidePage title="Check your email">
      <p>
        {email ? `We sent a six-digit code to ${email}.` : 'We sent you a six-digit code.'} The code works for 15
        minutes.
      </p>
      <PlaygroundMailbox />
      <form
        className="outside-form"
        onSubmit={(event) => {
          const { text } = fieldsOf(event)
          verifying.mutate({ email: email ?? text('email'), code: text('code') })
        }}
      >
        {verifying.isError && Object.keys(faults).length === 0 && (
          <Notice tone="bad">{wordsOf(verifying.error)}</Notice>
        )}
        {email === undefined && (
          <TextField label="Email" name="email" type="email" autoComplete="username" required fault={faults.email} />
        )}
        <CodeField fault={faults.code} />
        <Button kind="primary" type="submit" busy={verifying.isPending}>
          Continue
        </Button>
      </form>
      {email !== undefined && (
        <div className="outside-else">
          <Button kind="quiet" busy={resending.isPending} onClick={() => resending.mutate(email)}>
            Send another code
          </Button>
          <p role="status">
            {resending.isSuccess && 'A new code is on its way. The previous code no longer works.'}
            {resending.isError && wordsOf(resending.error)}
          </p>
        </div>
      )}
    </OutsidePage>
  )
}
