import { englishTitle } from '../../kernel/document-words.ts'
import { nextDemand } from '../../kernel/instalments.ts'
import { type InvoiceDocument, type Letterhead, supplyDay } from '../../kernel/invoice-document.ts'
import { homeTaxText } from '../../kernel/languages/home-tax-text.ts'
import { languageCodes, languages } from '../../kernel/languages/languages.ts'
import { type Wording, wordingOf } from '../../kernel/languages/wording.ts'
import { labelOf, printedLines } from '../../kernel/written-fields.ts'
import { html, type Markup, raw } from '../reference/markup.ts'
import { linesTable, taxSummary, totalsList } from './amounts.ts'
import { definitions } from './definitions.ts'
import { asksForMoney, dueState } from './due-state.ts'
import { type PageWords, parameterOf } from './page-words.ts'
import { partySection } from './parties.ts'
import { qrPicture } from './qr-picture.ts'
import { stylesheetPath } from './stylesheet.ts'

/**
 * The public page of an invoice, credit note or debit note behind a share link. The page is self-contained. Its only script reloads it
 * after a change; without the script, a reload by hand does the same.
 */
export function sharedInvoicePage(
  document: InvoiceDocument,
  letterhead: Letterhead,
  links: { readonly pdf: string; readonly changes?: string },
  words: PageWords,
): string {
  const { seller, buyer } = document
  const { wording } = words
  const title = wording.titleOf(document)
  const english = englishTitle(words, document)
  const name = words.wording.labelled(title, document.number)
  return wholePage(
    seller ? wording.say('document.from_seller', { document: name, seller: seller.name }) : name,
    html`<main class="sheet">
${document.mode === 'sandbox' && html`<p class="banner"><strong>${wording.say('page.test', { document: wording.inSentence(title) })}</strong> ${wording.say('page.test_reason')}</p>`}
<header>
${sellerMark(document, letterhead)}
<h1>${title} <bdi>${document.number}</bdi>${english !== undefined && html` <span class="more" lang="en">${english}</span>`}</h1>
</header>
${headline(document, letterhead, links, words)}
${correction(document, words)}
<div class="about">
${facts(document, wording)}
${seller ? partySection(wording.say('party.from'), seller, words) : ''}
${buyer ? partySection(wording.say(document.type === 'credit_note' ? 'party.credited_to' : 'party.billed_to'), buyer, words) : ''}
</div>
${linesTable(document, words)}
<div class="sums">
${taxSummary(document, words)}
${totalsList(document, words)}
</div>
${document.homeTax !== null && html`<p class="home-tax">${homeTaxText(document.homeTax, document.currency, wording)}</p>`}
${instalmentsOf(document, wording)}
${howToPay(document, letterhead, words)}
${closing(document, words)}
</main>
${foot(wording)}
${links.changes !== undefined && asksForMoney(document) && html`<script src="/s/page.js" data-changes="${links.changes}"></script>`}`,
    wording,
  )
}

/** The page for an unknown or ended link: both look the same. */
export function notSharedPage(): string {
  return wholePage(
    'Nothing is shared here',
    html`<main class="sheet lost">
<h1>Nothing is shared here</h1>
<p>This link may be incomplete, or the invoice behind it is no longer shared.</p>
<p>Please ask whoever sent it to you for a new one.</p>
</main>`,
  )
}

/** The page for an unknown address. */
export function noSuchPage(): string {
  return wholePage(
    'There is no such page',
    html`<main class="sheet lost">
<h1>There is no such page</h1>
<p>The address may be misspelled, or what it showed is gone.</p>
<p class="ways"><a class="button" href="/">Go to the start</a> <a class="button plain" href="/docs">API reference</a></p>
</main>`,
  )
}

/** The page for an error of ours. */
export function brokenPage(): string {
  return wholePage(
    'Something went wrong',
    html`<main class="sheet lost">
<h1>Something went wrong</h1>
<p>It is our mistake, and it was noted. Nothing of yours was changed by looking at this page.</p>
<p class="ways"><a class="button" href="/">Go to the start</a></p>
</main>`,
  )
}

/** The page for a valid link that cannot be shown now. */
export function laterPage(seconds: number): string {
  return wholePage(
    'Please try again in a moment',
    html`<main class="sheet lost">
<h1>Please try again in a moment</h1>
<p>Too much is asked of us right now. Open this link again in ${spanInWords(seconds)}.</p>
</main>`,
  )
}

function spanInWords(seconds: number): string {
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** Characters that no page may contain, wherever the text comes from. */
const unprintable = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

export function wholePage(title: string, body: Markup, { language, direction }: Wording = wordingOf('en')): string {
  const page = html`<!DOCTYPE html>
<html lang="${language}"${direction === 'rtl' && raw(' dir="rtl"')}>
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="robots" content="noindex, nofollow, noarchive"/>
<meta name="referrer" content="no-referrer"/>
<meta name="format-detection" content="telephone=no"/>
<title>${title}</title>
<link rel="stylesheet" href="${stylesheetPath}"/>
</head>
<body>
${body}
</body>
</html>
`
  return page.text.replace(unprintable, '\ufffd')
}

/** Who can read the page, and a link to the page in each other language. */
export function foot(wording: Wording): Markup {
  const others = languageCodes.filter((code) => code !== wording.language)
  return html`<footer>
<p>${wording.say('page.who_can_read')}</p>
<nav class="languages" aria-label="${wording.say('page.language')}">${others.map((code) => html`<a href="?language=${code}" hreflang="${code}" lang="${code}" dir="${languages[code].direction}">${languages[code].name}</a> `)}</nav>
</footer>`
}

export function sellerMark({ seller }: InvoiceDocument, { logo }: Letterhead): Markup {
  const name = seller?.name ?? ''
  if (logo) return html`<img class="logo" src="data:${logo.contentType};base64,${logo.base64}" alt="${name}"/>`
  return html`${seller !== null && html`<p class="wordmark">${name}</p>`}`
}

function headline(document: InvoiceDocument, { bank }: Letterhead, links: { pdf: string }, words: PageWords): Markup {
  const { wording } = words
  const { currency } = document
  const isCredit = document.type === 'credit_note'
  const state = dueState(document, words.today, wording)
  return html`<section class="headline" aria-label="${wording.say(isCredit ? 'page.what_is_credited' : 'page.what_is_due')}">
<div>
<p class="label">${wording.say(isCredit ? 'sum.total_credit' : 'sum.amount_due')}</p>
<p class="amount">${wording.money(isCredit ? document.payableMinor : document.dueMinor, currency)} <span class="currency">${currency}</span></p>
<p class="state"><strong class="${state.tone}">${state.label}</strong> ${state.detail !== undefined && html`<span>${state.detail}</span>`}</p>
</div>
<p class="actions">
<a class="button" href="${links.pdf}">${wording.say('page.download_pdf')}</a>
${bank !== null && asksForMoney(document) && html`<a class="button plain" href="#pay">${wording.say('pay.how_to_pay')}</a>`}
</p>
</section>`
}

function correction({ original, reason }: InvoiceDocument, { wording, referenceName }: PageWords): Markup {
  const corrected =
    original &&
    wording.say('correction.invoice_and_date', { number: original.number, date: wording.day(original.issueDate) })
  return definitions('correction', [
    [wording.say('correction.what'), corrected],
    [wording.say('correction.reference_of_invoice', { reference: referenceName }), original?.authorityReference],
    [wording.say('correction.reason'), reason],
  ])
}

export function facts(document: InvoiceDocument, wording: Wording): Markup {
  const supplied = supplyDay(document)
  const date = wording.day(document.issueDate)
  const time = document.issueTime?.slice(0, 5)
  const issued =
    time === undefined ? date : wording.say('fact.date_at_time', { date, time }).replace(/ (?=\S+$)/, '\u00a0')
  return definitions('facts', [
    [wording.say('fact.issued'), issued],
    [wording.say('fact.supplied'), supplied && wording.day(supplied)],
    [wording.say('fact.due_by'), document.dueDate && wording.day(document.dueDate)],
    [wording.say('fact.valid_until'), document.offer?.validUntil && wording.day(document.offer.validUntil)],
    ...printedLines(document, wording),
  ])
}

/** When which part is due, and what is left of it. */
function instalmentsOf({ instalments, currency }: InvoiceDocument, wording: Wording): Markup {
  if (!instalments) return raw('')
  const money = (minor: bigint) => wording.money(minor, currency)
  const left = wording.say('sum.amount_due')
  return html`<section class="pay">
<h2>${wording.say('pay.instalments')}</h2>
${definitions(
  'account',
  instalments.map(({ dueDate, amountMinor, dueMinor }) => [
    wording.day(dueDate),
    dueMinor === amountMinor ? money(amountMinor) : `${money(amountMinor)} (${left}: ${money(dueMinor)})`,
  ]),
)}
</section>`
}

export function howToPay(
  document: InvoiceDocument,
  { bank }: Letterhead,
  { wording, today }: Pick<PageWords, 'wording' | 'today'>,
): Markup {
  if (bank === null || !asksForMoney(document)) return raw('')
  const amount = wording.money(
    nextDemand(document, document.dueMinor, today)?.dueMinor ?? document.dueMinor,
    document.currency,
  )
  const [before = '', after = ''] = wording.say('pay.please_pay', { amount }).split(amount)
  return html`<section class="pay" id="pay">
<h2>${wording.say('pay.how_to_pay')}</h2>
<p>${before}<strong>${amount}</strong>${after}</p>
${definitions('account', [
  [wording.say('pay.bank'), bank.bankName],
  [wording.say('pay.account_name'), bank.accountName],
  [wording.say('pay.account_number'), bank.accountNumber],
  [wording.say('pay.reference'), document.number],
])}
</section>`
}

export function closing(document: InvoiceDocument, words: PageWords): Markup {
  const { wording } = words
  const remarks = [
    prose(labelOf('paymentTerms', wording), document.paymentTerms),
    prose(labelOf('notes', wording), document.notes),
  ].filter(isSomething)
  const parts = [
    remarks.length > 0 ? html`<div class="remarks">\n${remarks}</div>` : raw(''),
    signature(document, words),
  ].filter(isSomething)
  return parts.length === 0 ? raw('') : html`<div class="closing">\n${parts}\n</div>`
}

const isSomething = ({ text }: Markup) => text !== ''

const prose = (heading: string, text: string | null) =>
  text ? html`<section><h2>${heading}</h2><p class="prose">${text}</p></section>\n` : raw('')

function signature({ authorityReference, stamp }: InvoiceDocument, { referenceName, wording }: PageWords): Markup {
  if (authorityReference === null && stamp === null) return raw('')
  const picture = stamp === null ? undefined : qrPicture(stamp, wording.say('authority.qr_code'))
  return html`<section class="signature">
${picture}
<div>
<h2>${wording.say('authority.signed')}</h2>
${definitions('reference', [[referenceName, authorityReference]])}
${authorityReference !== null && html`<p><a href="/verify?${parameterOf(referenceName)}=${encodeURIComponent(authorityReference.toWellFormed())}">${wording.say('authority.check')}</a></p>`}
</div>
</section>`
}
