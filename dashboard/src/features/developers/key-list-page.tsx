import type { ApiKey } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  ListTable,
  momentText,
  Notice,
  ShowOnce,
  type Tone,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { DevelopersHead } from './developers-head.tsx'
import { EditKeyForm } from './edit-key-form.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { RotateKeyForm } from './rotate-key-form.tsx'
import './developers.css'

const statusWords: Readonly<Record<ApiKey['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  rotating: ['warn', 'Being replaced'],
  revoked: ['neutral', 'Revoked'],
  expired: ['neutral', 'Expired'],
}

type OpenDialog = { readonly what: 'create' } | { readonly what: 'edit' | 'rotate' | 'revoke'; readonly key: ApiKey }

/** The secret of a key is shown once, after its creation. */
export function KeyListPage() {
  const client = useQueryClient()
  const mayCreate = useMay('api_key.create')
  const [dialog, setDialog] = useState<OpenDialog>()
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string }>()
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: async () => await risiti.apiKeys.list({ limit: 100 }) })
  const close = () => setDialog(undefined)
  const changed = () => client.invalidateQueries({ queryKey: ['api-keys'] })
  const show = async (name: string, secret: string | undefined) => {
    if (secret !== undefined) setMade({ name, secret })
    close()
    await changed()
  }
  const newKey = mayCreate && (
    <Button kind="primary" onClick={() => setDialog({ what: 'create' })}>
      New key
    </Button>
  )
  return (
    <>
      <DevelopersHead>{newKey}</DevelopersHead>
      {made && (
        <div className="developers-made">
          <Notice tone="warn" title={`Save the key ${made.name}`}>
            <p>You see the key only now. Save it where your program reads its secrets.</p>
            <ShowOnce label="API key" secret={made.secret} />
            <Button onClick={() => setMade(undefined)}>I have saved the key</Button>
          </Notice>
        </div>
      )}
      <LoadState query={keys} />
      {keys.data?.data.length === 0 && (
        <EmptyState title="No keys yet" action={newKey}>
          A program signs in with an API key. Start with a sandbox key: nothing in the sandbox is real.
        </EmptyState>
      )}
      {keys.data && keys.data.data.length > 0 && (
        <ListTable label="API keys" heads={['Key', 'Mode', 'Status', 'Last used', 'Expires', 'actions']}>
          {keys.data.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} ask={(what) => setDialog({ what, key })} />
          ))}
        </ListTable>
      )}
      <Dialog title="New API key" open={dialog?.what === 'create'} onClose={close}>
        <NewKeyForm onMade={({ name, key }) => show(name, key)} />
      </Dialog>
      {dialog?.what === 'edit' && (
        <Dialog title={`Edit ${dialog.key.name}`} open onClose={close}>
          <EditKeyForm
            apiKey={dialog.key}
            onDone={async () => {
              close()
              await changed()
            }}
          />
        </Dialog>
      )}
      {dialog?.what === 'rotate' && (
        <Dialog title={`Replace ${dialog.key.name}`} open onClose={close}>
          <RotateKeyForm apiKey={dialog.key} onMade={({ name, key }) => show(name, key)} />
        </Dialog>
      )}
      {dialog?.what === 'revoke' && (
        <ConfirmDialog
          title={`Revoke ${dialog.key.name}?`}
          action="Revoke the key"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.apiKeys.revoke(dialog.key.id)
            await changed()
          }}
        >
          Programs that use this key lose access at once. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}

function KeyRow({
  apiKey,
  ask,
}: {
  readonly apiKey: ApiKey
  readonly ask: (what: 'edit' | 'rotate' | 'revoke') => void
}) {
  const mayUpdate = useMay('api_key.update')
  const mayRotate = useMay('api_key.rotate')
  const mayRevoke = useMay('api_key.revoke')
  const { name, hint, mode, status, lastUsedAt, stopsAt, expiresAt } = apiKey
  const [tone, words] = statusWords[status]
  const until = stopsAt ?? expiresAt
  return (
    <tr>
      <th scope="row">
        {name}
        <div className="table-more">
          <code>{hint}</code>
        </div>
      </th>
      <td>{mode === 'live' ? <Badge tone="warn">Live</Badge> : 'Sandbox'}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td>{lastUsedAt === null ? 'Never' : momentText(lastUsedAt)}</td>
      <td>{until === null ? '–' : momentText(until)}</td>
      <td>
        <div className="table-actions">
          {mayUpdate && (status === 'active' || status === 'rotating') && (
            <Button aria-label={`Edit ${name}`} onClick={() => ask('edit')}>
              Edit
            </Button>
          )}
          {mayRotate && status === 'active' && (
            <Button aria-label={`Replace ${name}`} onClick={() => ask('rotate')}>
              Replace
            </Button>
          )}
          {mayRevoke && (status === 'active' || status === 'rotating') && (
            <Button kind="danger" aria-label={`Revoke ${name}`} onClick={() => ask('revoke')}>
              Revoke
            </Button>
          )}
        </div>
      </td>
    </tr>
  )
}
