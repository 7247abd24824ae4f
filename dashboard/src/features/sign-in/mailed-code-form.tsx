import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'

/** Reads the part after `#`, which browsers never send to a server. */
export function carriedByLink(): { readonly email?: string | undefined; readonly code?: string | undefined } {
  const carried = new URLSearchParams(location.hash.slice(1))
  return { email: carried.get('email') ?? undefined, code: carried.get('code') ?? undefined }
}

/** Asks for the email address and the code. A link may have filled in both. */
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
  /** the API's name of the code field */
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
