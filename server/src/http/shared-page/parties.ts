import type { DocumentWords } from '../../kernel/document-words.ts'
import type { DocumentAddress, DocumentParty } from '../../kernel/invoice-document.ts'
import type { Wording } from '../../kernel/languages/wording.ts'
import { html, type Markup } from '../reference/markup.ts'
import { definitions } from './definitions.ts'

/** One party in full, under a heading with its role. */
export function partySection(heading: string, party: DocumentParty, words: DocumentWords): Markup {
  const { email, phone } = party
  return html`<section class="party">
<h2>${heading}</h2>
<p class="party-name">${party.name}</p>
${otherNames(party, words.wording).map((line) => html`<p>${line}</p>\n`)}
${party.address ? html`<address>${addressLines(party.address, words.wording).map((line) => html`<span>${line}</span>\n`)}</address>` : ''}
${email ? html`<p><a href="mailto:${email}">${email}</a></p>` : ''}
${phone ? html`<p><a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a></p>` : ''}
${numbersOf(party, words)}
</section>`
}

function otherNames(party: DocumentParty, wording: Wording): string[] {
  const { name, legalName, tradingName, businessDescription } = party
  return [
    ...(legalName && legalName !== name ? [legalName] : []),
    ...(tradingName && tradingName !== name ? [wording.say('party.trading_as', { name: tradingName })] : []),
    ...(businessDescription ? [businessDescription] : []),
  ]
}

function addressLines(address: DocumentAddress, wording: Wording): string[] {
  const { line1, line2, city, district, state, postalCode, country } = address
  const place = [city, district, state].filter((part, index, parts) => part && parts.indexOf(part) === index).join(', ')
  const street = line2 ? `${line1}, ${line2}` : line1
  return [street, postalCode ? `${place} ${postalCode}` : place, wording.countryName(country)].filter(Boolean)
}

function numbersOf({ taxIdType, taxId, vatNumber, registrationNumber }: DocumentParty, words: DocumentWords): Markup {
  return definitions('numbers', [
    [words.taxIdName(taxIdType), taxId],
    [words.wording.say('party.vat_number'), vatNumber],
    [words.wording.say('party.registration_number'), registrationNumber === taxId ? null : registrationNumber],
  ])
}
