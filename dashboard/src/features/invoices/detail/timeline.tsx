import type { Invoice, SubmissionAttempt } from '@risiti/sdk'
import { momentText } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'

interface Moment {
  readonly at: string
  readonly words: string
  readonly more?: string | undefined
  readonly tone?: 'good' | 'bad' | undefined
}

const asked: Readonly<Record<SubmissionAttempt['step'], string>> = {
  sign: 'Sent to the tax authority',
  lookup: 'Asked the tax authority whether it has the document',
  transmit: 'Asked the tax authority to pass the document on to the buyer',
  confirm: 'Asked the tax authority whether the buyer has the document',
  query: 'Asked the tax authority for the status',
}

const answered: Readonly<Record<string, string>> = {
  signed: 'The authority registered the document.',
  transmitted: 'The authority passed the document on.',
  found: 'The authority has the document.',
  absent: 'The authority does not have the document.',
  refused: 'The authority refused.',
  not_sent: 'The document could not be sent. Nothing has reached the authority.',
  unclear: 'No clear answer. Risiti looks the document up before it sends anything again.',
}

const madeBy: Readonly<Record<Invoice['createdBy']['type'], string | undefined>> = {
  user: undefined,
  api_key: 'Through the API.',
  service: 'By a connected service.',
  system: 'By Risiti.',
}

function ofAttempt({ at, step, answer, told, actor, cause }: SubmissionAttempt): Moment {
  const who = cause !== 'automatic' && actor ? `By ${actor.name}. ` : ''
  const outcome = answer === null ? 'No answer yet.' : (answered[answer] ?? answer)
  return {
    at,
    words: asked[step],
    more: [`${who}${outcome}`, ...told].join(' '),
    tone: answer === 'refused' ? 'bad' : answer === 'signed' || answer === 'transmitted' ? 'good' : undefined,
  }
}

export function Timeline({
  invoice,
  attempts,
}: {
  readonly invoice: Invoice
  readonly attempts: readonly SubmissionAttempt[]
}) {
  const happened = (at: string | null, words: string, more?: string): readonly Moment[] =>
    at === null ? [] : [{ at, words, more }]
  const moments = [
    ...happened(invoice.createdAt, 'Draft created', madeBy[invoice.createdBy.type]),
    ...happened(invoice.finalisedAt, 'Finalised'),
    ...happened(invoice.submittedAt, 'Submitted'),
    ...happened(invoice.sentAt, 'Emailed to the buyer'),
    ...happened(invoice.sharedAt, 'Shared by link'),
    ...attempts.map(ofAttempt),
  ]
    // The sort is stable: events of the same moment keep the order of an invoice's life.
    .sort((one, other) => one.at.localeCompare(other.at))
    .reverse()
  return (
    <Panel title="History">
      <ol className="invoice-timeline">
        {moments.map(({ at, words, more, tone }) => (
          <li key={`${at} ${words}`} data-tone={tone}>
            <strong>{words}</strong>
            {more && <p>{more}</p>}
            <time dateTime={at}>{momentText(at)}</time>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
