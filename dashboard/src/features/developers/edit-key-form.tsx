import type { ApiKey, ApiKeysReplaceCapabilitiesBody } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { permissionsQuery } from '../../session/permissions.ts'
import { useMay } from '../../session/session.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Button, DialogActions, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import './developers.css'

type Capability = ApiKeysReplaceCapabilitiesBody['capabilities'][number]

/** People can give a key only permissions that they have themselves. */
export function EditKeyForm({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const mayReadRoles = useMay('role.read')
  const held = useQuery({
    queryKey: ['api-keys', 'permissions', apiKey.id],
    queryFn: () => risiti.apiKeys.getPermissions(apiKey.id),
  })
  const words = useQuery({ ...permissionsQuery, enabled: mayReadRoles })
  const saving = useMutation({
    mutationFn: async ({ name, chosen }: { name: string; chosen: readonly string[] | undefined }) => {
      if (name !== apiKey.name) await risiti.apiKeys.rename(apiKey.id, { name })
      const isSame = chosen === undefined || [...chosen].sort().join() === [...apiKey.capabilities].sort().join()
      if (!isSame) await risiti.apiKeys.replaceCapabilities(apiKey.id, { capabilities: [...chosen] as Capability[] })
    },
    onSuccess: onDone,
  })
  // A key with a role gets its permissions from the role.
  const offered = apiKey.role === null ? held.data : undefined
  const faults = faultsOf(saving.error)
  const labelOf = (name: string) => words.data?.permissions.find((each) => each.name === name)?.label ?? name
  const names = [...new Set([...(offered?.grantable ?? []), ...(offered?.capabilities ?? [])])]
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text } = fieldsOf(event)
        const chosen = offered && new FormData(event.currentTarget).getAll('capability').map(String)
        saving.mutate({ name: text('name'), chosen })
      }}
    >
      {(held.isError || saving.isError) && <Notice tone="bad">{wordsOf(held.error ?? saving.error)}</Notice>}
      <TextField label="Name" name="name" autoComplete="off" required defaultValue={apiKey.name} fault={faults.name} />
      {apiKey.role !== null && <p>The role {apiKey.role} sets the permissions of this key.</p>}
      {offered && (
        <fieldset className="developers-types">
          <legend>Permissions</legend>
          {names.map((name) => (
            <CheckField
              key={name}
              name="capability"
              value={name}
              defaultChecked={offered.capabilities.includes(name)}
              label={labelOf(name)}
            />
          ))}
        </fieldset>
      )}
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending} disabled={held.isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
