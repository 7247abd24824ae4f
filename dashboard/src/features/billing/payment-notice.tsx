import type { BillingPayment } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { money, Notice } from '../../ui/index.ts'

type NoticeText = readonly [tone: 'info' | 'good' | 'warn' | 'bad', words: string]

function wordsFor({ status, amountMinor, currency, credits }: BillingPayment): NoticeText {
  const amount = money(amountMinor, currency)
  switch (status) {
    case 'succeeded':
      return ['good', `${amount} arrived. ${credits} credits are yours.`]
    case 'pending':
      return ['info', `We are waiting for your payment of ${amount}. This page updates when the payment arrives.`]
    case 'failed':
    case 'expired':
      return ['warn', `The payment of ${amount} failed. You were not charged. You can try again.`]
    case 'refunded':
    case 'partially_refunded':
      return ['info', `Money was refunded for the payment of ${amount}.`]
    case 'disputed':
    case 'charged_back':
      return ['warn', `The payment of ${amount} is disputed at your bank.`]
  }
}

/** Shows the result of the payment in the address, after the checkout. */
export function PaymentNotice() {
  const { payment: id } = useSearch({ from: '/inside/billing' })
  const client = useQueryClient()
  const payment = useQuery({
    queryKey: ['billing-payment', id],
    queryFn: () => risiti.billing.getPayment(id as string),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : false),
  })
  const status = payment.data?.status
  useEffect(() => {
    if (status === 'succeeded') void client.invalidateQueries({ queryKey: ['billing'] })
  }, [client, status])
  if (payment.isError) return <Notice tone="bad">{wordsOf(payment.error)}</Notice>
  if (!payment.data) return null
  const [tone, words] = wordsFor(payment.data)
  return <Notice tone={tone}>{words}</Notice>
}
