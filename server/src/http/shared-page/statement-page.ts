import { type Wording, wordingOf } from '../../kernel/languages/wording.ts'
import {
  agesInWords,
  lineInWords,
  type StatementDocument,
  type StatementLine,
} from '../../kernel/statement-of-account.ts'
import { html, type Markup } from '../reference/markup.ts'
import { definitions } from './definitions.ts'
import { foot, wholePage } from './page.ts'

/** The public page of a statement of account behind a share link, without any script. */
export function sharedStatementPage(statement: StatementDocument, links: { readonly pdf: string }): string {
  const { seller, buyer, letterhead, mode, currency, from, to, closingMinor } = statement
  const { logo } = letterhead
  const isCredit = closingMinor < 0n
  const wording = wordingOf(statement.language)
  const title = wording.say('title.statement_of_account')
  const name = wording.say('document.from_seller', { document: title, seller: seller.name })
  const money = (minor: bigint) => wording.money(minor, currency)
  const agedOn = wording.day(statement.agedOn)
  return wholePage(
    name,
    html`<main class="sheet">
${mode === 'sandbox' && html`<p class="banner"><strong>${wording.say('page.test', { document: wording.inSentence(title) })}</strong> ${wording.say('page.test_reason')}</p>`}
<header>
${logo ? html`<img class="logo" src="data:${logo.contentType};base64,${logo.base64}" alt="${seller.name}"/>` : html`<p class="wordmark">${seller.name}</p>`}
<h1>${title} <bdi>${buyer.name}</bdi></h1>
</header>
<section class="headline" aria-label="${wording.say('statement.balance')}">
<div>
<p class="label">${wording.say(isCredit ? 'statement.in_your_favour' : 'statement.you_owe', { date: agedOn })}</p>
<p class="amount">${money(isCredit ? -closingMinor : closingMinor)} <span class="currency">${currency}</span></p>
</div>
<p class="actions"><a class="button" href="${links.pdf}">${wording.say('page.download_pdf')}</a></p>
</section>
${definitions('facts', [
  [wording.say('statement.period'), `${wording.day(from)} – ${wording.day(to)}`],
  [wording.say('statement.opening_balance'), money(statement.openingMinor)],
  [wording.say('statement.closing_balance'), money(closingMinor)],
])}
${movesTable(statement, wording)}
<section>
<h2>${wording.say('statement.how_late', { date: agedOn })}</h2>
${definitions('facts ages', [
  ...agesInWords(statement.ages, wording).map(([words, minor]) => [words, money(minor)] as const),
  [wording.say('statement.credit'), money(-statement.ages.creditMinor)],
])}
</section>
</main>
${foot(wording)}`,
    wording,
  )
}

function movesTable(statement: StatementDocument, wording: Wording): Markup {
  const { lines, from, to, currency, openingMinor, closingMinor } = statement
  const money = (minor: bigint) => wording.money(minor, currency)
  const row = (day: string, words: string, amount: string, balance: bigint) => html`<tr role="row">
<th role="rowheader" scope="row"><span class="what">${words}</span><span class="more">${day}</span></th>
<td role="cell" class="number">${amount}</td>
<td role="cell" class="number net">${money(balance)}</td>
</tr>
`
  return html`<table class="moves" role="table">
<caption class="unseen">${wording.say('line.lines')}</caption>
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${wording.say('statement.what')}</th>
<th role="columnheader" scope="col" class="number">${wording.say('line.amount')}</th>
<th role="columnheader" scope="col" class="number">${wording.say('statement.balance')}</th>
</tr></thead>
<tbody role="rowgroup">
${row(wording.day(from), wording.say('statement.opening_balance'), '', openingMinor)}
${lines.map((line) => row(daysOf(line, wording), lineInWords(line, wording), money(line.amountMinor), line.balanceMinor))}
${row(wording.day(to), wording.say('statement.closing_balance'), '', closingMinor)}
</tbody>
</table>`
}

/** The day of the booking, and the date of the document if it differs. */
const daysOf = ({ bookedOn, documentDate }: StatementLine, wording: Wording): string => {
  const booked = wording.day(bookedOn)
  if (bookedOn === documentDate) return booked
  return wording.say('statement.booked_and_dated', { booked, date: wording.day(documentDate) })
}
