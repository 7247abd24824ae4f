import type { ReferenceWords } from '../../jurisdictions/port.ts'
import { dayInWords, money, titleOf } from '../../kernel/document-words.ts'
import type { ReportedFacts } from '../../modules/submissions/index.ts'
import { html, type Markup, raw as rawAttributes } from '../reference/markup.ts'
import { definitions } from './definitions.ts'
import { wholePage } from './page.ts'
import { parameterOf } from './page-words.ts'

export interface VerifyAsked {
  readonly reference: string
  readonly total: string
}

/** The state of a check: not asked yet, unreadable, unknown, or known. */
export type VerifyAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly faults: Partial<Record<keyof VerifyAsked, string>> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly facts: ReportedFacts }

/** Where a holder of an invoice checks that it was reported: a form and a result, without a script. */
export function verifyPage(asked: VerifyAsked, answer: VerifyAnswer, words: ReferenceWords): string {
  const faults = answer.kind === 'unreadable' ? answer.faults : {}
  return wholePage(
    'Check an invoice',
    html`<main class="sheet check">
<h1>Check an invoice</h1>
<p class="prose">Was this invoice reported to the tax authority? Type its ${words.name}, which is printed beside the QR code, and its total.</p>
${answerOf(answer, words)}
<form method="get" action="/verify">
${field(parameterOf(words.name), words.name, `such as ${words.example}`, asked.reference, faults.reference, 'autocapitalize="characters" spellcheck="false" maxlength="80"')}
${field('total', 'Total', 'as printed, such as 45,150.00', asked.total, faults.total, 'inputmode="decimal" maxlength="30"')}
<button class="button">Check the invoice</button>
</form>
</main>
<footer>Only someone who has the document can check it here.</footer>`,
  )
}

function field(
  name: string,
  label: string,
  hint: string,
  value: string,
  fault: string | undefined,
  how: string,
): Markup {
  return html`<p class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" required aria-describedby="${name}-about" autocomplete="off" ${rawAttributes(how)}${fault !== undefined && html` aria-invalid="true"`}/>
<span id="${name}-about" class="${fault === undefined ? 'hint' : 'fault'}">${fault ?? hint}</span>
</p>`
}

function answerOf(answer: VerifyAnswer, words: ReferenceWords): Markup {
  if (answer.kind === 'unknown')
    return html`<section class="answer bad" role="status">
<h2>This document was not found</h2>
<p>No document with this ${words.name} and this total was reported through Risiti. Check both. Documents that were reported by other services are not found here.</p>
</section>`
  if (answer.kind !== 'known') return html``
  const { facts } = answer
  const tone = facts.isCancelled || facts.mode === 'sandbox' ? 'warn' : 'good'
  return html`<section class="answer ${tone}" role="status">
<h2>${verdict(facts)}</h2>
${definitions('facts', [
  ['From', facts.sellerName],
  [titleOf(facts), facts.number],
  ['Issued', dayInWords(facts.issueDate)],
  ['Total', money(facts.payableMinor, facts.currency)],
  [words.name, facts.reference],
])}
</section>`
}

function verdict({ mode, isCancelled }: ReportedFacts): string {
  if (mode === 'sandbox') return 'This is a test document: it was reported to a test system, and no payment is due'
  return isCancelled
    ? 'This document was reported, and cancelled later'
    : 'This document was reported to the tax authority'
}
