import { TextField } from '../../ui/index.ts'

export const CodeField = ({ fault }: { readonly fault?: string | undefined }) => (
  <TextField
    label="Code"
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern="[0-9 ]*"
    required
    autoFocus
    hint="Six digits, from the email."
    fault={fault}
  />
)
