import { money, quantity, unitPrice } from '../../kernel/document-words.ts'
import type { DocumentLine, InvoiceDocument } from '../../kernel/invoice-document.ts'
import { html, type Markup } from '../reference/markup.ts'
import type { PageWords } from './page-words.ts'

/** More digits in a row than this leave no room for words, so the figures may wrap. */
const roomForFigures = 48

/**
 * The lines as a table. On a phone each row is two lines of text, and some screen readers then lose the table; the ARIA roles restore it.
 */
export function linesTable({ lines, currency }: InvoiceDocument, words: PageWords): Markup {
  const figures = lines.map((line) => figuresOf(line, currency))
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
<caption class="unseen">Lines</caption>
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Description</th>
<th role="columnheader" scope="col" class="number">Quantity</th>
<th role="columnheader" scope="col" class="number">Price</th>
<th role="columnheader" scope="col" class="number">Amount</th>
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

function figuresOf(line: DocumentLine, currency: string): LineFigures {
  const { discountMinor, feeMinor } = line
  return {
    amount: quantity(line.quantity),
    each: unitPrice(line.unitPrice, currency, { withSign: true }),
    extras: [
      ...(discountMinor === 0n ? [] : [`Discount ${money(-discountMinor, currency)}`]),
      ...(feeMinor === 0n ? [] : [`Fee ${money(feeMinor, currency)}`]),
    ],
    net: money(line.netMinor, currency),
  }
}

function described(line: DocumentLine, words: PageWords): Markup {
  const title = line.itemName ?? line.description
  const facts = [
    line.productCategory,
    line.hsnCode && `HS\u00a0${line.hsnCode}`,
    line.serviceCode && `Service\u00a0${line.serviceCode}`,
    words.taxName(line.taxCategory, line.taxRate),
  ].filter(Boolean)
  return html`<span class="what">${title}</span>
${title !== line.description && html`<span class="more">${line.description}</span>`}
<span class="more">${facts.join('\u00a0· ')}</span>`
}

export function taxSummary({ taxGroups, currency }: InvoiceDocument, words: PageWords): Markup {
  const row = (group: InvoiceDocument['taxGroups'][number]) => html`<tr>
<th scope="row">${words.taxName(group.category, group.rate)}</th>
<td class="number">${money(group.taxableMinor, currency)}</td>
<td class="number">${money(group.taxMinor, currency)}</td>
</tr>
`
  return html`<table class="taxes">
<caption>Tax summary</caption>
<thead><tr>
<th scope="col">Rate</th>
<th scope="col" class="number">Taxable</th>
<th scope="col" class="number">Tax</th>
</tr></thead>
<tbody>
${taxGroups.map(row)}
</tbody>
</table>`
}

/** From the sum of the lines down to the amount due; optional rows with zero are hidden. */
export function totalsList(document: InvoiceDocument): Markup {
  const { currency, payableMinor, paidMinor, creditedMinor, dueMinor } = document
  const isCredit = document.type === 'credit_note'
  const row = (name: string, minor: bigint, kind = '') =>
    html`<div${kind !== '' && html` class="${kind}"`}><dt>${name}</dt> <dd>${money(minor, currency)}</dd></div>\n`
  const unlessZero = (name: string, minor: bigint) => minor !== 0n && row(name, minor)
  const refundMinor = paidMinor + creditedMinor - payableMinor
  return html`<dl class="totals">
${row('Subtotal', document.netMinor)}
${unlessZero('Discount', -document.allowanceMinor)}
${unlessZero('Charges', document.chargeMinor)}
${row('Tax', document.taxMinor)}
${unlessZero('Rounding', document.roundingMinor)}
${row(isCredit ? 'Total credit' : 'Total', payableMinor, isCredit ? 'final' : 'sum')}
${unlessZero('Paid', -paidMinor)}
${unlessZero('Credited', -creditedMinor)}
${!isCredit && row('Amount due', dueMinor, 'final')}
${!isCredit && paidMinor > 0n && refundMinor > 0n && row('To be refunded', refundMinor)}
</dl>`
}
