import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  momentText,
  Notice,
  Panel,
  ShowOnce,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DevelopersHead } from './developers-head.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { ResendDialog } from './resend-dialog.tsx'
import { SwitchOnDialog } from './switch-on-dialog.tsx'
import './developers.css'

const disabledWords: Readonly<Record<NonNullable<WebhookEndpoint['disabledCause']>, string>> = {
  manual: 'This endpoint is switched off.',
  failures:
    'Risiti switched off this endpoint, because every delivery failed for a day. Fix the endpoint, then switch it on again.',
  gone: 'Risiti switched off this endpoint, because it answered that it no longer exists.',
}

type OpenDialog =
  | { readonly what: 'create' }
  | { readonly what: 'change' | 'rotate' | 'resend' | 'enable' | 'delete'; readonly endpoint: WebhookEndpoint }

export function WebhookListPage() {
  const client = useQueryClient()
  const mayManage = useMay('webhook.endpoint.manage')
  const [dialog, setDialog] = useState<OpenDialog>()
  const [made, setMade] = useState<{ readonly url: string; readonly secret: string }>()
  const [delivery, setDelivery] = useState<string>()
  const endpoints = useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async () => await risiti.webhooks.list({ limit: 100 }),
  })
  const close = () => setDialog(undefined)
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const show = async ({ url, secret }: Pick<WebhookEndpointWithSecret, 'url' | 'secret'>) => {
    if (secret !== undefined) setMade({ url, secret })
    close()
    await changed()
  }
  const newEndpoint = mayManage && (
    <Button kind="primary" onClick={() => setDialog({ what: 'create' })}>
      New endpoint
    </Button>
  )
  return (
    <>
      <DevelopersHead>{newEndpoint}</DevelopersHead>
      {made && (
        <div className="developers-made">
          <Notice tone="warn" title="Save the secret">
            <p>Risiti signs every delivery to {made.url} with this secret. You see the secret only now.</p>
            <ShowOnce label="Signing secret" secret={made.secret} />
            <Button onClick={() => setMade(undefined)}>I have saved the secret</Button>
          </Notice>
        </div>
      )}
      <LoadState query={endpoints} />
      {endpoints.data?.data.length === 0 && (
        <EmptyState title="No endpoints yet" action={newEndpoint}>
          An endpoint is the address of your own program. Your program receives a message within seconds when an invoice
          is accepted, rejected or paid.
        </EmptyState>
      )}
      <div className="developers-list">
        {endpoints.data?.data.map((endpoint) => (
          <EndpointPanel
            key={endpoint.id}
            endpoint={endpoint}
            ask={(what) => setDialog({ what, endpoint })}
            onTested={setDelivery}
          />
        ))}
      </div>
      <Dialog title="New endpoint" open={dialog?.what === 'create'} onClose={close}>
        <EndpointForm onDone={show} />
      </Dialog>
      {dialog?.what === 'change' && (
        <Dialog title="Edit the endpoint" open onClose={close}>
          <EndpointForm endpoint={dialog.endpoint} onDone={show} />
        </Dialog>
      )}
      {dialog?.what === 'resend' && <ResendDialog endpoints={[dialog.endpoint]} onClose={close} />}
      {dialog?.what === 'enable' && <SwitchOnDialog endpoint={dialog.endpoint} onClose={close} />}
      {dialog?.what === 'rotate' && (
        <ConfirmDialog
          title="Replace the secret?"
          action="Create a new secret"
          open
          onClose={close}
          onConfirm={async () => show(await risiti.webhooks.rotateSecret(dialog.endpoint.id))}
        >
          For one day, Risiti signs every message with both secrets. Install the new secret in that time. Then the old
          secret stops working.
        </ConfirmDialog>
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          title="Delete the endpoint?"
          action="Delete the endpoint"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.webhooks.delete(dialog.endpoint.id)
            await changed()
          }}
        >
          Risiti sends nothing more to {dialog.endpoint.url}, and waiting deliveries fail. This cannot be undone.
        </ConfirmDialog>
      )}
      {delivery !== undefined && <DeliveryDialog id={delivery} onClose={() => setDelivery(undefined)} />}
    </>
  )
}

function EndpointPanel({
  endpoint,
  ask,
  onTested,
}: {
  readonly endpoint: WebhookEndpoint
  readonly ask: (what: 'change' | 'rotate' | 'resend' | 'enable' | 'delete') => void
  readonly onTested: (deliveryId: string) => void
}) {
  const client = useQueryClient()
  const mayManage = useMay('webhook.endpoint.manage')
  const mayTest = useMay('webhook.endpoint.test')
  const mayResend = useMay('webhook.delivery.redeliver')
  const { id, url, description, events, enabled, disabledCause, failuresInARow, previousSecretUntil } = endpoint
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const switchingOff = useMutation({
    mutationFn: () => risiti.webhooks.update(id, { enabled: false }),
    onSuccess: changed,
  })
  const testing = useMutation({
    mutationFn: () => risiti.webhooks.test(id),
    onSuccess: async (delivery) => {
      onTested(delivery.id)
      await changed()
    },
  })
  const failure = switchingOff.error ?? testing.error
  return (
    <Panel
      title={description || new URL(url).host}
      about={<span className="developers-url">{url}</span>}
      action={<Badge tone={enabled ? 'good' : 'bad'}>{enabled ? 'On' : 'Off'}</Badge>}
    >
      {!enabled && disabledCause && <Notice tone="warn">{disabledWords[disabledCause]}</Notice>}
      {enabled && failuresInARow > 0 && (
        <Notice tone="warn">
          {failuresInARow === 1 ? 'The last delivery failed.' : `The last ${failuresInARow} deliveries failed.`}
        </Notice>
      )}
      {previousSecretUntil && <p>The previous secret works until {momentText(previousSecretUntil)}.</p>}
      <p>
        Events: {events.includes('*') ? 'all' : events.join(', ')}.{' '}
        <Link to="/developers/deliveries" search={{ endpointId: id }}>
          See deliveries
        </Link>
      </p>
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      <div className="table-actions">
        {mayTest && (
          <Button busy={testing.isPending} onClick={() => testing.mutate()}>
            Send a test
          </Button>
        )}
        {mayResend && enabled && <Button onClick={() => ask('resend')}>Send failed deliveries again</Button>}
        {mayManage && (
          <>
            <Button onClick={() => ask('change')}>Edit</Button>
            {enabled ? (
              <Button busy={switchingOff.isPending} onClick={() => switchingOff.mutate()}>
                Switch off
              </Button>
            ) : (
              <Button onClick={() => ask('enable')}>Switch on</Button>
            )}
            <Button onClick={() => ask('rotate')}>Replace the secret</Button>
            <Button kind="danger" onClick={() => ask('delete')}>
              Delete
            </Button>
          </>
        )}
      </div>
    </Panel>
  )
}
