import PDFDocument from 'pdfkit'
import { documentFonts } from '../server/src/modules/documents/pdf/fonts.ts'
import { drawInvoice } from '../server/src/modules/documents/pdf/invoice-pdf.ts'
import { type ReadPdf, readPdf } from '../server/src/modules/documents/pdf/read-pdf.ts'
import { fiveLines, plainLetterhead, sampleInvoice, sampleWords } from '../test/harness/sample-invoice.ts'
import { medianRound, type Row } from './measure.ts'

/** Many short rounds, so that disturbances on the machine affect both sides equally. */
const rounds = 60
const drawingsPerRound = 5
const letterhead = {
  ...plainLetterhead,
  bank: { bankName: 'First Bank of Nigeria', accountName: 'Adéṣọlá Foods Limited', accountNumber: '2031187745' },
}
const ours = () => drawInvoice(sampleInvoice(fiveLines), letterhead, sampleWords)
const arabic = ['أرز بسمتي', 'زيت الفول السوداني', 'نقل وتفريغ في كادونا', 'فاصوليا بنية منظفة', 'أكياس من الجوت']
const arabicLines = fiveLines.map((line, at) => ({ ...line, description: arabic[at] as string }))
const inArabic = () => drawInvoice(sampleInvoice(arabicLines, { notes: 'شكرا لتعاملكم معنا' }), letterhead, sampleWords)

/** Yardstick: pdfkit alone, with the same strings, fonts, sizes and positions. */
function bare({ pieces }: ReadPdf, height: number): Promise<Buffer> {
  const doc = new PDFDocument({ size: 'A4', margin: 0, font: '' })
  // pdfkit numbers fonts in the order of first use.
  const { regular, semibold } = documentFonts()
  doc.registerFont('F1', semibold).registerFont('F2', regular)
  const finished = new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
  })
  for (const { text, endsInBlank, font, size, x, y } of pieces)
    doc
      .font(font)
      .fontSize(size)
      .text(endsInBlank ? `${text} ` : text, x, height - y, { lineBreak: false, baseline: 'alphabetic' })
  doc.end()
  return finished
}

async function millisecondsEach(draw: () => Promise<Buffer>): Promise<number> {
  const begun = performance.now()
  for (let done = 0; done < drawingsPerRound; done++) await draw()
  return (performance.now() - begun) / drawingsPerRound
}

const textsOf = ({ pieces }: ReadPdf): string =>
  JSON.stringify(pieces.map(({ text, x, y, size }) => [text, x, y, size]))

/** An invoice of five lines. The yardstick is bare pdfkit with the same text in the same font. */
export async function benchPdf(say: (text: string) => void): Promise<Row> {
  const drawn = readPdf(await ours())
  const yardstick = () => bare(drawn, 841.89)
  const same = textsOf(readPdf(await yardstick())) === textsOf(drawn)
  if (!same) throw new Error('bare pdfkit did not write the same text at the same places')
  say(`${drawn.pieces.length} pieces of text on ${drawn.pages} page; both write the same at the same places.`)
  const figures: [number[], number[]] = [[], []]
  for (let round = -8; round < rounds; round++) {
    const pair = [await millisecondsEach(ours), await millisecondsEach(yardstick)] as const
    // Negative rounds are the warm-up.
    if (round < 0) continue
    figures[0].push(pair[0])
    figures[1].push(pair[1])
  }
  return {
    name: 'PDF of an invoice of five lines',
    unit: 'ms',
    ...medianRound(...figures),
    yardstickName: 'bare pdfkit, same text and font',
    goal: 1.3,
    goalIs: 'at most',
  }
}

/** An invoice of five lines in Arabic. The yardstick is the same invoice in English. */
export async function benchArabicPdf(): Promise<Row> {
  const figures: [number[], number[]] = [[], []]
  for (let round = -8; round < rounds; round++) {
    const pair = [await millisecondsEach(inArabic), await millisecondsEach(ours)] as const
    if (round < 0) continue
    figures[0].push(pair[0])
    figures[1].push(pair[1])
  }
  return {
    name: 'PDF of five lines in Arabic',
    unit: 'ms',
    ...medianRound(...figures),
    yardstickName: 'the same in English',
    goal: 3,
    goalIs: 'at most',
  }
}
