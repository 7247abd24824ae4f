import type { WebhookEndpoint, WebhookEndpointWithSecret, WebhooksCreateBody, WebhooksUpdateBody } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { demoQuery } from '../../session/demo.ts'
import { useSession } from '../../session/session.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { EventChoice } from './event-choice.tsx'
import { eventTypesQuery } from './event-types.ts'
import { choiceOf, retryChoices } from './retry-choices.ts'

type Retries = Pick<WebhooksUpdateBody, 'retryConfig'>

/** Empty if the retry plan is unchanged. */
const retriesOf = (name: string): Retries => {
  const choice = retryChoices.find((each) => each.name === name)
  return choice ? { retryConfig: choice.config } : {}
}

/** Without `endpoint`, the form creates a new one. */
export function EndpointForm({
  endpoint,
  onDone,
}: {
  readonly endpoint?: WebhookEndpoint
  readonly onDone: (endpoint: WebhookEndpointWithSecret) => void
}) {
  const types = useQuery(eventTypesQuery)
  const { mode } = useSession()
  const isPlayground = useQuery(demoQuery).data != null
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(endpoint?.events ?? ['*']))
  const saving = useMutation({
    mutationFn: async (body: Omit<WebhooksCreateBody, 'retryConfig'> & Retries): Promise<WebhookEndpointWithSecret> =>
      endpoint
        ? await risiti.webhooks.update(endpoint.id, body)
        : await risiti.webhooks.create({ ...body, retryConfig: body.retryConfig ?? undefined }),
    onSuccess: onDone,
  })
  const faults = faultsOf(saving.error)
  const eventFault = Object.entries(faults).find(([path]) => path.startsWith('events'))?.[1]
  const retryFault = Object.entries(faults).find(([path]) => path.startsWith('retryConfig'))?.[1]
  const current = endpoint ? (choiceOf(endpoint.retryConfig) ?? 'own') : 'patient'
  const subscribable = types.data?.filter((each) => each.subscribable) ?? []
  const toggle = (type: string) => {
    const next = new Set(chosen)
    if (!next.delete(type)) next.add(type)
    setChosen(next)
  }
  const takesAll = chosen.has('*')
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe } = fieldsOf(event)
        saving.mutate({
          url: text('url'),
          description: maybe('description') ?? null,
          events: takesAll ? ['*'] : [...chosen],
          ...retriesOf(text('retries')),
        })
      }}
    >
      {saving.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        placeholder="https://"
        defaultValue={endpoint?.url}
        hint={
          isPlayground && mode === 'sandbox'
            ? 'The address must be reachable from the internet over https. In this playground, it can also be on your own machine, such as http://127.0.0.1:8080.'
            : 'The address must be reachable from the internet over https.'
        }
        fault={faults.url}
      />
      <TextField
        label="Description"
        name="description"
        autoComplete="off"
        defaultValue={endpoint?.description ?? ''}
        hint="Only you see this text, such as “web shop”."
        fault={faults.description}
      />
      <SelectField
        label="Retries"
        name="retries"
        defaultValue={current}
        options={[
          ...retryChoices.map(({ name, words }) => [name, words] as const),
          ...(current === 'own' ? [['own', 'As set through the API'] as const] : []),
        ]}
        hint="How often and for how long Risiti tries to deliver each event."
        fault={retryFault}
      />
      <EventChoice types={subscribable} chosen={chosen} onToggle={toggle} />
      {eventFault && <Notice tone="bad">{eventFault}</Notice>}
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {endpoint ? 'Save' : 'Create the endpoint'}
        </Button>
      </DialogActions>
    </form>
  )
}
