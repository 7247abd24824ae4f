import { TextField } from './field.tsx'

interface Credential {
  readonly label?: string
  readonly name?: string
  readonly autoFocus?: boolean
  readonly fault: string | undefined
}

/** The password that somebody has. */
export const PasswordField = ({ label = 'Your password', name = 'password', ...rest }: Credential) => (
  <TextField label={label} name={name} type="password" autoComplete="current-password" required {...rest} />
)

/** The second factor of whoever has one. Recovery codes have letters, so that no keyboard of digits alone may come up. */
export const SecondFactorField = ({ label = 'Code', name = 'code', ...rest }: Credential) => (
  <TextField
    label={label}
    name={name}
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    required
    hint="The six digits that your authenticator app shows, or one of your recovery codes."
    {...rest}
  />
)
