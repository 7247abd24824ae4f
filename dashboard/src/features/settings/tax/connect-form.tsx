import type { NewTaxConnection, TaxConnection } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { demoQuery } from '../../../session/demo.ts'
import { useSession } from '../../../session/session.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Button, Dialog, DialogActions, fieldsOf, Notice, TextField } from '../../../ui/index.ts'
import { isTerm } from '../../../words/glossary.ts'

interface Form {
  readonly connection: TaxConnection
  readonly onDone: (now: TaxConnection) => Promise<void>
}

export function ConnectForm({ connection, onDone }: Form) {
  const { mode } = useSession()
  const { connectionIdentifiers } = useCountry()
  const { authorityIdentifiers, consent } = connection
  const sent: Readonly<Record<string, string>> | null = authorityIdentifiers
  const connecting = useMutation({
    mutationFn: (given: NewTaxConnection) => risiti.taxConnection.connect(given),
    onSuccess: onDone,
  })
  const faults = faultsOf(connecting.error)
  const isPlayground = useQuery(demoQuery).data != null
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe, typed } = fieldsOf(event)
        const apiKey = maybe('apiKey')
        connecting.mutate({
          // The country names the fields, and the service checks them.
          authorityIdentifiers: Object.fromEntries(
            connectionIdentifiers.map(({ name }) => [name, text(name)]),
          ) as NewTaxConnection['authorityIdentifiers'],
          consent: { accepted: true, textVersion: consent?.textVersion ?? '' },
          ...(apiKey === undefined ? {} : { credentials: { apiKey, apiSecret: typed('apiSecret') } }),
        })
      }}
    >
      {connecting.isError && <Notice tone="bad">{wordsOf(connecting.error)}</Notice>}
      {isPlayground && mode === 'sandbox' && (
        <Notice>
          <p>This is a playground. Its tax authority accepts any business.</p>
          <Button onClick={({ currentTarget }) => inventBusiness(currentTarget.form)}>Use a test business</Button>
        </Notice>
      )}
      {connectionIdentifiers.map(({ name, label, example, hint }) => (
        <TextField
          key={name}
          label={label}
          help={isTerm(name) ? name : undefined}
          name={name}
          required
          autoComplete="off"
          placeholder={example}
          hint={hint ?? undefined}
          defaultValue={sent?.[name]}
          fault={faults[`authorityIdentifiers.${name}`]}
        />
      ))}
      <details>
        <summary>Your own keys for the authority</summary>
        <div className="dialog-form tax-own-keys">
          <p className="field-hint">Optional. Without your own keys, Risiti uses its keys.</p>
          <TextField label="API key" name="apiKey" autoComplete="off" fault={faults['credentials.apiKey']} />
          <TextField
            label="API secret"
            name="apiSecret"
            type="password"
            autoComplete="off"
            fault={faults['credentials.apiSecret']}
          />
        </div>
      </details>
      {consent && (
        <fieldset className="tax-consent">
          <legend>What you agree to</legend>
          <p>{consent.text}</p>
          <CheckField label="I agree, and I am allowed to agree for this business." name="consent" required />
        </fieldset>
      )}
      <DialogActions>
        <Button kind="primary" type="submit" busy={connecting.isPending}>
          {mode === 'live' ? 'Connect' : 'Connect the sandbox'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Ids in the authority's format, for an invented business. */
function inventBusiness(form: HTMLFormElement | null): void {
  const fill = (name: string, value: string) => {
    const field = form?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = value
  }
  fill('businessId', crypto.randomUUID())
  fill('serviceId', crypto.randomUUID().slice(0, 8).toUpperCase())
}

/** The form in a dialog, to change an existing connection. */
export const ConnectDialog = ({ onClose, ...form }: Form & { readonly onClose: () => void }) => (
  <Dialog title="Edit the connection" open onClose={onClose} wide>
    <ConnectForm {...form} />
  </Dialog>
)
