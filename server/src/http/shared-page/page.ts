import { dayInWords, money, titleOf } from '../../kernel/document-words.ts'
import { type InvoiceDocument, type Letterhead, supplyDay } from '../../kernel/invoice-document.ts'
import { printedLines } from '../../kernel/invoice-texts.ts'
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
  const title = titleOf(document)
  return wholePage(
    seller ? `${title} ${document.number} from ${seller.name}` : `${title} ${document.number}`,
    html`<main class="sheet">
${document.mode === 'sandbox' && html`<p class="banner"><strong>Test ${title.toLowerCase()}: nothing is owed.</strong> It was made to try things out.</p>`}
<header>
${sellerMark(document, letterhead)}
<h1>${title} <bdi>${document.number}</bdi></h1>
</header>
${headline(document, letterhead, links, words.today)}
${correction(document, words)}
<div class="about">
${facts(document)}
${seller ? partySection('From', seller, words) : ''}
${buyer ? partySection(document.type === 'credit_note' ? 'Credited to' : 'Billed to', buyer, words) : ''}
</div>
${linesTable(document, words)}
<div class="sums">
${taxSummary(document, words)}
${totalsList(document)}
</div>
${howToPay(document, letterhead)}
${closing(document, words)}
</main>
<footer>Anyone who has the link to this page can read it.</footer>
${links.changes !== undefined && asksForMoney(document) && html`<script src="/s/page.js" data-changes="${links.changes}"></script>`}`,
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

export function wholePage(title: string, body: Markup): string {
  const page = html`<!DOCTYPE html>
<html lang="en">
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

function sellerMark({ seller }: InvoiceDocument, { logo }: Letterhead): Markup {
  const name = seller?.name ?? ''
  if (logo) return html`<img class="logo" src="data:${logo.contentType};base64,${logo.base64}" alt="${name}"/>`
  return html`${seller !== null && html`<p class="wordmark">${name}</p>`}`
}

function headline(document: InvoiceDocument, { bank }: Letterhead, links: { pdf: string }, today: string): Markup {
  const { currency } = document
  const isCredit = document.type === 'credit_note'
  const state = dueState(document, today)
  return html`<section class="headline" aria-label="${isCredit ? 'What is credited' : 'What is due'}">
<div>
<p class="label">${isCredit ? 'Total credit' : 'Amount due'}</p>
<p class="amount">${money(isCredit ? document.payableMinor : document.dueMinor, currency)} <span class="currency">${currency}</span></p>
<p class="state"><strong class="${state.tone}">${state.label}</strong> ${state.detail !== undefined && html`<span>${state.detail}</span>`}</p>
</div>
<p class="actions">
<a class="button" href="${links.pdf}">Download PDF</a>
${bank !== null && asksForMoney(document) && html`<a class="button plain" href="#pay">How to pay</a>`}
</p>
</section>`
}

function correction({ original, reason }: InvoiceDocument, words: PageWords): Markup {
  const corrected = original && `Invoice ${original.number} of ${dayInWords(original.issueDate)}`
  return definitions('correction', [
    ['What it corrects', corrected],
    [`${words.referenceName} of that invoice`, original?.authorityReference],
    ['Reason', reason],
  ])
}

function facts(document: InvoiceDocument): Markup {
  const supplied = supplyDay(document)
  const time = document.issueTime === null ? '' : ` at\u00a0${document.issueTime.slice(0, 5)}`
  return definitions('facts', [
    ['Issued', dayInWords(document.issueDate) + time],
    ['Supplied', supplied && dayInWords(supplied)],
    ['Due by', document.dueDate && dayInWords(document.dueDate)],
    ...printedLines(document),
  ])
}

function howToPay(document: InvoiceDocument, { bank }: Letterhead): Markup {
  if (bank === null || !asksForMoney(document)) return raw('')
  return html`<section class="pay" id="pay">
<h2>How to pay</h2>
<p>Please pay <strong>${money(document.dueMinor, document.currency)}</strong> into this account, with the reference below.</p>
${definitions('account', [
  ['Bank', bank.bankName],
  ['Account name', bank.accountName],
  ['Account number', bank.accountNumber],
  ['Reference', document.number],
])}
</section>`
}

function closing(document: InvoiceDocument, words: PageWords): Markup {
  const remarks = [prose('Payment terms', document.paymentTerms), prose('Notes', document.notes)].filter(isSomething)
  const parts = [
    remarks.length > 0 ? html`<div class="remarks">\n${remarks}</div>` : raw(''),
    signature(document, words),
  ].filter(isSomething)
  return parts.length === 0 ? raw('') : html`<div class="closing">\n${parts}\n</div>`
}

const isSomething = ({ text }: Markup) => text !== ''

const prose = (heading: string, text: string | null) =>
  text ? html`<section><h2>${heading}</h2><p class="prose">${text}</p></section>\n` : raw('')

function signature({ authorityReference, stamp }: InvoiceDocument, { referenceName }: PageWords): Markup {
  if (authorityReference === null && stamp === null) return raw('')
  const picture = stamp === null ? undefined : qrPicture(stamp, 'QR code of the tax authority')
  return html`<section class="signature">
${picture}
<div>
<h2>Signed by the tax authority</h2>
${definitions('reference', [[referenceName, authorityReference]])}
${authorityReference !== null && html`<p><a href="/verify?${parameterOf(referenceName)}=${encodeURIComponent(authorityReference.toWellFormed())}">Check that it was reported</a></p>`}
</div>
</section>`
}
