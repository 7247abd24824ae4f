import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { sampleOf } from '../../../../test/harness/written-fields.ts'
import type { DocumentLine, DocumentParty, InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { aboutField, everyField, nothingWritten, textLengths } from '../../kernel/written-fields.ts'
import { notSharedPage, sharedInvoicePage } from './page.ts'

/** Every text that people write, each made by `text` from its name. */
function partyOf(text: (name: string) => string): DocumentParty {
  return {
    name: text('name'),
    legalName: text('legal name'),
    tradingName: text('trading name'),
    partyType: 'business',
    taxIdType: 'tin',
    taxId: text('tax id'),
    vatNumber: text('vat number'),
    registrationNumber: text('registration number'),
    email: text('email'),
    phone: text('phone'),
    businessDescription: text('business'),
    address: {
      line1: text('line 1'),
      line2: text('line 2'),
      city: text('city'),
      state: text('state'),
      district: text('lga'),
      postalCode: text('postal code'),
      country: text('country'),
    },
  }
}

const lineOf = (text: (name: string) => string): DocumentLine => ({
  description: text('description'),
  itemName: text('item name'),
  hsnCode: text('hsn code'),
  serviceCode: text('service code'),
  productCategory: text('category'),
  quantity: { units: 25n, scale: 1 },
  unitCode: text('unit'),
  unitPrice: { units: 40005n, scale: 3 },
  grossMinor: 10001n,
  discountMinor: 101n,
  feeMinor: 1100n,
  netMinor: 11000n,
  taxCategory: text('tax category'),
  taxRate: { units: 75n, scale: 1 },
})

const documentOf = (text: (name: string) => string): InvoiceDocument => ({
  type: 'standard',
  kind: 'B2B',
  number: text('number'),
  mode: 'live',
  isDraft: false,
  issueDate: '2026-03-01',
  issueTime: '13:05:00',
  dueDate: '2026-03-31',
  instalments: null,
  homeTax: null,
  supplyDate: null,
  currency: 'NGN',
  seller: partyOf((name) => text(`seller ${name}`)),
  buyer: partyOf((name) => text(`buyer ${name}`)),
  lines: [lineOf(text)],
  taxGroups: [
    {
      category: text('group category'),
      rate: { units: 75n, scale: 1 },
      netMinor: 123456700n,
      allowanceMinor: 0n,
      chargeMinor: 0n,
      taxableMinor: 123456700n,
      taxMinor: 9259253n,
    },
  ],
  netMinor: 123456700n,
  allowanceMinor: 0n,
  chargeMinor: 0n,
  taxMinor: 9259253n,
  roundingMinor: 0n,
  payableMinor: 132715953n,
  paidMinor: 0n,
  creditedMinor: 0n,
  dueMinor: 132715953n,
  ...everyField((name) => (aboutField(name).kind === 'day' ? sampleOf(name) : text(name))),
  original: { number: text('original number'), issueDate: '2026-02-01', authorityReference: text('original irn') },
  reason: text('reason'),
  authorityReference: text('irn'),
  stamp: text('qr'),
})

const letterheadOf = (text: (name: string) => string): Letterhead => ({
  logo: null,
  bank: { bankName: text('bank'), accountName: text('account name'), accountNumber: text('account number') },
})

const words = {
  wording: wordingOf('en'),
  keepsEnglishTitle: true,
  unitName: (code: string) => `unit ${code}`,
  taxName: (category: string) => `tax ${category}`,
  taxIdName: (type: string) => (type === 'national' ? 'TIN' : 'Company number'),
  referenceName: 'IRN',
  today: '2026-03-15',
}
const links = { pdf: '/shared/token/pdf?a=1&b="2"' }

const itself = (name: string) => name
const plain = { ...documentOf(itself), original: null, reason: null }
const show = (changes: Partial<InvoiceDocument> = {}, letterhead = letterheadOf(itself)) =>
  sharedInvoicePage({ ...plain, ...changes }, letterhead, links, words)

/** What can be read on a page, with spaces as one sees them; that this parses is itself a check. */
function readingOf(page: string): string {
  using document = XmlDocument.fromString(page)
  return document.root.eval('normalize-space(string(//body))') as string
}

/** All elements of a page with the names of their attributes, in their order: what no text may change. */
function skeletonOf(page: string): string[] {
  using document = XmlDocument.fromString(page)
  return document.root.find('//* | //@*').map((node) => ('name' in node ? String(node.name) : '?'))
}

describe('the page of a shared invoice', () => {
  it('escapes every text', () => {
    const names: string[] = []
    const hostile = (name: string) => {
      names.push(name)
      return `<script>alert("${name}")</script> & 'more'`
    }
    const page = sharedInvoicePage(documentOf(hostile), letterheadOf(hostile), links, words)
    const reading = readingOf(page)
    const hidden = names.filter((name) => !reading.includes(`<script>alert("${name}")</script> & 'more'`))
    expect(names).toHaveLength(49 + textLengths.length)
    expect(hidden).toEqual(['qr'])
    expect(page).not.toMatch(/<script/i)
  })

  it('is well formed, with the same structure for any texts', () => {
    const wild = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
      fc.constantFrom('<b>', '</dd>', '&', '&lt;', '"', "'", '-->', ']]>', '</style>', '\n', '\0', '\ud800'),
    )
    const expected = skeletonOf(sharedInvoicePage(documentOf(itself), letterheadOf(itself), links, words))
    fc.assert(
      fc.property(fc.array(wild, { minLength: 1 }), (texts) => {
        let next = 0
        const text = () => `${texts[next++ % texts.length]}#${next}`
        const page = sharedInvoicePage(documentOf(text), letterheadOf(text), links, words)
        expect(skeletonOf(page)).toEqual(expected)
      }),
      { numRuns: casesToTry(60, 300) },
    )
  })

  it('is well formed without all optional values', () => {
    const bare = {
      ...plain,
      ...{ issueTime: null, dueDate: null, seller: null, buyer: null, lines: [], taxGroups: [] },
      ...nothingWritten,
      ...{ authorityReference: null, stamp: null },
    }
    const page = sharedInvoicePage(bare, { logo: null, bank: null }, links, words)
    expect(readingOf(page)).toBe(
      'Tax invoice number Amount due ₦1,327,159.53 NGN Payment due Download PDF Issued 1 March 2026 ' +
        'Supplied 1 March 2026 Lines Description Quantity Price Amount Tax summary Rate Taxable Tax ' +
        'Subtotal ₦1,234,567.00 Tax ₦92,592.53 Total ₦1,327,159.53 Amount due ₦1,327,159.53 ' +
        'Anyone who has the link to this page can read it. Français Hausa Yorùbá Igbo Português العربية',
    )
  })

  it('needs no script and no other host, and sends no referrer', () => {
    const page = show({}, { ...letterheadOf(itself), logo: { contentType: 'image/png', base64: 'iVBORw0KGgo=' } })
    expect(page).not.toMatch(
      /<script|<style|style=|<link(?! rel="stylesheet" href="\/s\/page\.css\?)|<iframe|@import|url\(|https?:|\bon\w+=/i,
    )
    expect(page.match(/\bsrc="[^"]*"/g)).toEqual(['src="data:image/png;base64,iVBORw0KGgo="'])
    expect(page).toContain('<meta name="robots" content="noindex, nofollow, noarchive"/>')
    expect(page).toContain('<meta name="referrer" content="no-referrer"/>')
    expect(page).toContain('<html lang="en">')
    expect(page).toContain('<title>Tax invoice number from seller name</title>')
  })

  it('shows the logo in place of the name, with the name as its alternative text', () => {
    const page = show({}, { logo: { contentType: 'image/jpeg', base64: '/9j/4A==' }, bank: null })
    expect(page).toContain('<img class="logo" src="data:image/jpeg;base64,/9j/4A==" alt="seller name"/>')
    expect(page).not.toContain('class="wordmark"')
    expect(show()).toContain('<p class="wordmark">seller name</p>')
  })

  it('shows the calculation of a line', () => {
    expect(readingOf(show())).toContain(
      'item name description category\u00a0· HS\u00a0hsn code\u00a0· Service\u00a0service code\u00a0· tax tax category ' +
        '2.5 unit unit ₦40.005 Discount −₦1.01 Fee ₦11.00 ₦110.00',
    )
  })

  it('shows a description that equals the item name once', () => {
    const line = { ...lineOf(itself), itemName: 'description', discountMinor: 0n, feeMinor: 0n }
    expect(readingOf(show({ lines: [line] }))).toMatch(/Amount description category\u00a0.* ₦40.005 ₦110.00/)
  })

  it('breaks figures only if the table would not fit', () => {
    expect(show()).toContain('<table class="lines" ')
    const line = { ...lineOf(itself), netMinor: 999_999_999_999_999n, discountMinor: 999_999_999_999_999n }
    expect(show({ lines: [lineOf(itself), line] })).toContain('<table class="lines crowded" ')
  })

  it('shows the sums up to the amount due, without empty ones', () => {
    const parts = { allowanceMinor: 100n, chargeMinor: 50n, roundingMinor: -1n, paidMinor: 1000n, creditedMinor: 2000n }
    expect(readingOf(show({ ...parts, payableMinor: 132715902n, dueMinor: 132712902n }))).toContain(
      'Subtotal ₦1,234,567.00 Discount −₦1.00 Charges ₦0.50 Tax ₦92,592.53 Rounding −₦0.01 Total ₦1,327,159.02 ' +
        'Paid −₦10.00 Credited −₦20.00 Amount due ₦1,327,129.02',
    )
    expect(readingOf(show())).toContain('Subtotal ₦1,234,567.00 Tax ₦92,592.53 Total ₦1,327,159.53 Amount due ₦')
  })

  it('shows the refund owed', () => {
    const overpaid = { paidMinor: 132716953n, dueMinor: 0n }
    expect(readingOf(show(overpaid))).toContain('Amount due ₦0.00 To be refunded ₦10.00')
    expect(readingOf(show({ paidMinor: 132715953n, dueMinor: 0n }))).not.toContain('refunded')
  })

  it.each([
    ['standard', 'Tax invoice number', 'Billed to'],
    ['prepayment', 'Prepayment invoice number', 'Billed to'],
    ['debit_note', 'Debit note number', 'Billed to'],
    ['credit_note', 'Credit note number', 'Credited to'],
  ] as const)('has the document type as its heading: %s', (type, heading, buyer) => {
    const reading = readingOf(show({ type }))
    expect(reading).toContain(`seller name ${heading} `)
    expect(reading).toContain(`${buyer} buyer name`)
  })

  it('shows which invoice a note corrects, and the reason', () => {
    const { original, reason } = documentOf(itself)
    expect(readingOf(show({ type: 'debit_note', original, reason }))).toContain(
      'What it corrects Invoice original number of 1 February 2026 IRN of that invoice original irn Reason reason',
    )
    expect(readingOf(show())).not.toContain('What it corrects')
  })

  it('shows how to pay only if an amount is due and an account is known', () => {
    const asked =
      'How to pay Please pay ₦1,327,159.53 into this account, with the reference below. ' +
      'Bank bank Account name account name Account number account number Reference number'
    expect(readingOf(show())).toContain(asked)
    for (const page of [
      show({}, { logo: null, bank: null }),
      show({ paidMinor: 132715953n, dueMinor: 0n }),
      show({ type: 'credit_note' }),
      show({ isDraft: true }),
    ]) {
      expect(page).not.toMatch(/How to pay|#pay|account number/)
    }
  })

  it('asks for no payment on a credit note', () => {
    const reading = readingOf(show({ type: 'credit_note' }))
    expect(reading).toContain('Total credit ₦1,327,159.53 NGN Credit There is nothing to pay.')
    expect(reading).not.toContain('Amount due')
  })

  it('says on a sandbox document that nothing is owed', () => {
    expect(readingOf(show({ mode: 'sandbox' }))).toMatch(/^Test tax invoice: nothing is owed\. /)
    expect(readingOf(show({ mode: 'sandbox', type: 'debit_note' }))).toMatch(/^Test debit note: nothing is owed\. /)
    expect(readingOf(show())).not.toContain('nothing is owed')
  })

  it('keeps the line breaks of notes, terms and reasons', () => {
    const page = show({ notes: 'one\n\n  two', paymentTerms: 'three\nfour', reason: 'five\nsix' })
    expect(page).toContain('<p class="prose">one\n\n  two</p>')
    expect(page).toContain('<p class="prose">three\nfour</p>')
    expect(page).toContain('<dd>five\nsix</dd>')
  })

  it('shows the IRN and the QR code of a signed document', () => {
    expect(readingOf(show())).toContain('Signed by the tax authority IRN irn')
    expect(show()).toContain('role="img" aria-label="QR code of the tax authority"')
    expect(show({ authorityReference: null, stamp: null })).not.toMatch(/Signed by|<svg/)
    expect(show({ stamp: 'x'.repeat(2332) })).not.toContain('<svg')
  })

  it('links to the PDF', () => {
    expect(show()).toContain('<a class="button" href="/shared/token/pdf?a=1&amp;b=&quot;2&quot;">Download PDF</a>')
  })

  it('formats the addresses and numbers of a party', () => {
    const address = { line1: '1 Broad Street', city: 'Lagos', state: 'Lagos', postalCode: '101001', country: 'NG' }
    const buyer = { ...partyOf(itself), address, taxIdType: 'rn', taxId: 'RC1', registrationNumber: 'RC1' }
    expect(readingOf(show({ buyer }))).toContain(
      'Billed to name legal name Trading as trading name business 1 Broad Street Lagos 101001 Nigeria ' +
        'email phone Company number RC1 VAT number vat number ',
    )
  })
})

describe('the page of an invalid link', () => {
  it('says that the link is invalid, without a reason', () => {
    expect(readingOf(notSharedPage())).toBe(
      'Nothing is shared here This link may be incomplete, or the invoice behind it is no longer shared. ' +
        'Please ask whoever sent it to you for a new one.',
    )
    expect(notSharedPage()).toContain('noindex')
  })
})
