import type { DocumentLine, InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { TextKey } from '../../kernel/languages/catalogue.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import { html, type Markup } from '../reference/markup.ts'
import type { PageWords } from './page-words.ts'

/** More digits in a row than this leave no room for words, so the figures may wrap. */
const roomForFigures = 48

/**
 * The lines as a table. On a phone each row is two lines of text, and some screen readers then lose the table; the ARIA roles restore it.
 */
export function linesTable({ lines, currency }: InvoiceDocument, words: PageWords): Markup {
  const { wording } = words
  const figures = lines.map((line) => figuresOf(line, currency, wording))
  const isCrowded = figures.some(({ amount, each, extras, net }) => {
    const widest = Math.max(...[each, ...extras].map(({ length }) => length))
    return amount.length + widest + net.length > roomForFigures
  })
  const row = (line: DocumentLine, index: number) => {
    const { amount, each, extras, net } = figures[index] as LineFigures
    return html`<tr role="row">
<th role="rowheader" scope="row">${described(line, words)}</th>
<td role="cell" class="number quantity">${amount} <span class="unit">${words.unitName(line.unitCode)}</span></td>
<td role="cell" class="number price">${each}${extras.map((extra) => html` <span class="more">${extra}</span>`)}</td>
<td role="cell" class="number net">${net}</td>
</tr>
`
  }
  return html`<table class="lines${isCrowded && ' crowded'}" role="table">
<caption class="unseen">${wording.say('line.lines')}</caption>
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${wording.say('line.description')}</th>
<th role="columnheader" scope="col" class="number">${wording.say('line.quantity')}</th>
<th role="columnheader" scope="col" class="number">${wording.say('line.price')}</th>
<th role="columnheader" scope="col" class="number">${wording.say('line.amount')}</th>
</tr></thead>
<tbody role="rowgroup">
${lines.map(row)}
</tbody>
</table>`
}

interface LineFigures {
  readonly amount: string
  readonly each: string
  readonly extras: readonly string[]
  readonly net: string
}

function figuresOf(line: DocumentLine, currency: string, wording: Wording): LineFigures {
  const { discountMinor, feeMinor } = line
  return {
    amount: wording.quantity(line.quantity),
    each: wording.unitPrice(line.unitPrice, currency, { withSign: true }),
    extras: [
      ...(discountMinor === 0n
        ? []
        : [wording.say('line.discount', { amount: wording.money(-discountMinor, currency) })]),
      ...(feeMinor === 0n ? [] : [wording.say('line.fee', { amount: wording.money(feeMinor, currency) })]),
    ],
    net: wording.money(line.netMinor, currency),
  }
}

function described(line: DocumentLine, words: PageWords): Markup {
  const title = line.itemName ?? line.description
  const facts = [
    line.productCategory,
    line.hsnCode && `HS\u00a0${line.hsnCode}`,
    line.serviceCode && serviceCode(line.serviceCode, words.wording),
    words.taxName(line.taxCategory, line.taxRate),
  ]
  return html`<span class="what">${title}</span>
${title !== line.description && html`<span class="more">${line.description}</span>`}
<span class="more">${words.wording.join(facts, '\u00a0· ')}</span>`
}

const serviceCode = (code: string, wording: Wording): string =>
  wording.say('line.service_code', { code }).replace(` ${code}`, `\u00a0${code}`)

export function taxSummary({ taxGroups, currency }: InvoiceDocument, words: PageWords): Markup {
  const { wording } = words
  const row = (group: InvoiceDocument['taxGroups'][number]) => html`<tr>
<th scope="row">${words.taxName(group.category, group.rate)}</th>
<td class="number">${wording.money(group.taxableMinor, currency)}</td>
<td class="number">${wording.money(group.taxMinor, currency)}</td>
</tr>
`
  return html`<table class="taxes">
<caption>${wording.say('tax.summary')}</caption>
<thead><tr>
<th scope="col">${wording.say('tax.rate')}</th>
<th scope="col" class="number">${wording.say('tax.taxable')}</th>
<th scope="col" class="number">${wording.say('tax.tax')}</th>
</tr></thead>
<tbody>
${taxGroups.map(row)}
</tbody>
</table>`
}

type TotalName = Extract<TextKey, `sum.${string}`>

/** From the sum of the lines down to the amount due; optional rows with zero are hidden. */
export function totalsList(document: InvoiceDocument, { wording }: PageWords): Markup {
  const { currency, payableMinor, paidMinor, creditedMinor, dueMinor } = document
  const isCredit = document.type === 'credit_note'
  const isFinal = isCredit || document.offer !== undefined
  const row = (name: TotalName, minor: bigint, kind = '') =>
    html`<div${kind !== '' && html` class="${kind}"`}><dt>${wording.say(name)}</dt> <dd>${wording.money(minor, currency)}</dd></div>\n`
  const unlessZero = (name: TotalName, minor: bigint) => minor !== 0n && row(name, minor)
  const refundMinor = paidMinor + creditedMinor - payableMinor
  return html`<dl class="totals">
${row('sum.subtotal', document.netMinor)}
${unlessZero('sum.discount', -document.allowanceMinor)}
${unlessZero('sum.charges', document.chargeMinor)}
${row('sum.tax', document.taxMinor)}
${unlessZero('sum.rounding', document.roundingMinor)}
${row(isCredit ? 'sum.total_credit' : 'sum.total', payableMinor, isFinal ? 'final' : 'sum')}
${unlessZero('sum.paid', -paidMinor)}
${unlessZero('sum.credited', -creditedMinor)}
${!isFinal && row('sum.amount_due', dueMinor, 'final')}
${!isCredit && paidMinor > 0n && refundMinor > 0n && row('sum.to_be_refunded', refundMinor)}
</dl>`
}
