import type { ComingInvoice, RecurringPeriod, RecurringSchedule } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useSession } from '../../session/session.tsx'
import { PageState } from '../../shell/page-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Badge, Button, ConfirmDialog, dayText, ListTable, Notice, PageHead, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { priceText } from '../../ui/money.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { say } from '../../ui/toast.tsx'
import { fieldSentence } from '../../words/field-faults.ts'
import { refusalWords } from '../../words/refusals.ts'
import { BuyerName } from '../collection/buyer-name.tsx'
import { whereOf } from '../invoices/where-of.ts'
import { ItemName } from '../items/item-name.tsx'
import {
  billingWords,
  catchUpWords,
  outcomeWords,
  policyNeeds,
  policyWords,
  ruleText,
  statusWords,
} from './schedule-words.ts'
import '../buyers/buyer-page.css'
import './recurring.css'

/** One schedule: its next invoices, what came of earlier periods, and its settings. */
export function SchedulePage() {
  const { id } = useParams({ from: '/inside/recurring/$id' })
  const { capabilities } = useSession()
  const query = useQuery({ queryKey: ['recurring', 'one', id], queryFn: () => risiti.recurringInvoices.get(id) })
  const { data: schedule } = query
  if (!schedule)
    return (
      <PageState
        query={query}
        name="schedule"
        list={
          <Link to="/recurring" search={{}} className="button">
            All schedules
          </Link>
        }
      />
    )
  const [tone, words] = statusWords[schedule.status]
  const mayChange = policyNeeds[schedule.policy].every((needed) => capabilities.includes(needed))
  return (
    <>
      <p className="buyer-back">
        <Link to="/recurring" search={{}}>
          Recurring invoices
        </Link>
      </p>
      <PageHead title={schedule.name} about={<Badge tone={tone}>{words}</Badge>}>
        {mayChange && <ScheduleActions schedule={schedule} />}
      </PageHead>
      <div className="buyer-parts">
        <div>
          <NextInvoices schedule={schedule} mayChange={mayChange} />
          <Results schedule={schedule} mayChange={mayChange} />
        </div>
        <Settings schedule={schedule} />
      </div>
    </>
  )
}

/** The invoice was refused once more, with a reason in the words of the pages. */
class StillRefused extends Error {}

/** An action on a schedule. Afterwards its data is read again and a message appears. */
function useScheduleAction<Given = void>(
  act: (given: Given, once: { readonly idempotencyKey: string }) => PromiseLike<unknown>,
  done: string,
) {
  const client = useQueryClient()
  const { once, renew } = useOneKey()
  return useMutation({
    mutationFn: async (given: Given) => await act(given, once(given ?? null)),
    onSuccess: async () => {
      renew()
      say(done)
      await client.invalidateQueries({ queryKey: ['recurring'] })
    },
    onError: (error) => {
      // The request had its effect, so the next one is a new action.
      if (error instanceof StillRefused) renew()
    },
  })
}

function ScheduleActions({ schedule: { id, name, status } }: { readonly schedule: RecurringSchedule }) {
  const [isEnding, setEnding] = useState(false)
  const pause = useScheduleAction((_, once) => risiti.recurringInvoices.pause(id, once), `${name} is paused.`)
  const resume = useScheduleAction((_, once) => risiti.recurringInvoices.resume(id, once), `${name} goes on.`)
  const end = useScheduleAction((_, once) => risiti.recurringInvoices.end(id, once), `${name} has ended.`)
  const failure = pause.error ?? resume.error
  if (status === 'ended') return null
  return (
    <>
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      <Button kind="danger" onClick={() => setEnding(true)}>
        End
      </Button>
      {status === 'active' ? (
        <Button busy={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
      ) : (
        <Button kind="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      )}
      <Link to="/recurring/$id/edit" params={{ id }} className="button">
        Change
      </Link>
      {isEnding && (
        <ConfirmDialog
          title={`End ${name}?`}
          action="End the schedule"
          open
          onClose={() => setEnding(false)}
          onConfirm={() => end.mutateAsync()}
        >
          The schedule makes no further invoices, and this cannot be undone. Invoices that were made stay as they are.
        </ConfirmDialog>
      )}
    </>
  )
}

const periodText = ({ from, to }: Pick<ComingInvoice, 'from' | 'to'>): string => `${dayText(from)} – ${dayText(to)}`

interface PartProps {
  readonly schedule: RecurringSchedule
  readonly mayChange: boolean
}

function NextInvoices({ schedule, mayChange }: PartProps) {
  const { id, status } = schedule
  const [skipping, setSkipping] = useState<string>()
  const coming = useQuery({
    queryKey: ['recurring', 'preview', id, schedule.updatedAt],
    queryFn: () => risiti.recurringInvoices.preview(id),
    placeholderData: keepPreviousData,
  })
  const unskip = useScheduleAction(
    (day: string, once) => risiti.recurringInvoices.unskip(id, { day }, once),
    'The invoice is made after all.',
  )
  const skip = useScheduleAction(
    (day: string, once) => risiti.recurringInvoices.skip(id, { day }, once),
    'The period is skipped.',
  )
  if (status === 'ended') return null
  return (
    <Panel
      title="Next invoices"
      about={
        status === 'paused'
          ? 'None of them is made while the schedule is paused.'
          : 'An invoice is made when its day begins.'
      }
    >
      <LoadState query={coming} />
      {unskip.isError && <Notice tone="bad">{wordsOf(unskip.error)}</Notice>}
      {coming.data && (
        <ListTable label="Next invoices" heads={['Day', 'Period', 'Lines', 'Due', 'actions']}>
          {coming.data.map((one) => (
            <tr key={one.day}>
              <th scope="row">{dayText(one.day)}</th>
              <td>{periodText(one)}</td>
              <td>{one.descriptions.map((words) => words ?? 'Deleted item').join(', ')}</td>
              <td>{one.dueDate === null ? '–' : dayText(one.dueDate)}</td>
              <td>
                <div className="table-actions">
                  {one.skipped ? (
                    <>
                      <Badge>Skipped</Badge>
                      {mayChange && (
                        <Button
                          aria-label={`Take back the skip of ${dayText(one.day)}`}
                          busy={unskip.isPending && unskip.variables === one.day}
                          onClick={() => unskip.mutate(one.day)}
                        >
                          Take back
                        </Button>
                      )}
                    </>
                  ) : (
                    mayChange && (
                      <Button aria-label={`Skip ${dayText(one.day)}`} onClick={() => setSkipping(one.day)}>
                        Skip
                      </Button>
                    )
                  )}
                </div>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {skipping !== undefined && (
        <ConfirmDialog
          title={`Skip ${dayText(skipping)}?`}
          action="Skip this period"
          kind="primary"
          open
          onClose={() => setSkipping(undefined)}
          onConfirm={() => skip.mutateAsync(skipping)}
        >
          No invoice is made for this period. You can take this back until its day, and make the invoice yourself after
          it.
        </ConfirmDialog>
      )}
    </Panel>
  )
}

const pageSize = 12

function Results({ schedule: { id, updatedAt, nextOn }, mayChange }: PartProps) {
  const { page } = useSearch({ from: '/inside/recurring/$id' })
  const past = useQuery({
    queryKey: ['recurring', 'periods', id, page, updatedAt],
    queryFn: async () => await risiti.recurringInvoices.listPeriods(id, { page, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
  const run = useScheduleAction(async (day: string, once) => {
    const { error } = await risiti.recurringInvoices.runAgain(id, { day }, once)
    if (error) throw new StillRefused(refusalWords(error.reason, error.message))
  }, 'The invoice was made.')
  /** a skipped period whose day has not come; it is also among the next invoices */
  const isComing = ({ day, outcome }: RecurringPeriod) => outcome !== 'waiting' && nextOn !== null && day >= nextOn
  const hasFailed = past.data?.data.some(({ outcome }) => outcome === 'failed')
  const isWaiting = past.data?.data.some(({ outcome }) => outcome === 'waiting')
  return (
    <Panel title="Results">
      <LoadState query={past} />
      {run.isError && (
        <Notice tone="bad">{run.error instanceof StillRefused ? run.error.message : wordsOf(run.error)}</Notice>
      )}
      {isWaiting && (
        <Notice tone="warn" title="A period waits for its invoice.">
          The reason below may pass. The invoice is tried again every hour, for three days.
        </Notice>
      )}
      {hasFailed && (
        <Notice tone="warn" title="A period has no invoice.">
          Nothing was made for it, and later periods go on. Remove the reason below, then choose “Make the invoice”.
        </Notice>
      )}
      {past.data && past.data.data.length === 0 && <p>No invoice was due yet.</p>}
      {past.data && past.data.data.length > 0 && (
        <>
          <ListTable label="Results" heads={['Day', 'Period', 'Result', 'actions']}>
            {past.data.data.map((period) => (
              <tr key={period.day}>
                <th scope="row">{dayText(period.day)}</th>
                <td>{periodText(period)}</td>
                <td>
                  <Result period={period} />
                </td>
                <td>
                  <div className="table-actions">
                    {mayChange && period.outcome !== 'made' && !isComing(period) && (
                      <Button
                        aria-label={`Make the invoice of ${dayText(period.day)}`}
                        busy={run.isPending && run.variables === period.day}
                        onClick={() => run.mutate(period.day)}
                      >
                        Make the invoice
                      </Button>
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </ListTable>
          <Pagination
            {...past.data.pagination}
            link={(to, words, isCurrent) => (
              <Link
                to="/recurring/$id"
                params={{ id }}
                search={{ page: to }}
                aria-current={isCurrent ? 'page' : undefined}
              >
                {words}
              </Link>
            )}
          />
        </>
      )}
    </Panel>
  )
}

function Result({ period: { outcome, error, invoiceId, invoiceNumber } }: { readonly period: RecurringPeriod }) {
  const [tone, words] = outcomeWords[outcome]
  return (
    <>
      <Badge tone={tone}>{words}</Badge>{' '}
      {invoiceId !== null && (
        <Link to="/invoices/$id" params={{ id: invoiceId }}>
          {invoiceNumber}
        </Link>
      )}
      {error && (
        <div className="recurring-why">
          {refusalWords(error.reason, error.message)}
          {error.details.length > 0 && (
            <ul className="recurring-reasons">
              {error.details.map(({ path, message }) => (
                <li key={`${path} ${message}`}>{`${whereOf(path)}${fieldSentence(message)}`}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>
  )
}

function Settings({ schedule }: { readonly schedule: RecurringSchedule }) {
  const { invoice, until, count, dueInDays } = schedule
  const ends = [
    until === null ? undefined : `on ${dayText(until)}`,
    count === null ? undefined : count === 1 ? 'after one period' : `after ${count} periods`,
  ].filter((words) => words !== undefined)
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          ['Repeats', ruleText(schedule)],
          ['From', dayText(schedule.startsOn)],
          ['Ends', ends.length === 0 ? 'never' : ends.join(' or ')],
          ['Buyer', <BuyerName key="buyer" id={invoice.buyerId} nobody="A consumer" />],
          ['Each invoice', policyWords[schedule.policy]],
          ['Created by', schedule.createdBy.type === 'api_key' ? 'an API key' : 'a person'],
          ['Due', dueInDays === null ? 'no due date' : dueInDays === 1 ? 'after 1 day' : `after ${dueInDays} days`],
          ['An invoice is for', billingWords[schedule.billing]],
          ['Missed days', catchUpWords[schedule.catchUp]],
          [
            'Lines',
            invoice.lineItems.map((line, nth) => (
              // Lines have no id of their own, and their order does not change.
              <div key={`${nth} ${line.description}`}>
                {line.quantity} × {line.description ?? <ItemName id={line.itemId} />}
                {line.unitPrice === null ? ', price of the day' : `, ${priceText(line.unitPrice, invoice.currency)}`}
              </div>
            )),
          ],
          ['Notes', invoice.notes],
        ]}
      />
    </Panel>
  )
}
