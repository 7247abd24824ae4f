import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { Badge, Button, Dialog, DialogActions, momentText, Notice } from '../../ui/index.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { attemptWords, deliveryWords } from './delivery-words.ts'
import './developers.css'

const isUnderWay = (status: string | undefined) => status === 'pending' || status === 'delivering'

export function DeliveryDialog({ id: first, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const client = useQueryClient()
  const mayRedeliver = useMay('webhook.delivery.redeliver')
  const [id, setId] = useState(first)
  const delivery = useQuery({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: () => risiti.webhooks.getDelivery(id),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? 1_000 : false),
  })
  const { data } = delivery
  const event = useQuery({
    queryKey: ['webhooks', 'event', data?.eventId],
    queryFn: () => risiti.webhooks.getEvent(data?.eventId as string),
    enabled: data !== undefined && !data.test,
  })
  const redelivering = useMutation({
    mutationFn: () => risiti.webhooks.redeliver(id),
    onSuccess: async (again) => {
      setId(again.id)
      await client.invalidateQueries({ queryKey: ['webhooks'] })
    },
  })
  const [tone, words] = data ? deliveryWords[data.status] : (['neutral', ''] as const)
  return (
    <Dialog title={data ? data.type : 'Delivery'} open onClose={onClose} wide>
      {delivery.isError && <Notice tone="bad">{wordsOf(delivery.error)}</Notice>}
      {data && (
        <>
          <p>
            <Badge tone={tone}>{words}</Badge> {momentText(data.createdAt)}
            {data.test && ', test'}
          </p>
          <ol className="developers-attempts">
            {data.attempts.map((attempt) => (
              <li key={attempt.number}>
                <p>
                  <strong>{momentText(attempt.at)}</strong> {attemptWords(attempt)}
                </p>
                {attempt.response && <JsonBody label={`Response ${attempt.number}`} value={attempt.response} />}
                {attempt.requestHeaders && (
                  <details>
                    <summary>Request headers</summary>
                    <JsonBody
                      label={`Request headers ${attempt.number}`}
                      value={Object.entries(attempt.requestHeaders)
                        .map(([name, value]) => `${name}: ${value}`)
                        .join('\n')}
                    />
                    <p>If you have replaced the secret since, the signature was a different one.</p>
                  </details>
                )}
              </li>
            ))}
          </ol>
          {event.data && (
            <details>
              <summary>Payload</summary>
              <JsonBody label="Payload" value={event.data} />
            </details>
          )}
          {redelivering.isError && <Notice tone="bad">{wordsOf(redelivering.error)}</Notice>}
          {mayRedeliver && !isUnderWay(data.status) && (
            <DialogActions>
              <Button kind="primary" busy={redelivering.isPending} onClick={() => redelivering.mutate()}>
                Send again
              </Button>
            </DialogActions>
          )}
        </>
      )}
    </Dialog>
  )
}
