import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { Badge, momentText, Panel, type Tone } from '../../ui/index.ts'
import type { BusinessNow } from './use-business.ts'

interface Matter {
  readonly id: string
  readonly tone: Tone
  readonly word: string
  readonly title: string
  readonly about: string
  readonly action: ReactNode
}

const count = new Intl.NumberFormat('en-NG')
const many = (n: number, one: string, several = `${one}s`): string => `${count.format(n)} ${n === 1 ? one : several}`

/** What waits for somebody, the gravest first, each with what to do about it. */
export function Attention({ business }: { readonly business: BusinessNow }) {
  const matters = [
    ...useAuthorityMatters(business),
    ...useDeadlineMatters(business),
    ...useMoneyMatters(),
    ...useEndpointMatters(),
  ]
  return (
    <Panel title="Needs attention">
      {matters.length === 0 && <p className="overview-calm">Nothing waits for you.</p>}
      {matters.length > 0 && (
        <ul className="overview-matters">
          {matters.map(({ id, tone, word, title, about, action }) => (
            <li key={id}>
              <Badge tone={tone}>{word}</Badge>
              <div>
                <strong>{title}</strong>
                <p>{about}</p>
              </div>
              {action}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** What the tax authority said no to, what it never answered, and whether it answers at all. */
function useAuthorityMatters({ overview, countOf }: BusinessNow): readonly Matter[] {
  const maySee = useMay('tax_connection.read')
  const mayConnect = useMay('tax_connection.manage')
  const connection = useQuery({
    queryKey: ['tax-connection'],
    queryFn: () => risiti.taxConnection.get(),
    enabled: maySee,
  })
  const rejected = countOf('rejected')
  const unknown = overview?.unknownOutcomes ?? 0
  const failed = Math.max(0, countOf('failed') - unknown)
  const status = connection.data?.status
  const isApart = status !== undefined && status !== 'CONNECTED'
  return [
    ...(overview?.authorityOutage
      ? [
          {
            id: 'outage',
            tone: 'warn' as const,
            word: 'Outage',
            title: 'The tax authority does not answer',
            about: `Since ${momentText(overview.authorityOutage.since)}. What you submit waits, and goes by itself once it answers again.`,
            action: (
              <Link to="/invoices" search={{ reporting: 'in_progress' }} className="button">
                See what waits
              </Link>
            ),
          },
        ]
      : []),
    ...(isApart
      ? [
          {
            id: 'connection',
            tone: 'warn' as const,
            word: 'Connection',
            title:
              status === 'PENDING'
                ? 'The connection to the tax authority is not complete'
                : 'You are not connected to the tax authority',
            about: connection.data?.problem ?? 'Invoices can be written and sent, but not reported.',
            action: (
              <Link to="/settings/tax" className="button">
                {mayConnect ? 'Connect' : 'Look at it'}
              </Link>
            ),
          },
        ]
      : []),
    ...(rejected > 0
      ? [
          {
            id: 'rejected',
            tone: 'bad' as const,
            word: 'Rejected',
            title: `The tax authority rejected ${many(rejected, 'document')}`,
            about: 'Each says what is wrong with it. Mend it, and submit it again under its number.',
            action: (
              <Link to="/invoices" search={{ status: 'rejected' }} className="button">
                Mend
              </Link>
            ),
          },
        ]
      : []),
    ...(unknown > 0
      ? [
          {
            id: 'unknown',
            tone: 'bad' as const,
            word: 'Not known',
            title: `Nobody knows whether ${many(unknown, 'document')} arrived`,
            about: 'No clear answer came. Ask the tax authority before you do anything else with them.',
            action: (
              <Link to="/invoices" search={{ status: 'failed' }} className="button">
                Ask
              </Link>
            ),
          },
        ]
      : []),
    ...(failed > 0
      ? [
          {
            id: 'failed',
            tone: 'bad' as const,
            word: 'Failed',
            title: `${many(failed, 'document')} could not be submitted`,
            about: 'Nothing has reached the tax authority. They can be tried again.',
            action: (
              <Link to="/invoices" search={{ status: 'failed' }} className="button">
                Try again
              </Link>
            ),
          },
        ]
      : []),
  ]
}

/** What the law wants reported before long. */
function useDeadlineMatters({ overview }: BusinessNow): readonly Matter[] {
  const { late = 0, soon = 0, nextAt = null } = overview?.reports ?? {}
  if (late + soon === 0) return []
  // A day from now, to the minute: the same address while the page is looked at.
  const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString()
  return [
    {
      id: 'deadline',
      tone: late > 0 ? 'bad' : 'warn',
      word: late > 0 ? 'Late' : 'Soon',
      title:
        late > 0
          ? `${many(late, 'document')} should be with the tax authority by now`
          : `${many(soon, 'document')} must be with the tax authority within a day`,
      about:
        late > 0
          ? `Submit them as soon as you can${soon > 0 ? `; ${many(soon, 'more has', 'more have')} less than a day left` : ''}.`
          : `The first by ${nextAt ? momentText(nextAt) : 'tomorrow'}.`,
      action: (
        <Link to="/invoices" search={{ reportDueTo: until }} className="button">
          Submit
        </Link>
      ),
    },
  ]
}

/** Money that nobody could match, and credits that run out. */
function useMoneyMatters(): readonly Matter[] {
  const { mode } = useSession()
  const mayCollect = useMay('collection.read')
  const maySeeCredits = useMay('billing.account.read')
  const exceptions = useQuery({
    queryKey: ['collection', 'exceptions', 'count'],
    queryFn: async () => (await risiti.collection.listExceptions({ limit: 1 })).pagination.total,
    enabled: mayCollect,
  })
  const account = useQuery({
    queryKey: ['billing', 'account', mode],
    queryFn: () => risiti.billing.getAccount(),
    enabled: maySeeCredits,
  })
  const waiting = exceptions.data ?? 0
  const isLow =
    account.data !== undefined && mode === 'live' && account.data.creditBalance <= account.data.lowBalanceThreshold
  return [
    ...(waiting > 0
      ? [
          {
            id: 'unmatched',
            tone: 'warn' as const,
            word: 'Money',
            title: `${many(waiting, 'payment')} came and could not be matched`,
            about: 'Say what each was for, and the invoices are paid.',
            action: (
              <Link to="/collection/exceptions" className="button">
                Match
              </Link>
            ),
          },
        ]
      : []),
    ...(isLow
      ? [
          {
            id: 'credits',
            tone: 'warn' as const,
            word: 'Credits',
            title: `${many(account.data?.creditBalance ?? 0, 'credit')} left`,
            about: 'Without credits nothing can be submitted.',
            action: (
              <Link to="/billing" search={{}} className="button">
                Get credits
              </Link>
            ),
          },
        ]
      : []),
  ]
}

/** Endpoints that do not take what they are sent. */
function useEndpointMatters(): readonly Matter[] {
  const maySee = useMay('webhook.endpoint.read')
  const endpoints = useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async () => await risiti.webhooks.list({ limit: 100 }),
    enabled: maySee,
  })
  const failing =
    endpoints.data?.data.filter(({ enabled, failuresInARow, disabledCause }) =>
      enabled ? failuresInARow > 0 : disabledCause !== 'manual',
    ) ?? []
  const off = failing.filter(({ enabled }) => !enabled).length
  if (failing.length === 0) return []
  return [
    {
      id: 'endpoints',
      tone: off > 0 ? 'bad' : 'warn',
      word: 'Webhooks',
      title: `${many(failing.length, 'endpoint does', 'endpoints do')} not take what ${failing.length === 1 ? 'it is' : 'they are'} sent`,
      about:
        off > 0
          ? `${many(off, 'was', 'were')} switched off for that, and ${off === 1 ? 'is' : 'are'} told nothing.`
          : 'They are tried again, and switched off if that goes on.',
      action: (
        <Link to="/developers/webhooks" className="button">
          Look
        </Link>
      ),
    },
  ]
}
