import type { Invoice, SubmissionReport } from '@risiti/sdk'
import { momentText, Notice } from '../../../ui/index.ts'
import { sentence, whereOf } from '../where-of.ts'

const mending: Readonly<Record<SubmissionReport['refusals'][number]['mendedBy'], string>> = {
  reopen: 'Change it in the invoice, and submit it again.',
  connection: 'Check the connection to the tax authority in the settings.',
  operator: 'This is ours to mend; write to us if it stays.',
  unknown: '',
}

/** The service's message names routes for programs. People need the name of a button. */
function wordsOfReport({ outcome, message }: SubmissionReport, status: Invoice['status']): string {
  if (status === 'failed' && outcome === 'unknown')
    return 'It was sent several times and no clear answer came: the tax authority may have it or not. Ask how it stands (under More), or try again: it is never reported twice.'
  return message
}

/** The authority's answer and the next step. Hidden if no action is needed. */
export function AuthorityAnswer({
  invoice: { status },
  report,
}: {
  readonly invoice: Invoice
  readonly report: SubmissionReport | undefined
}) {
  if (!report || status === 'draft' || status === 'finalised') return null
  if (report.outcome === 'accepted' || report.outcome === 'registered') return null
  const isBad = status === 'rejected' || status === 'failed'
  return (
    <div className="invoice-answer">
      <Notice tone={isBad ? 'bad' : 'info'} title={wordsOfReport(report, status)}>
        {report.refusals.length > 0 && (
          <ul className="invoice-refusals">
            {report.refusals.map(({ told, path, message, mendedBy }) => (
              <li key={`${path} ${told}`}>
                <p>
                  {whereOf(path)}
                  {sentence(message)} {mending[mendedBy]}
                </p>
                <details>
                  <summary>As the authority said it</summary>
                  <code>{told}</code>
                </details>
              </li>
            ))}
          </ul>
        )}
        {report.nextAttemptAt && <p>It is tried again at {momentText(report.nextAttemptAt)}.</p>}
        {report.authorityOutage && (
          <p>The tax authority has not answered since {momentText(report.authorityOutage.since)}. Nothing is lost.</p>
        )}
      </Notice>
    </div>
  )
}
