import type { quotes } from '../../modules/quotes/index.ts'
import { html, type Markup, raw } from '../reference/markup.ts'
import { linesTable, taxSummary, totalsList } from './amounts.ts'
import type { DueState } from './due-state.ts'
import { closing, facts, foot, howToPay, sellerMark, wholePage } from './page.ts'
import type { PageWords } from './page-words.ts'
import { partySection } from './parties.ts'

/** What a visitor typed, and what is wrong with it. */
export interface AnswerForm {
  readonly name: string
  readonly remark: string
  readonly fault?: 'name' | 'remark' | 'changed'
}

/** The public page of a quote or proforma invoice behind a share link. The form works without a script. */
export function sharedQuotePage(
  shared: quotes.SharedQuote,
  links: { readonly pdf: string; readonly answer: string },
  form: AnswerForm = { name: '', remark: '' },
): string {
  const { document, letterhead, words, quote, today } = shared
  const { seller, buyer, currency } = document
  const { wording } = words
  const pageWords: PageWords = { ...words, today }
  const title = wording.titleOf(document)
  const name = `${title} ${document.number}`
  const state = stateOf(shared)
  return wholePage(
    seller ? wording.say('document.from_seller', { document: name, seller: seller.name }) : name,
    html`<main class="sheet">
${document.mode === 'sandbox' && html`<p class="banner"><strong>${wording.say('page.test', { document: wording.inSentence(title) })}</strong> ${wording.say('page.test_reason')}</p>`}
<header>
${sellerMark(document, letterhead)}
<h1>${title} <bdi>${document.number}</bdi>${quote.versionNumber > 1 && html` <span class="more">${wording.say('offer.version', { version: String(quote.versionNumber) })}</span>`}</h1>
</header>
<section class="headline" aria-label="${wording.say('page.what_is_offered')}">
<div>
<p class="label">${wording.say('sum.total')}</p>
<p class="amount">${wording.money(quote.payableMinor, currency)} <span class="currency">${currency}</span></p>
<p class="state"><strong class="${state.tone}">${state.label}</strong> ${state.detail !== undefined && html`<span>${state.detail}</span>`}</p>
</div>
<p class="actions">
<a class="button" href="${links.pdf}">${wording.say('page.download_pdf')}</a>
</p>
</section>
${form.fault === 'changed' && html`<p class="answer warn" role="alert">${wording.say('offer.changed')}</p>`}
<div class="about">
${facts(document, wording)}
${seller ? partySection(wording.say('party.from'), seller, words) : ''}
${buyer ? partySection(wording.say('party.billed_to'), buyer, words) : ''}
</div>
${linesTable(document, pageWords)}
<div class="sums">
${taxSummary(document, pageWords)}
${totalsList(document, pageWords)}
</div>
${document.offer?.type === 'proforma' && quote.status !== 'cancelled' ? howToPay(document, letterhead, { wording, today: document.issueDate }) : ''}
${closing(document, pageWords)}
${quote.status === 'sent' ? answerForm(shared, links.answer, form) : ''}
<p class="more">${wording.say('offer.not_tax_invoice')}</p>
</main>
${foot(wording)}`,
    wording,
  )
}

function stateOf({ quote, decision, words: { wording } }: quotes.SharedQuote): DueState {
  const { status, validUntil } = quote
  const by = decision
    ? wording.say('offer.decided_by', { name: decision.name, date: wording.day(decision.day) })
    : undefined
  const end = validUntil === null ? undefined : wording.day(validUntil)
  if (status === 'declined') return { tone: 'quiet', label: wording.say('offer.declined'), detail: by }
  if (status === 'cancelled')
    return { tone: 'late', label: wording.say('offer.withdrawn'), detail: wording.say('offer.was_withdrawn') }
  if (status === 'expired')
    return {
      tone: 'late',
      label: wording.say('offer.expired'),
      detail: end && wording.say('offer.was_valid', { date: end }),
    }
  if (status === 'sent')
    return {
      tone: 'open',
      label: wording.say('offer.waiting'),
      detail: end && wording.say('offer.accept_until', { date: end }),
    }
  // The seller may invoice a quote without a decision of the buyer.
  if (!decision) return { tone: 'settled', label: wording.say('offer.invoiced'), detail: undefined }
  return { tone: 'settled', label: wording.say('offer.accepted'), detail: by }
}

function answerForm({ document, quote, words: { wording } }: quotes.SharedQuote, to: string, form: AnswerForm): Markup {
  const amount = wording.money(quote.payableMinor, document.currency)
  const isNameWrong = form.fault === 'name'
  const isRemarkWrong = form.fault === 'remark'
  return html`<section class="pay answering" id="answer">
<h2>${wording.say('offer.answer')}</h2>
<p>${wording.say('offer.you_accept', { amount })}</p>
<form method="post" action="${to}">
<input type="hidden" name="version" value="${quote.versionNumber}"/>
<input type="hidden" name="total" value="${String(quote.payableMinor)}"/>
<p class="field">
<label for="name">${wording.say('offer.name')}</label>
<input id="name" name="name" value="${form.name}" required maxlength="100" autocomplete="name" dir="auto"${isNameWrong && raw(' aria-invalid="true" aria-describedby="name-fault" autofocus')}/>
${isNameWrong && html`<span id="name-fault" class="fault">${wording.say('offer.name_wrong')}</span>`}
</p>
<p class="field">
<label for="remark">${wording.say('offer.remark')}</label>
<textarea id="remark" name="remark" rows="3" maxlength="1000" dir="auto"${isRemarkWrong && raw(' aria-invalid="true" aria-describedby="remark-fault" autofocus')}>${form.remark}</textarea>
${isRemarkWrong && html`<span id="remark-fault" class="fault">${wording.say('offer.remark_wrong')}</span>`}
</p>
<p class="actions">
<button class="button" name="decision" value="accepted">${wording.say('offer.accept')}</button>
<button class="button plain" name="decision" value="declined">${wording.say('offer.decline')}</button>
</p>
</form>
</section>`
}
