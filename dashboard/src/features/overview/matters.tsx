import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../../ui/count.ts'
import { momentText, type Tone } from '../../ui/index.ts'
import type { BusinessNow } from './use-business.ts'

/** A problem that needs an action, with a link to the action. */
export interface Matter {
  readonly id: string
  readonly tone: Tone
  readonly word: string
  readonly title: string
  readonly about: string
  readonly action: ReactNode
}

const many = (n: number, one: string, several = `${one}s`): string => `${count.format(n)} ${n === 1 ? one : several}`

const when = (isSo: boolean, matter: () => Matter): readonly Matter[] => (isSo ? [matter()] : [])

/** All problems, the most serious first. */
export const mattersOf = (business: BusinessNow): readonly Matter[] => [
  ...ofAuthority(business),
  ...ofDocuments(business),
  ...ofDeadlines(business),
  ...ofMoney(business),
  ...ofEndpoints(business),
]

function ofAuthority({ overview, connection }: BusinessNow): readonly Matter[] {
  const outage = overview?.authorityOutage
  return [
    ...when(outage != null, () => ({
      id: 'outage',
      tone: 'warn',
      word: 'Outage',
      title: 'The tax authority does not answer',
      about: `No answer since ${momentText(outage?.since ?? '')}. Submitted invoices wait and are sent automatically when the authority answers again.`,
      action: (
        <Link to="/invoices" search={{ reporting: 'in_progress' }} className="button">
          See waiting invoices
        </Link>
      ),
    })),
    ...when(connection !== undefined && connection.status !== 'CONNECTED', () => ({
      id: 'connection',
      tone: 'warn',
      word: 'Connection',
      title:
        connection?.status === 'PENDING'
          ? 'The connection to the tax authority is not complete'
          : 'You are not connected to the tax authority',
      about: connection?.problem ?? 'You can create and send invoices, but not report them.',
      action: (
        <Link to="/settings/tax" className="button">
          Connect
        </Link>
      ),
    })),
  ]
}

function ofDocuments({ overview, countOf }: BusinessNow): readonly Matter[] {
  const rejected = countOf('rejected')
  const unknown = overview?.unknownOutcomes ?? 0
  const failed = countOf('failed') - unknown
  return [
    ...when(rejected > 0, () => ({
      id: 'rejected',
      tone: 'bad',
      word: 'Rejected',
      title: `The tax authority rejected ${many(rejected, 'document')}`,
      about: 'Each document shows what is wrong. Fix the document and submit it again with the same number.',
      action: (
        <Link to="/invoices" search={{ status: 'rejected' }} className="button">
          Fix
        </Link>
      ),
    })),
    ...when(unknown > 0, () => ({
      id: 'unknown',
      tone: 'bad',
      word: 'Unknown',
      title: `${many(unknown, 'document')} with an unknown result`,
      about:
        'The tax authority gave no clear answer. Ask the authority for the status before you do anything else with these documents.',
      action: (
        <Link to="/invoices" search={{ status: 'failed' }} className="button">
          Check status
        </Link>
      ),
    })),
    ...when(failed > 0, () => ({
      id: 'failed',
      tone: 'bad',
      word: 'Failed',
      title: `${many(failed, 'document')} could not be submitted`,
      about: 'Nothing has reached the tax authority. You can try again.',
      action: (
        <Link to="/invoices" search={{ status: 'failed' }} className="button">
          Try again
        </Link>
      ),
    })),
  ]
}

function ofDeadlines({ overview }: BusinessNow): readonly Matter[] {
  const { late = 0, soon = 0, nextAt = null, until } = overview?.reports ?? {}
  const more = soon > 0 ? `; ${many(soon, 'more has', 'more have')} less than a day left` : ''
  return when(late + soon > 0, () => ({
    id: 'deadline',
    tone: late > 0 ? 'bad' : 'warn',
    word: late > 0 ? 'Late' : 'Soon',
    title:
      late > 0
        ? `The deadline for reporting ${many(late, 'document')} has passed`
        : `${many(soon, 'document')} must be reported within a day`,
    about:
      late > 0
        ? `Submit the documents as soon as you can${more}.`
        : `The first deadline is ${nextAt === null ? 'tomorrow' : momentText(nextAt)}.`,
    action: (
      <Link to="/invoices" search={{ reportDueTo: until }} className="button">
        Submit
      </Link>
    ),
  }))
}

function ofMoney({ mode, unmatched, account }: BusinessNow): readonly Matter[] {
  const isLow = account !== undefined && mode === 'live' && account.creditBalance <= account.lowBalanceThreshold
  return [
    ...when(unmatched > 0, () => ({
      id: 'unmatched',
      tone: 'warn',
      word: 'Payments',
      title: `${many(unmatched, 'payment')} could not be matched`,
      about: 'Choose the invoice for each payment.',
      action: (
        <Link to="/collection/exceptions" className="button">
          Match
        </Link>
      ),
    })),
    ...when(isLow, () => ({
      id: 'credits',
      tone: 'warn',
      word: 'Credits',
      title: `${many(account?.creditBalance ?? 0, 'credit')} left`,
      about: 'You need credits to submit invoices.',
      action: (
        <Link to="/billing" search={{}} className="button">
          Buy credits
        </Link>
      ),
    })),
  ]
}

function ofEndpoints({ endpoints }: BusinessNow): readonly Matter[] {
  const failing = endpoints.filter(({ enabled, failuresInARow, disabledCause }) =>
    enabled ? failuresInARow > 0 : disabledCause !== 'manual',
  )
  const off = failing.filter(({ enabled }) => !enabled).length
  return when(failing.length > 0, () => ({
    id: 'endpoints',
    tone: off > 0 ? 'bad' : 'warn',
    word: 'Webhooks',
    title:
      failing.length === 1
        ? 'Deliveries to an endpoint fail'
        : `Deliveries to ${count.format(failing.length)} endpoints fail`,
    about:
      off > 0
        ? `Risiti switched off ${many(off, 'endpoint')} because of failed deliveries.`
        : 'Risiti tries again, and switches an endpoint off if it keeps failing.',
    action: (
      <Link to="/developers/webhooks" className="button">
        View
      </Link>
    ),
  }))
}
