import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { capitalised } from '../../ui/capitalised.ts'
import { count } from '../../ui/count.ts'
import { Badge, Button, ConfirmDialog, money, Notice, Panel } from '../../ui/index.ts'
import { subscriptionQuery } from './subscription.ts'
import { dayOf, statusWords } from './subscription-words.ts'

export function SubscriptionPanel() {
  const { mode } = useSession()
  const client = useQueryClient()
  const mayCancel = useMay('billing.subscription.cancel')
  const mayRenew = useMay('billing.subscription.renew')
  const mayResume = useMay('billing.subscription.resume')
  const [isEnding, setEnding] = useState(false)
  const subscription = useQuery(subscriptionQuery(mode))
  const changed = () => client.invalidateQueries({ queryKey: ['billing'] })
  const resuming = useMutation({
    mutationFn: (id: string) => risiti.billing.resumeSubscription(id),
    onSuccess: changed,
  })
  const { once, renew } = useOneKey()
  const paying = useMutation({
    mutationFn: async (id: string) => {
      const { checkoutUrl } = await risiti.billing.renewSubscription(id, { returnPath: '/billing' }, once(id))
      renew()
      location.assign(checkoutUrl)
    },
  })
  const own = subscription.data
  const failure = subscription.error ?? resuming.error ?? paying.error
  if (!own && !failure) return null
  return (
    <Panel title="Plan">
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      {own && (
        <>
          <p className="billing-plan">
            <strong>{capitalised(own.planCode)}</strong>
            <Badge tone={statusWords[own.status][0]}>{statusWords[own.status][1]}</Badge>
            {own.cancelAtPeriodEnd && <Badge tone="warn">Ends after this period</Badge>}
          </p>
          <p>
            {money(own.amountMinor, own.currency)} {own.interval === 'yearly' ? 'a year' : 'a month'}, for{' '}
            {count.format(own.monthlyCredits)} credits each month.
            {own.currentPeriod &&
              (own.cancelAtPeriodEnd
                ? ` The plan ends on ${dayOf(own.currentPeriod.endsAt)}.`
                : ` Paid until ${dayOf(own.currentPeriod.endsAt)}.`)}
          </p>
          <div className="table-actions">
            {own.status === 'past_due' && mayRenew && mode === 'live' && (
              <Button kind="primary" busy={paying.isPending} onClick={() => paying.mutate(own.id)}>
                Pay now
              </Button>
            )}
            {own.cancelAtPeriodEnd && mayResume && mode === 'live' && (
              <Button busy={resuming.isPending} onClick={() => resuming.mutate(own.id)}>
                Keep the plan
              </Button>
            )}
            {!own.cancelAtPeriodEnd && own.status !== 'expired' && mayCancel && mode === 'live' && (
              <Button kind="danger" onClick={() => setEnding(true)}>
                End the plan
              </Button>
            )}
          </div>
          {isEnding && (
            <ConfirmDialog
              title="End the plan?"
              action="End the plan"
              dismiss="Keep the plan"
              open
              onClose={() => setEnding(false)}
              onConfirm={async () => {
                await risiti.billing.cancelSubscription(own.id, {})
                await changed()
              }}
            >
              {own.status === 'active' && own.currentPeriod
                ? `The plan is paid until ${dayOf(own.currentPeriod.endsAt)} and ends then. Until then you can change your mind.`
                : 'The plan ends at once, because it was not paid.'}{' '}
              You keep your credits.
            </ConfirmDialog>
          )}
        </>
      )}
    </Panel>
  )
}
