import fc from 'fast-check'
import decodeQR from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import {
  fiveLines,
  plainLetterhead,
  sampleBuyer,
  sampleInvoice,
  sampleLine,
  sampleSeller,
  sampleWords,
} from '../../../../../test/harness/sample-invoice.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { languageCodes } from '../../../kernel/languages/languages.ts'
import { catalogues, wordingOf } from '../../../kernel/languages/wording.ts'
import { undrawable } from './fonts.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { type ReadPdf, readPdf, type TextRun } from './read-pdf.ts'
import { page } from './style.ts'

const bank = { bankName: 'Zenith Bank', accountName: 'Adéṣọlá Foods', accountNumber: '1012345678' }

const draw = async (document: InvoiceDocument, letterhead: Letterhead = plainLetterhead): Promise<ReadPdf> =>
  readPdf(await drawInvoice(document, letterhead, sampleWords))

const textsOf = ({ pieces }: ReadPdf): string[] => pieces.map(({ text }) => text)
const joined = (pieces: readonly TextRun[]): string =>
  pieces.map(({ text, endsInBlank }) => (endsInBlank ? `${text} ` : text)).join('')
const wholeText = (pdf: ReadPdf): string => textsOf(pdf).join(' ')
/** The text without spaces, so that cuts and wraps do not matter. */
const solid = (text: string): string => text.normalize('NFC').replace(/\s/g, '')

const isWatermark = ({ size }: TextRun): boolean => size > 30

/** Texts outside the margins or over each other. */
function faultsOf({ pieces }: ReadPdf): string[] {
  const boxes = pieces
    .filter((piece) => piece.text !== '' && !isWatermark(piece))
    .map((piece) => ({ ...piece, bottom: piece.y - piece.size * 0.2, top: piece.y + piece.size * 0.73 }))
  return boxes.flatMap((box, index) => {
    const isOutside =
      box.x < page.left - 0.01 || box.x + box.width > page.right + 0.01 || box.bottom < 24 || box.top > page.height - 40
    const over = boxes.slice(index + 1).find((other) => {
      const meetsAcross = other.x < box.x + box.width - 0.01 && box.x < other.x + other.width - 0.01
      return other.page === box.page && meetsAcross && other.bottom < box.top && box.bottom < other.top
    })
    return [
      ...(isOutside ? [`"${box.text}" is beyond the margins`] : []),
      ...(over ? [`"${box.text}" and "${over.text}" are in each other on page ${box.page}`] : []),
    ]
  })
}

const word = 'Unbroken'.repeat(60)
const sentence = 'As long a name as anybody might want to give to their organisation, and then some more of it. '

const longTexts = sampleInvoice(
  [
    {
      ...sampleLine,
      description: word,
      itemName: sentence.repeat(2),
      quantity: { units: 999_999_999_999_999_999n, scale: 6 },
      unitPrice: { units: 999_999_999_999_999_999n, scale: 6 },
      unitCode: 'hundreds of international units',
      netMinor: 99_999_999_999_999_999n,
    },
    ...fiveLines,
  ],
  {
    number: 'N'.repeat(60),
    seller: { ...sampleSeller, name: sentence.repeat(2), legalName: word.slice(0, 255), email: word.slice(0, 200) },
    buyer: { ...sampleBuyer, name: word.slice(0, 255) },
    notes: `${sentence.repeat(15)}\n\n${word}`.slice(0, 2000),
    paymentTerms: word,
    purchaseOrderReference: word.slice(0, 100),
    original: { number: word.slice(0, 60), issueDate: '2026-01-01', authorityReference: word.slice(0, 90) },
    reason: sentence.repeat(5),
    authorityReference: word.slice(0, 90),
    stamp: word,
    currency: 'GHS',
  },
)
const longLetterhead = {
  logo: null,
  bank: { bankName: sentence, accountName: word.slice(0, 150), accountNumber: word },
}

describe('an invoice', () => {
  test('gives the same bytes each time', async () => {
    const once = () => drawInvoice(sampleInvoice(fiveLines), { ...plainLetterhead, bank }, sampleWords)
    const first = await once()
    expect(first.includes('(D:20260131130500Z)')).toBe(true)
    expect((await once()).equals(first)).toBe(true)
    const other = await drawInvoice(sampleInvoice(fiveLines, { notes: 'Else' }), plainLetterhead, sampleWords)
    expect(other.equals(first)).toBe(false)
  })

  test('is an A4 page with its title, its author, its language and its fonts', async () => {
    const pdf = (await drawInvoice(sampleInvoice(fiveLines), plainLetterhead, sampleWords)).toString('latin1')
    expect(pdf).toContain('/MediaBox [0 0 595.28 841.89]')
    expect(pdf).toContain('(Tax invoice INV-2026-0042)')
    expect(pdf).toContain('/Lang (en)')
    expect(pdf).toContain('+Inter-Regular')
    expect(pdf).not.toContain('Helvetica')
  })

  test('contains every text as readable text', async () => {
    const invoice = sampleInvoice(fiveLines, { buyerReference: 'Ẹ̀ka 7', accountingCost: 'CC-19' })
    const pdf = await draw(invoice, { ...plainLetterhead, bank })
    const said = solid(wholeText(pdf))
    const { seller, buyer } = invoice
    const wanted = [
      ...['Tax invoice', invoice.number, '31 January 2026', '2 March 2026', 'NGN (Nigerian Naira)', 'PO-7781', 'CC-19'],
      'Date of supply',
      ...[seller, buyer].flatMap((party) => [party?.name, party?.address?.line1, party?.address?.city, party?.taxId]),
      ...['Nigeria', 'RC 1099321', 'accounts@adesola.example', '+234 803 555 0101', 'Second floor', 'Ẹ̀ka 7'],
      ...fiveLines.flatMap(({ description, itemName, hsnCode }) => [description, itemName, hsnCode]),
      ...['Service 4923', 'Cereals', 'hours', 'kilograms', '8.5', '61,250.50', '510,629.25', 'Discount −₦10,000.00'],
      ...['VAT 7.5%', '1,670,279.50', '125,270.96', '₦1,670,279.50', '₦125,270.96', '₦1,795,550.46', 'Amount due'],
      ...[invoice.paymentTerms, invoice.notes, bank.bankName, bank.accountName, bank.accountNumber],
    ]
    for (const text of wanted) expect(said).toContain(solid(text ?? ''))
    expect(faultsOf(pdf)).toEqual([])
    expect(pdf.pages).toBe(1)
  })

  test('draws the letters of Nigerian languages and the naira sign', async () => {
    const letters = 'ọ ẹ ṣ ń ụ ị ɓ ɗ ƙ ƴ Ọ̀ṣọ́ Ẹ̀gbẹ́ ₦'
    const invoice = sampleInvoice([{ ...sampleLine, description: letters }], {
      seller: { ...sampleSeller, name: letters },
    })
    const { pieces } = await draw(invoice)
    expect(joined(pieces).split(letters.normalize('NFC'))).toHaveLength(3)
  })

  test('shows only existing sums', async () => {
    const plain = wholeText(await draw(sampleInvoice(fiveLines)))
    for (const label of ['Paid', 'Credited', 'Rounding', 'Charges', 'Discount −₦1.00'])
      expect(plain).not.toContain(label)
    const changes = {
      paidMinor: 300n,
      creditedMinor: 200n,
      roundingMinor: -1n,
      chargeMinor: 400n,
      allowanceMinor: 100n,
    }
    const full = wholeText(await draw(sampleInvoice(fiveLines, { ...changes, dueMinor: 12_345n })))
    const sums = ['Paid −₦3.00', 'Credited −₦2.00', 'Rounding −₦0.01', 'Charges ₦4.00', 'Discount −₦1.00']
    for (const sum of [...sums, 'Amount due ₦123.45']) expect(full).toContain(sum)
  })

  test('shows the bank account only if an amount is due', async () => {
    const account = async (changes: Partial<InvoiceDocument>) =>
      textsOf(await draw(sampleInvoice(fiveLines, changes), { ...plainLetterhead, bank })).includes('Pay to')
    expect(await account({})).toBe(true)
    expect(await account({ isDraft: true })).toBe(true)
    expect(await account({ dueMinor: 0n })).toBe(false)
    expect(await account({ type: 'credit_note' })).toBe(false)
  })

  test('draws the scripts of the world, and right-to-left text in its order', async () => {
    const description = 'חברת הכרמל 12, あおぞら and አዲስ'
    const latin = await drawInvoice(sampleInvoice([sampleLine]), plainLetterhead, sampleWords)
    const drawn = await drawInvoice(sampleInvoice([{ ...sampleLine, description }]), plainLetterhead, sampleWords)
    expect(drawn).toEqual(
      await drawInvoice(sampleInvoice([{ ...sampleLine, description }]), plainLetterhead, sampleWords),
    )
    expect(latin.toString('latin1')).not.toContain('NotoSans')
    for (const font of ['NotoSansHebrew', 'NotoSansJP', 'NotoSansEthiopic'])
      expect(drawn.toString('latin1')).toContain(font)
    const texts = textsOf(readPdf(drawn))
    expect(texts).toEqual(expect.arrayContaining(['あおぞら', 'አዲስ', 'תרבח', 'למרכה']))
    expect(texts.indexOf('למרכה')).toBeLessThan(texts.indexOf('תרבח'))
    expect(texts.join('')).not.toContain('□')
  })

  test('says that it is paid, and asks for no payment', async () => {
    const { payableMinor } = sampleInvoice(fiveLines)
    const outcome = async (changes: Partial<InvoiceDocument>) =>
      wholeText(await draw(sampleInvoice(fiveLines, { dueMinor: 0n, ...changes })))
    const paid = await outcome({ paidMinor: payableMinor })
    expect(paid).toContain('Paid ₦1,795,550.46')
    expect(paid).not.toContain('Amount due')
    expect(await outcome({ paidMinor: payableMinor - 1n, creditedMinor: 1n })).toContain('Settled ₦1,795,550.46')
  })

  test('shows the payment reference below the account, and aligns all amounts', async () => {
    const { pieces } = await draw(sampleInvoice(fiveLines), { ...plainLetterhead, bank })
    const at = (text: string) => pieces.findIndex((piece) => piece.text === text)
    expect(pieces[at('Reference') + 1]?.text).toBe('INV-2026-0042')
    expect(at('Reference')).toBeGreaterThan(at('Account number'))
    const ends = pieces.filter(({ text }) => text.startsWith('₦')).map(({ x, width }) => x + width)
    expect(ends.length).toBeGreaterThan(3)
    for (const end of ends) expect(end).toBeCloseTo(page.right, 1)
  })

  test('without parties, as a draft, is drawn without them', async () => {
    const nobody = { seller: null, buyer: null, number: '' }
    const draft = wholeText(await draw(sampleInvoice([], { ...nobody, isDraft: true, taxGroups: [] })))
    expect(draft).toContain('The seller is not chosen yet')
    expect(draft).toContain('The buyer is not chosen yet')
    expect(draft).toContain('No number yet')
    expect(wholeText(await draw(sampleInvoice(fiveLines, { buyer: null })))).toContain('The buyer is not named')
  })
})

test('a note shows the corrected invoice and the reason', async () => {
  const original = { number: 'INV-7', issueDate: '2026-01-05', authorityReference: 'INV7-ABCD-20260105' }
  const note = sampleInvoice([sampleLine], { type: 'credit_note', original, reason: 'Two bags were wet.' })
  const text = wholeText(await draw(note))
  for (const said of [
    'Credit note',
    'INV-7 of 5 January 2026',
    original.authorityReference,
    'Two bags were wet.',
    'Amount credited',
  ])
    expect(text).toContain(said)
})

describe('pages', () => {
  test('five hundred lines fill several numbered pages with repeated headers', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => ({ ...sampleLine, description: `Thing ${index + 1}.` }))
    const pdf = await draw(sampleInvoice(lines))
    expect(pdf.pages).toBeGreaterThan(10)
    for (let number = 1; number <= pdf.pages; number++) {
      const texts = pdf.pieces.filter((piece) => piece.page === number).map(({ text }) => text)
      expect(texts).toContain(`Page ${number} of ${pdf.pages}`)
      const hasLines = texts.some((text) => text.startsWith('Thing '))
      expect(texts.filter((text) => text === 'Description')).toHaveLength(hasLines ? 1 : 0)
      if (number > 1) expect(texts).toContain('Adéṣọlá Foods Limited')
    }
    const things = textsOf(pdf).filter((text) => text.startsWith('Thing '))
    expect(things).toEqual(lines.map(({ description }) => description))
    expect(faultsOf(pdf)).toEqual([])
  })

  test('a line is never split over two pages', async () => {
    const description = `First of all: ${sentence.repeat(2)}`
    const pdf = await draw(sampleInvoice(Array.from({ length: 40 }, () => ({ ...sampleLine, description }))))
    const starts = pdf.pieces.filter(({ text }) => text.startsWith('First of all:'))
    const ends = pdf.pieces.filter(({ text }) => text === 'HSN 1006.30 · Cereals')
    expect(starts).toHaveLength(40)
    expect(ends.map((piece) => piece.page)).toEqual(starts.map((piece) => piece.page))
    expect(new Set(ends.map((piece) => piece.page)).size).toBeGreaterThan(1)
  })

  test('the longest texts stay within the margins, do not overlap, and are complete', async () => {
    const pdf = await draw(longTexts, longLetterhead)
    expect(faultsOf(pdf)).toEqual([])
    const running = pdf.pieces.filter(({ text, y }) => !text.startsWith('Page ') && y < page.height - 56 && y > 48)
    const said = solid(running.map(({ text }) => text).join(''))
    for (const text of [longTexts.notes, longTexts.paymentTerms, longTexts.seller?.name, longTexts.reason])
      expect(said).toContain(solid(text ?? expect.fail()))
  })

  test('texts in two columns continue on the same pages', async () => {
    const buyer = { ...sampleBuyer, name: sentence.repeat(40) }
    const document = sampleInvoice(fiveLines, { buyer, purchaseOrderReference: sentence.repeat(50) })
    const pdf = await draw(document)
    expect(faultsOf(pdf)).toEqual([])
    const secondPage = pdf.pieces.filter((piece) => piece.page === 2)
    expect(new Set(secondPage.map(({ x }) => Math.round(x))).size).toBeGreaterThan(2)
    expect(secondPage.filter(({ text }) => text === 'Tax invoice INV-2026-0042')).toHaveLength(2)
  })

  test('many tax rates continue on the next page', async () => {
    const [group] = sampleInvoice(fiveLines).taxGroups
    const taxGroups = Array.from({ length: 90 }, (_, rate) => ({
      ...(group ?? expect.fail()),
      rate: { units: BigInt(rate), scale: 0 },
    }))
    const pdf = await draw(sampleInvoice(fiveLines, { taxGroups, authorityReference: 'IRN-1', stamp: 'code' }), {
      ...plainLetterhead,
      bank,
    })
    expect(textsOf(pdf)).toContain('VAT 89%')
    expect(faultsOf(pdf)).toEqual([])
  })
})

test('an overdue document says since when', async () => {
  const document = sampleInvoice(fiveLines)
  const drawn = async (minor?: bigint) => {
    const overdue = minor === undefined ? undefined : { minor, since: '2026-03-02' }
    return wholeText(readPdf(await drawInvoice(document, plainLetterhead, sampleWords, { overdue })))
  }
  expect(await drawn()).not.toMatch(/overdue/i)
  const late = await drawn(document.dueMinor)
  expect(late).toContain('Due date 2 March 2026 Overdue since 3 March 2026')
  expect(late).toContain('Amount overdue ₦1,795,550.46')
  // A part is overdue: both amounts are shown.
  const partlyLate = await drawn(550_46n)
  expect(partlyLate).toContain('Amount overdue ₦550.46')
  expect(partlyLate).toContain('Amount due ₦1,795,550.46')
})

test('instalments are a table, with what is left once something was settled', async () => {
  const { dueMinor } = sampleInvoice(fiveLines)
  const inParts = (settled: bigint) =>
    sampleInvoice(fiveLines, {
      instalments: [
        { dueDate: '2026-02-02', amountMinor: 500_00n, dueMinor: 500_00n - settled, percent: null },
        { dueDate: '2026-03-02', amountMinor: dueMinor - 500_00n, dueMinor: dueMinor - 500_00n, percent: null },
      ],
    })
  const text = async (settled: bigint) => wholeText(await draw(inParts(settled)))
  expect(await text(0n)).toContain('Instalments Due date Amount 2 February 2026 500.00 2 March 2026 1,795,050.46')
  expect(await text(100_00n)).toContain('Due date Amount Amount due 2 February 2026 500.00 400.00')
  expect(faultsOf(await draw(inParts(100_00n)))).toEqual([])
})

describe('the metadata of a file', () => {
  const drawn = async (name: string, xml?: string) =>
    await drawInvoice(
      sampleInvoice([{ ...sampleLine, description: name }], { seller: { ...sampleSeller, name: 'Eze & <Sons>' } }),
      plainLetterhead,
      sampleWords,
      xml === undefined ? {} : { xml },
    )
  const packet = (pdf: Buffer): string => /<\?xpacket begin.*?<\?xpacket end="r"\?>/s.exec(pdf.toString())?.[0] ?? ''

  test('is well formed, and claims PDF/UA only if the file conforms', async () => {
    const said = packet(await drawn('Rice'))
    expect(said).toContain('<rdf:li xml:lang="x-default">Tax invoice INV-2026-0042</rdf:li>')
    expect(said).toContain('<rdf:li>Eze &amp; &lt;Sons&gt;</rdf:li>')
    expect(said).toContain('<xmp:CreateDate>2026-01-31T13:05:00.000Z</xmp:CreateDate>')
    expect(said).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(packet(await drawn('دجاج'))).not.toContain('pdfuaid')
  })

  test('of a file with XML claims PDF/A-3', async () => {
    const pdf = await drawn('Rice', '<Invoice/>')
    expect(packet(pdf)).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>')
    expect(packet(pdf)).not.toContain('pdfuaid')
    expect(packet(await drawn('دجاج', '<Invoice/>'))).toContain('<pdfaid:conformance>B</pdfaid:conformance>')
    const words = pdf.toString('latin1')
    for (const part of ['/AFRelationship /Alternative', '/GTS_PDFA1', '(invoice.xml)', '/application#2Fxml'])
      expect(words).toContain(part)
    expect(await drawn('Rice', '<Invoice/>')).toEqual(pdf)
    expect((await drawn('Rice')).toString('latin1')).not.toContain('/EmbeddedFile')
  })
})

test('a screen reader gets a blank between lines, but not within a word', async () => {
  const { pieces } = await draw(sampleInvoice([sampleLine], { notes: `Paid in\n${word}` }))
  const from = pieces.findIndex(({ text }) => text === 'Notes')
  const notes = pieces.slice(from + 1, -2)
  expect(notes.length).toBeGreaterThan(3)
  expect(joined(notes)).toBe(`Paid in ${word}`)
})

test('a screen reader gets a heading and tables, without repeated headers', async () => {
  const lines = Array.from({ length: 60 }, () => sampleLine)
  const pdf = (await drawInvoice(sampleInvoice(lines), plainLetterhead, sampleWords)).toString('latin1')
  const count = (role: string) => pdf.split(`/S /${role}\n`).length - 1
  expect(pdf).toContain('/Marked true')
  expect([count('Document'), count('H1'), count('H2'), count('Table')]).toEqual([1, 1, 4, 3])
  const sums = 4
  expect([count('TR'), count('TH'), count('TD')]).toEqual([60 + 1 + 2 + sums, 6 + 3 + sums, 60 * 6 + 3 + sums])
  const scopes = (scope: string) => pdf.split(`/Scope /${scope}\n`).length - 1
  expect([scopes('Column'), scopes('Row')]).toEqual([6 + 3, sums])
})

test('drafts and sandbox documents have a watermark on each page, and others have none', async () => {
  const lines = Array.from({ length: 40 }, () => sampleLine)
  const marks = async (isDraft: boolean, mode: 'live' | 'sandbox') =>
    (await draw(sampleInvoice(lines, { isDraft, mode }))).pieces
      .filter(isWatermark)
      .map((mark) => [mark.page, mark.text])
  expect(await marks(false, 'live')).toEqual([])
  expect(await marks(true, 'live')).toEqual([
    [1, 'DRAFT'],
    [2, 'DRAFT'],
    [3, 'DRAFT'],
  ])
  expect((await marks(true, 'sandbox'))[0]).toEqual([1, 'DRAFT · SANDBOX'])
})

/** The squares of the QR code: x, y, width and height. The code is the figure with most squares. */
function codeSquares(content: string): number[][] {
  const filled = content.split('\nf\n').map((part) => [...part.matchAll(/^(\S+) (\S+) (\S+) (\S+) re$/gm)])
  const code = filled.reduce((most, some) => (some.length > most.length ? some : most), [])
  return code.map(([, ...numbers]) => numbers.map(Number))
}

/** The text that a scanner reads from them. */
function scan(squares: readonly (readonly number[])[]): string {
  const scale = 4
  const [width, height] = [600 * scale, 850 * scale]
  const data = new Uint8Array(width * height * 4).fill(255)
  for (const square of squares) {
    const [x = 0, y = 0, across = 0, down = 0] = square.map((number) => number * scale)
    for (let row = Math.round(y); row < Math.round(y + down); row++)
      data.fill(0, (row * width + Math.round(x)) * 4, (row * width + Math.round(x + across)) * 4)
  }
  return decodeQR({ width, height, data }, { effort: Number.POSITIVE_INFINITY, timeLimit: Number.POSITIVE_INFINITY })
}

describe('the data of the authority', () => {
  const stamp = 'Qk1hbmRlbGJyb3RPZkNvZGVz'.repeat(14)

  test('are the IRN and a readable QR code', async () => {
    const authorityReference = 'INV000042-94ND90NR-20260131'
    const pdf = await draw(sampleInvoice(fiveLines, { authorityReference, stamp }))
    // In one piece beside the code, and at the foot of the page.
    expect(wholeText(pdf).split(authorityReference)).toHaveLength(3)
    const squares = codeSquares(pdf.contents[0] ?? '')
    expect(scan(squares)).toBe(stamp)
    const sides = squares.map(([x = 0, , width = 0]) => [x, x + width] as const)
    const size = Math.max(...sides.map(([, right]) => right)) - Math.min(...sides.map(([left]) => left))
    expect(size).toBeGreaterThan(30 * (72 / 25.4))
  })

  test('are omitted before registration, and so is a QR code whose text is too long', async () => {
    const squares = async (changes: Partial<InvoiceDocument>) =>
      (await draw(sampleInvoice(fiveLines, changes))).contents.join('').split(' re\n').length
    const plain = await draw(sampleInvoice(fiveLines))
    expect(wholeText(plain)).not.toContain('reference number')
    expect(await squares({ authorityReference: 'X' })).toBe(await squares({}))
    expect(await squares({ authorityReference: 'X', stamp: 'k'.repeat(3000) })).toBe(await squares({}))
    expect(await squares({ authorityReference: 'X', stamp })).toBeGreaterThan((await squares({})) + 500)
  })
})

/** The fonts of China, Japan and Korea have hundreds of files, so fewer random documents use them. */
test.each([
  [0x2fff, casesToTry(12, 32)],
  [0xffff, casesToTry(1, 3)],
])(
  'any texts of letters up to %i and any amounts are drawn within the margins, without overlap',
  async (max, numRuns) => {
    const anyUnits = fc.array(fc.integer({ min: 0, max })).map((units) => String.fromCharCode(...units))
    const text = fc.oneof(fc.string({ unit: max === 0xffff ? 'grapheme' : 'grapheme-ascii' }), anyUnits)
    const minor = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n })
    const decimal = fc.record({ units: fc.bigInt({ min: 0n, max: 10n ** 18n }), scale: fc.integer({ min: 0, max: 6 }) })
    const line = fc
      .record({ description: text, itemName: fc.option(text), quantity: decimal, unitPrice: decimal, unitCode: text })
      .chain((known) =>
        fc.record({ netMinor: minor, discountMinor: minor }).map((sums) => ({ ...sampleLine, ...known, ...sums })),
      )
    const changes = fc.record({
      ...{
        number: text,
        notes: fc.option(text),
        reason: fc.option(text),
        authorityReference: fc.option(text),
        stamp: fc.option(text),
      },
      ...{ currency: fc.oneof(fc.constantFrom('NGN', 'USD', 'XAF'), text), payableMinor: minor, dueMinor: minor },
      ...{ paymentTerms: fc.option(text), isDraft: fc.boolean(), type: fc.constantFrom('standard', 'credit_note') },
      seller: fc.option(fc.record({ name: text, email: text }).map((known) => ({ ...sampleSeller, ...known }))),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), changes, async (lines, changed) => {
        expect(faultsOf(await draw({ ...sampleInvoice(lines), ...changed } as InvoiceDocument))).toEqual([])
      }),
      { numRuns },
    )
  },
)

describe.each(languageCodes)('in %s', (language) => {
  const wording = wordingOf(language)
  const inLanguage = async (document: InvoiceDocument) => {
    const overdue = { minor: document.dueMinor, since: document.dueDate ?? document.issueDate }
    return readPdf(await drawInvoice(document, { ...plainLetterhead, bank }, { ...sampleWords, wording }, { overdue }))
  }

  test('the fonts have every letter of the catalogue', () => {
    expect(undrawable(JSON.stringify(catalogues[language]))).toEqual([])
  })

  test('nothing overlaps or leaves the page, and the English title stays', async () => {
    const pdf = await inLanguage(sampleInvoice(fiveLines, { notes: 'Thank you.', paidMinor: 100n }))
    expect(faultsOf(pdf)).toEqual([])
    expect(solid(wholeText(pdf))).toContain('Taxinvoice')
    expect(wholeText(await inLanguage(sampleInvoice(fiveLines, { type: 'credit_note' })))).toContain('Credit note')
  })

  test('the page runs in the direction of the language, and figures from left to right', async () => {
    const { pieces } = await inLanguage(sampleInvoice(fiveLines))
    const seller = pieces.find(({ text }) => text === sampleSeller.name) as TextRun
    const amount = wording.money(sampleInvoice(fiveLines).dueMinor, 'NGN').replace(/\s/g, ' ')
    const due = pieces.find(({ text, size }) => text === amount && size > 12) as TextRun
    const isSellerAtRight = seller.x > page.width / 2
    expect(isSellerAtRight).toBe(wording.direction === 'rtl')
    expect(due.x > page.width / 2).toBe(wording.direction === 'ltr')
  })
})

test('the QR code of a mirrored page is not mirrored', async () => {
  const stamp = 'https://authority.test/1'
  const document = sampleInvoice(fiveLines, { authorityReference: 'INV-1-X-20260101', stamp })
  const pdf = readPdf(await drawInvoice(document, plainLetterhead, { ...sampleWords, wording: wordingOf('ar') }))
  expect(faultsOf(pdf)).toEqual([])
  const squares = codeSquares(pdf.contents[0] ?? '')
  expect(scan(squares)).toBe(stamp)
  // A scanner may read a mirrored code too, but its finder patterns then lie elsewhere.
  const english = readPdf(await drawInvoice(document, plainLetterhead, sampleWords))
  const shapeOf = (content: string) => {
    const found = codeSquares(content)
    const left = Math.min(...found.map(([x = 0]) => x))
    const top = Math.min(...found.map(([, y = 0]) => y))
    return found.map(([x = 0, y = 0, width]) => [x - left, y - top, width].map((number) => Math.round(Number(number))))
  }
  expect(shapeOf(pdf.contents[0] ?? '')).toEqual(shapeOf(english.contents[0] ?? ''))
})
