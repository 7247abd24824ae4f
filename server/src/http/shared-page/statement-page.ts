import { dayInWords, money } from '../../kernel/document-words.ts'
import {
  agesInWords,
  lineInWords,
  type StatementDocument,
  type StatementLine,
} from '../../kernel/statement-of-account.ts'
import { html, type Markup } from '../reference/markup.ts'
import { definitions } from './definitions.ts'
import { wholePage } from './page.ts'

/** The public page of a statement of account behind a share link, without any script. */
export function sharedStatementPage(statement: StatementDocument, links: { readonly pdf: string }): string {
  const { seller, buyer, letterhead, mode, currency, from, to, closingMinor } = statement
  const { logo } = letterhead
  const isCredit = closingMinor < 0n
  const name = `Statement of account from ${seller.name}`
  return wholePage(
    name,
    html`<main class="sheet">
${mode === 'sandbox' && html`<p class="banner"><strong>Test statement of account: nothing is owed.</strong> It was made to try things out.</p>`}
<header>
${logo ? html`<img class="logo" src="data:${logo.contentType};base64,${logo.base64}" alt="${seller.name}"/>` : html`<p class="wordmark">${seller.name}</p>`}
<h1>Statement of account <bdi>${buyer.name}</bdi></h1>
</header>
<section class="headline" aria-label="Balance">
<div>
<p class="label">${isCredit ? 'In your favour' : 'You owe'} on ${dayInWords(statement.agedOn)}</p>
<p class="amount">${money(isCredit ? -closingMinor : closingMinor, currency)} <span class="currency">${currency}</span></p>
</div>
<p class="actions"><a class="button" href="${links.pdf}">Download PDF</a></p>
</section>
${definitions('facts', [
  ['Period', `${dayInWords(from)} – ${dayInWords(to)}`],
  ['Opening balance', money(statement.openingMinor, currency)],
  ['Closing balance', money(closingMinor, currency)],
])}
${movesTable(statement)}
<section>
<h2>How late, on ${dayInWords(statement.agedOn)}</h2>
${definitions('facts ages', [
  ...agesInWords(statement.ages).map(([words, minor]) => [words, money(minor, currency)] as const),
  ['Credit', money(-statement.ages.creditMinor, currency)],
])}
</section>
</main>
<footer>Anyone who has the link to this page can read it.</footer>`,
  )
}

function movesTable({ lines, from, to, currency, openingMinor, closingMinor }: StatementDocument): Markup {
  const row = (day: string, words: string, amount: string, balance: bigint) => html`<tr role="row">
<th role="rowheader" scope="row"><span class="what">${words}</span><span class="more">${day}</span></th>
<td role="cell" class="number">${amount}</td>
<td role="cell" class="number net">${money(balance, currency)}</td>
</tr>
`
  return html`<table class="moves" role="table">
<caption class="unseen">Lines</caption>
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">What</th>
<th role="columnheader" scope="col" class="number">Amount</th>
<th role="columnheader" scope="col" class="number">Balance</th>
</tr></thead>
<tbody role="rowgroup">
${row(dayInWords(from), 'Opening balance', '', openingMinor)}
${lines.map((line) => row(daysOf(line), lineInWords(line), money(line.amountMinor, currency), line.balanceMinor))}
${row(dayInWords(to), 'Closing balance', '', closingMinor)}
</tbody>
</table>`
}

/** The day of the booking, and the date of the document if it differs. */
const daysOf = ({ bookedOn, documentDate }: StatementLine): string =>
  bookedOn === documentDate ? dayInWords(bookedOn) : `${dayInWords(bookedOn)}, dated ${dayInWords(documentDate)}`
