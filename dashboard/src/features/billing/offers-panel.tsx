import type { CatalogueListOffersReply } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { count } from '../../ui/count.ts'
import { Badge, Button, money, Notice, Panel, SelectField } from '../../ui/index.ts'
import { subscriptionQuery } from './subscription.ts'

type Currency = CatalogueListOffersReply['packages'][number]['prices'][number]['currency']
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })
const intervals = [
  ['monthly', 'Each month'],
  ['yearly', 'Each year'],
] as const
type Interval = (typeof intervals)[number][0]

/** Plans and packages. The provider's checkout leads back to this page. */
export function OffersPanel() {
  const { mode } = useSession()
  const maySubscribe = useMay('billing.subscription.subscribe') && mode === 'live'
  const mayBuy = useMay('billing.credits.purchase') && mode === 'live'
  const home = useCountry().currency
  const [chosen, setCurrency] = useState<Currency>()
  const [interval, setInterval] = useState<Interval>('monthly')
  const offers = useQuery({
    queryKey: ['offers'],
    queryFn: () => risiti.catalogue.listOffers(),
    staleTime: 600_000,
  })
  const currencies = [...new Set(offers.data?.packages.flatMap(({ prices }) => prices.map((each) => each.currency)))]
  const currency = chosen ?? currencies.find((each) => each === home) ?? currencies[0]
  const maySeePlan = useMay('billing.subscription.read')
  const own = useQuery({ ...subscriptionQuery(mode), enabled: maySeePlan }).data
  const isOwn = (code: string) => own?.planCode === code && own.status !== 'expired'
  // An unpaid subscription can be continued. An active one allows no second.
  const hasPlan = own !== undefined && own !== null && (own.status === 'active' || own.status === 'past_due')
  const { once, renew } = useOneKey()
  const leaving = useMutation({
    mutationFn: async (order: () => Promise<{ checkoutUrl: string }>) => {
      const { checkoutUrl } = await order()
      renew()
      location.assign(checkoutUrl)
    },
  })
  return (
    <Panel
      title="Buy credits"
      about={
        mode === 'live' ? 'You pay on the page of our payment provider and come back here.' : 'Switch to live to buy.'
      }
    >
      {(offers.isError || leaving.isError) && <Notice tone="bad">{wordsOf(offers.error ?? leaving.error)}</Notice>}
      <form className="billing-pay">
        <SelectField
          label="Pay in"
          value={currency}
          onChange={({ target }) => setCurrency(target.value as Currency)}
          options={currencies.map((each) => [each, currencyNames.of(each) ?? each])}
        />
        <SelectField
          label="Pay for a plan"
          value={interval}
          onChange={({ target }) => setInterval(target.value as Interval)}
          options={intervals}
        />
      </form>
      <h3>Credits each month</h3>
      {maySubscribe && hasPlan && (
        <p>
          {own.cancelAtPeriodEnd
            ? 'When your plan has ended, you can choose another plan.'
            : 'To change to another plan, first end your plan above. You keep the paid period and then choose another plan.'}
        </p>
      )}
      <ul className="billing-offers">
        {offers.data?.plans.map(({ code, name, description, monthlyCredits, prices }) => {
          const price = prices.find((each) => each.currency === currency && each.interval === interval)
          return (
            <li key={code}>
              <strong>
                {name} {isOwn(code) && <Badge tone="good">Your plan</Badge>}
              </strong>
              <p>{description}</p>
              <span>
                {monthlyCredits > 0 && `${count.format(monthlyCredits)} credits each month`}
                {price &&
                  `, ${money(price.amountMinor, price.currency)} ${interval === 'yearly' ? 'a year' : 'a month'}`}
              </span>
              {maySubscribe && !hasPlan && price && price.amountMinor > 0 && (
                <Button
                  aria-label={`Subscribe to ${name}`}
                  busy={leaving.isPending}
                  onClick={() =>
                    leaving.mutate(() => {
                      const body = {
                        planCode: code,
                        interval,
                        currency: price.currency,
                        returnPath: '/billing',
                      } as const
                      return risiti.billing.subscribe(body, once(body))
                    })
                  }
                >
                  Subscribe
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <h3>Credits once</h3>
      <ul className="billing-offers">
        {offers.data?.packages.map(({ id, name, credits, prices }) => {
          const price = prices.find((each) => each.currency === currency)
          return (
            <li key={id}>
              <strong>{name}</strong>
              <span>
                {count.format(credits)} credits{price && `, ${money(price.amountMinor, price.currency)}`}
              </span>
              {mayBuy && price && (
                <Button
                  aria-label={`Buy ${name}`}
                  busy={leaving.isPending}
                  onClick={() =>
                    leaving.mutate(() => {
                      const body = { packageId: id, currency: price.currency, returnPath: '/billing' }
                      return risiti.billing.purchase(body, once(body))
                    })
                  }
                >
                  Buy
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
