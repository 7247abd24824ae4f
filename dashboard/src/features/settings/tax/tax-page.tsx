import type { TaxConnection } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useCountry, useOwnOrganisation } from '../../../session/country.ts'
import { useMay, useSession } from '../../../session/session.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Badge, Button, ConfirmDialog, momentText, Notice, Panel, type Tone } from '../../../ui/index.ts'
import { LoadState } from '../../../ui/load-state.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { ConnectDialog, ConnectForm } from './connect-form.tsx'
import { KeyFilePanel } from './key-file-panel.tsx'
import { TaxNumberPanel } from './tax-number-panel.tsx'
import './tax-page.css'

const statusWords: Readonly<Record<TaxConnection['status'], readonly [Tone, short: string, long: string]>> = {
  NOT_CONNECTED: ['neutral', 'Not connected', 'You can create and send invoices, but not report them.'],
  PENDING: ['warn', 'Incomplete', 'Risiti reports invoices only after the connection is complete.'],
  CONNECTED: ['good', 'Connected', 'Risiti reports your invoices for this business.'],
  REVOKED: ['neutral', 'Disconnected', 'You can create and send invoices, but not report them.'],
}

/** Whether two names begin with the same word, because registers add legal forms. */
const isLike = (one: string, other: string): boolean => {
  const first = (name: string) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)[0]
  return first(one) === first(other)
}

/** Each mode has its own connection. */
export function TaxPage() {
  const client = useQueryClient()
  const mayManage = useMay('tax_connection.manage')
  const mayConfirm = useMay('organization.update')
  const { mode } = useSession()
  const { keyFileName } = useCountry()
  const connection = useQuery({ queryKey: ['tax-connection'], queryFn: () => risiti.taxConnection.get() })
  // The status of sellers and buyers depends on the connection, so their data is refetched.
  const changed = async (now: TaxConnection) => {
    client.setQueryData(['tax-connection'], now)
    await client.invalidateQueries({ queryKey: ['sellers'] })
  }
  const known = connection.data
  const isOpen = known !== undefined && (known.status === 'CONNECTED' || known.status === 'PENDING')
  return (
    <>
      <SettingsHead />
      <LoadState query={connection} />
      {known && <ConnectionPanel connection={known} onChanged={changed} />}
      {known && known.status !== 'CONNECTED' && mode === 'live' && mayConfirm && <TaxNumberPanel />}
      {known && !isOpen && mayManage && <ConnectPanel connection={known} onChanged={changed} />}
      {known && isOpen && mayManage && keyFileName !== null && <KeyFilePanel connection={known} onChanged={changed} />}
    </>
  )
}

interface OfConnection {
  readonly connection: TaxConnection
  readonly onChanged: (now: TaxConnection) => Promise<void>
}

function ConnectionPanel({ connection, onChanged }: OfConnection) {
  const mayManage = useMay('tax_connection.manage')
  const [asking, setAsking] = useState<'change' | 'revoke'>()
  const { mode } = useSession()
  const own = useOwnOrganisation()
  const asked = useMutation({ mutationFn: () => risiti.taxConnection.refresh(), onSuccess: onChanged })
  const [tone, short, long] = statusWords[connection.status]
  const isOpen = connection.status === 'CONNECTED' || connection.status === 'PENDING'
  const facts = [
    ['Business', connection.businessName],
    ['Tax number', connection.taxId],
    ['Business id', connection.authorityIdentifiers?.businessId],
    ['Service id', connection.authorityIdentifiers?.serviceId],
    ['Connected since', connection.connectedAt && momentText(connection.connectedAt)],
    ['Last checked', connection.checkedAt && momentText(connection.checkedAt)],
    ['Disconnected', connection.revokedAt && momentText(connection.revokedAt)],
    ['Reason', connection.revokedReason],
  ] as const
  return (
    <Panel
      title="Tax authority"
      about={long}
      action={
        isOpen &&
        mayManage && (
          <div className="tax-actions">
            <Button busy={asked.isPending} onClick={() => asked.mutate()}>
              Check the connection
            </Button>
            <Button onClick={() => setAsking('change')}>Edit</Button>
            <Button kind="danger" onClick={() => setAsking('revoke')}>
              Disconnect
            </Button>
          </div>
        )
      }
    >
      <p>
        <Badge tone={tone}>{short}</Badge>
      </p>
      {asked.isError && <Notice tone="bad">{wordsOf(asked.error)}</Notice>}
      {connection.problem && <Notice tone="warn">{connection.problem}</Notice>}
      {isOpen && connection.businessName !== null && own && !isLike(connection.businessName, own.name) && (
        <Notice>
          The tax authority knows this business as {connection.businessName}, and your organisation is called {own.name}
          .{' '}
          {mode === 'live'
            ? 'Check that this is your business.'
            : 'In the sandbox, where businesses are invented, this does not matter.'}
        </Notice>
      )}
      {connection.authorityIdentifiers && <Facts facts={facts} />}
      {asking === 'change' && (
        <ConnectDialog
          connection={connection}
          onClose={() => setAsking(undefined)}
          onDone={async (now) => {
            setAsking(undefined)
            await onChanged(now)
          }}
        />
      )}
      {asking === 'revoke' && (
        <ConfirmDialog
          title="Disconnect from the tax authority?"
          action="Disconnect"
          dismiss="Stay connected"
          open
          onClose={() => setAsking(undefined)}
          onConfirm={async () => onChanged(await risiti.taxConnection.revoke({}))}
        >
          You can no longer submit or receive invoices. Your existing documents stay. You can connect again at any time.
        </ConfirmDialog>
      )}
    </Panel>
  )
}

const ConnectPanel = ({ connection, onChanged }: OfConnection) => (
  <Panel
    title="Connect"
    about="You find both ids in the authority’s own dashboard. The sandbox accepts any business id, and nothing in it is real."
  >
    <ConnectForm connection={connection} onDone={onChanged} />
  </Panel>
)
