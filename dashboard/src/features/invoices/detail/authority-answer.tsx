import type { Invoice, SubmissionReport } from '@risiti/sdk'
import { momentText, Notice } from '../../../ui/index.ts'
import { fieldSentence } from '../../../words/field-faults.ts'
import { refusalWords } from '../../../words/refusals.ts'
import { whereOf } from '../where-of.ts'

const mending: Readonly<Record<SubmissionReport['refusals'][number]['mendedBy'], string>> = {
  reopen: 'Correct the invoice and submit it again.',
  connection: 'Check the connection to the tax authority in the settings.',
  operator: 'Risiti must fix this. Contact us if the problem stays.',
  unknown: '',
}

/** The service's message names routes for programs. People need the name of a button. */
function wordsOfReport({ outcome, message }: SubmissionReport, status: Invoice['status']): string {
  if (status === 'failed' && outcome === 'unknown')
    return 'Risiti sent the document several times and got no clear answer. The tax authority may or may not have the document. Check the status (under More), or try again: a document is never reported twice.'
  return refusalWords('', message)
}

/** The authority's answer and the next step. Hidden if no action is needed. */
export function AuthorityAnswer({
  invoice: { status },
  report,
}: {
  readonly invoice: Invoice
  readonly report: SubmissionReport | undefined
}) {
  // The report may be a moment older than the invoice.
  if (!report || status === 'draft' || status === 'finalised' || status === 'accepted') return null
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
                  {fieldSentence(message)} {mending[mendedBy]}
                </p>
                <details>
                  <summary>Original message of the authority</summary>
                  <code>{told}</code>
                </details>
              </li>
            ))}
          </ul>
        )}
        {report.nextAttemptAt && <p>Risiti tries again at {momentText(report.nextAttemptAt)}.</p>}
        {report.authorityOutage && (
          <p>The tax authority has not answered since {momentText(report.authorityOutage.since)}. Nothing is lost.</p>
        )}
      </Notice>
    </div>
  )
}
