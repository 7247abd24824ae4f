import type { ApiKeyWithSecret, Mode, NewApiKey } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'

const presets = [
  ['invoicing', 'Create and submit invoices'],
  ['read_only', 'Read only'],
  ['full_integration', 'All permissions of a key'],
] as const

export function NewKeyForm({ onMade }: { readonly onMade: (key: ApiKeyWithSecret) => void }) {
  const { mode } = useSession()
  const mayUseLive = useMay('live_mode.use')
  const creating = useMutation({ mutationFn: (key: NewApiKey) => risiti.apiKeys.create(key), onSuccess: onMade })
  const faults = faultsOf(creating.error)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe } = fieldsOf(event)
        const lastDay = maybe('lastDay')
        creating.mutate({
          name: text('name'),
          mode: text('mode') as Mode,
          preset: text('preset') as NonNullable<NewApiKey['preset']>,
          ...(lastDay ? { expiresAt: `${lastDay}T23:59:59Z` } : {}),
        })
      }}
    >
      {creating.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(creating.error)}</Notice>}
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        required
        hint="The program that uses the key, such as “web shop”."
        fault={faults.name}
      />
      <SelectField
        label="Mode"
        name="mode"
        defaultValue={mode}
        options={[
          ['sandbox', 'Sandbox: nothing is real'],
          ...(mayUseLive ? [['live', 'Live: real invoices'] as const] : []),
        ]}
        fault={faults.mode}
      />
      <SelectField label="Permissions" name="preset" options={presets} fault={faults.preset} />
      <TextField
        label="Last day"
        name="lastDay"
        type="date"
        hint="Leave this field empty for a key that works until you revoke it."
        fault={faults.expiresAt}
      />
      <DialogActions>
        <Button kind="primary" type="submit" busy={creating.isPending}>
          Create the key
        </Button>
      </DialogActions>
    </form>
  )
}
