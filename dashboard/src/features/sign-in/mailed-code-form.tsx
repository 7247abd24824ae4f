import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'

/** What the link of a mail carries: behind the `#`, which no server and no log ever sees. */
export function carriedByLink(): { readonly email?: string | undefined; readonly code?: string | undefined } {
  const carried = new URLSearchParams(location.hash.slice(1))
  return { email: carried.get('email') ?? undefined, code: carried.get('code') ?? undefined }
}

/** Asks for the address that a mail went to and for the code in it; a link may have brought both along. */
export function MailedCodeForm({
  email,
  emailHint,
  code,
  codeHint,
  faultOfCode = 'code',
  action,
  busy,
  error,
  onGiven,
}: {
  readonly email?: string | undefined
  readonly emailHint?: string
  readonly code?: string | undefined
  readonly codeHint: string
  /** what the service calls the code */
  readonly faultOfCode?: string
  readonly action: string
  readonly busy: boolean
  readonly error: unknown
  readonly onGiven: (given: { readonly email: string; readonly code: string }) => void
}) {
  const faults = faultsOf(error)
  return (
    <form
      className="outside-form"
      onSubmit={(event) => {
        const { text } = fieldsOf(event)
        onGiven({ email: text('email'), code: text('code') })
      }}
    >
      {error !== null && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(error)}</Notice>}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        hint={emailHint}
        fault={faults.email}
      />
      <TextField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        autoFocus={email !== undefined}
        defaultValue={code}
        hint={codeHint}
        fault={faults[faultOfCode]}
      />
      <Button kind="primary" type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  )
}
