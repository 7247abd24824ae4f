import type { Reachability as ReachabilityFacts } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Badge, Button, momentText, Notice, type Tone } from '../../ui/index.ts'

function wordsFor({
  reachable,
  provider,
  unavailable,
  checkedAt,
}: ReachabilityFacts): readonly [Tone, short: string, long: string] {
  if (reachable === true)
    return [
      'good',
      'Reached',
      `This buyer receives e-invoices over the network${provider ? `, through ${provider}` : ''}.`,
    ]
  if (reachable === false)
    return ['neutral', 'Not reached', 'The network does not reach this buyer. Send the document yourself.']
  if (unavailable && checkedAt !== null) return ['warn', 'No answer', 'The network did not answer. Try again later.']
  return ['neutral', 'Not checked', 'Risiti has not checked yet whether the network reaches this buyer.']
}

/** Whether the buyer can receive e-invoices over the authority's network, by the last check. */
export function Reachability({ taxId }: { readonly taxId: string }) {
  const client = useQueryClient()
  const queryKey = ['buyer-reachability', taxId]
  const known = useQuery({ queryKey, queryFn: () => risiti.buyers.getReachability({ taxId }), staleTime: 0 })
  const asking = useMutation({
    mutationFn: () => risiti.buyers.checkReachability({ taxId }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
  const words = known.data && wordsFor(known.data)
  return (
    <section aria-label="E-invoices">
      <h2>E-invoices {words && <Badge tone={words[0]}>{words[1]}</Badge>}</h2>
      <p role="status">
        {words?.[2]} {known.data?.checkedAt && `Last checked ${momentText(known.data.checkedAt)}.`}
      </p>
      {asking.data?.unavailable && <Notice tone="warn">The network did not answer. No credits were used.</Notice>}
      {(known.isError || asking.isError) && <Notice tone="bad">{wordsOf(known.error ?? asking.error)}</Notice>}
      <Button busy={asking.isPending} onClick={() => asking.mutate()}>
        Check the network
      </Button>
    </section>
  )
}
