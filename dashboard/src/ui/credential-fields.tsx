import { TextField } from './field.tsx'

interface Credential {
  readonly label?: string
  readonly name?: string
  readonly autoFocus?: boolean
  readonly fault: string | undefined
}

export const PasswordField = ({ label = 'Your password', name = 'password', ...rest }: Credential) => (
  <TextField label={label} name={name} type="password" autoComplete="current-password" required {...rest} />
)

/** Recovery codes contain letters, so a numeric keyboard would be wrong. */
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
