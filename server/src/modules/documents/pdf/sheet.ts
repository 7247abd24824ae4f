import PDFDocument from 'pdfkit'
import type { Wording } from '../../../kernel/languages/wording.ts'
import { type Cell, type Direction, heightOf, type Line, split } from './cells.ts'
import { type FallbackFont, findFallbackFont } from './fallback-fonts.ts'
import { documentFonts, drawable, isPlain, isUsual } from './fonts.ts'
import { attachXml, claimOf, type Metadata, replaceMetadata } from './metadata.ts'
import { directionOf, isFromRight, type Run, runsOf } from './runs.ts'
import { colours, page, pageWidth, type Style, styles, type Weight } from './style.ts'
import { joinLetters, meaning } from './text-layer.ts'
import { shorten, wrapText } from './wrap.ts'

export interface SheetFacts {
  /** the language of the reader; a page from right to left is mirrored */
  readonly wording: Wording
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly date: Date
  /** at the top of each page but the first: the document and its seller */
  readonly running: readonly [string, string]
  /** at the foot of each page, before its number */
  readonly foot: string
  readonly watermark: string | undefined
  /** the document in UBL, which makes the file archivable (PDF/A-3) */
  readonly xml?: string
}

/** A row below this height moves to the next page as a whole instead of being split. */
const splittable = (page.bottom - page.top) / 3
const footY = page.bottom + 14
/** The start of the text on each page but the first. */
const continuedY = page.top + 34

/** Fonts draw a space that no line breaks at like any other space. */
const breakable = (text: string): string => text.replaceAll('\u00a0', ' ')

/**
 * A4 pages with text that flows down, row by row. `y` is the start of the next row. Callers give all places for a page
 * from left to right; the sheet mirrors them for a language from right to left.
 */
export class Sheet {
  readonly #facts: SheetFacts
  readonly #loaded: ReadonlyMap<string, Buffer>
  /** Fonts that were not loaded when they were needed. The document has to be drawn again with them. */
  readonly missing = new Map<string, readonly [FallbackFont, Weight]>()
  readonly #doc: PDFKit.PDFDocument
  readonly #chunks: Buffer[] = []
  readonly #finished: Promise<Buffer>
  readonly #registered = new Set<string>()
  #colour = ''
  #header: (() => void) | undefined
  #part: PDFKit.PDFStructureElement
  #pages = 0
  /** the current page, from zero */
  #at = 0
  y: number = page.top

  /** `loaded` has fonts by their name in `missing`; other fonts are looked for in memory. */
  constructor(facts: SheetFacts, loaded: ReadonlyMap<string, Buffer>) {
    this.#facts = facts
    this.#loaded = loaded
    const { title, author, subject, date } = facts
    this.#doc = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: '1.7',
      lang: facts.wording.language,
      tagged: true,
      displayTitle: true,
      ...(facts.xml !== undefined && { subset: 'PDF/A-3b' }),
      // Prevents pdfkit from loading its own font.
      font: '',
      // The library derives the file's id from these values: with a fixed date the same input gives the same bytes.
      info: { Title: title, Author: author, Subject: subject, Creator: 'Risiti', CreationDate: date },
    })
    replaceMetadata(this.#doc, () => this.#metadata())
    const fonts = documentFonts()
    this.#doc.registerFont('regular', fonts.regular).registerFont('semibold', fonts.semibold)
    this.#finished = new Promise((resolve, reject) => {
      this.#doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
      this.#doc.on('end', () => resolve(Buffer.concat(this.#chunks)))
      this.#doc.on('error', reject)
    })
    this.#part = this.#doc.struct('Document')
    this.#doc.addStructure(this.#part)
    this.#addPage()
  }

  get wording(): Wording {
    return this.#facts.wording
  }

  get #isMirrored(): boolean {
    return this.wording.direction === 'rtl'
  }

  /** The left edge on the paper of something that begins at `x`. */
  onPaper(x: number, width: number): number {
    return this.#isMirrored ? page.width - x - width : x
  }

  #addPage(): void {
    this.#doc.addPage()
    this.#colour = ''
    this.#at = this.#pages++
    this.y = page.top
    if (this.#facts.watermark) this.#drawWatermark(this.#facts.watermark)
  }

  #drawWatermark(text: string): void {
    const diagonal = Math.hypot(page.width, page.height)
    const line = this.fitted(text, styles.watermark, diagonal * 0.72)
    const middle = { x: page.width / 2, y: page.height / 2 }
    const angle = (-Math.atan2(page.height, page.width) * 180) / Math.PI
    this.#doc.markContent('Artifact')
    this.#doc.save().rotate(angle, { origin: [middle.x, middle.y] })
    this.#put(line, middle.x - line.width / 2, middle.y - line.style.leading / 2)
    this.#doc.restore().endMarkedContent()
    this.#colour = ''
  }

  #use({ weight, size }: Style): void {
    this.#doc.font(weight).fontSize(size)
  }

  /** Measures texts of this style. Valid until another style is measured or drawn. */
  #measure(style: Style, direction: Direction | undefined): (text: string) => number {
    this.#use(style)
    if (!direction) return (text) => this.#doc.widthOfString(breakable(text))
    return (text) => runsOf(text, direction, isUsual).reduce((sum, run) => sum + this.#widthOf(run, style), 0)
  }

  #widthOf(run: Run, style: Style): number {
    this.#useFor(run, style)
    return this.#doc.widthOfString(breakable(run.text))
  }

  /** Chooses the font of a run. Uses the usual font in place of one that is not loaded yet. */
  #useFor({ font }: Run, style: Style): void {
    this.#use(style)
    if (!font) return
    const name = `${font}/${style.weight}`
    const isNew = !this.#registered.has(name)
    if (isNew && !this.#register(name, font, style.weight)) return
    this.#doc.font(name)
    if (!isNew) return
    joinLetters(this.#doc, isFromRight(font))
    this.#registered.add(name)
  }

  #register(name: string, font: FallbackFont, weight: Weight): boolean {
    const bytes = this.#loaded.get(name) ?? findFallbackFont(font, weight)
    if (bytes) this.#doc.registerFont(name, bytes)
    else this.missing.set(name, [font, weight])
    return bytes !== undefined
  }

  wrap(text: string, style: Style, width: number): Line[] {
    return drawable(text)
      .split('\n')
      .flatMap((paragraph) => {
        const direction = isPlain(paragraph) ? undefined : directionOf(paragraph)
        const lines = wrapText(paragraph, width, this.#measure(style, direction))
        return lines.map((line): Line => ({ ...line, style, ...(direction && { direction }) }))
      })
  }

  /** One line of any length. */
  line(text: string, style: Style): Line {
    const shown = drawable(text)
    const direction = isPlain(shown) ? undefined : directionOf(shown)
    return { text: shown, width: this.#measure(style, direction)(shown), style, ...(direction && { direction }) }
  }

  /** One line in a size that fits. */
  fitted(text: string, style: Style, width: number): Line {
    const line = this.line(text, style)
    if (line.width <= width) return line
    return { ...line, width, style: { ...style, size: (style.size * width) / line.width } }
  }

  /** One line, with an ellipsis if it does not fit. */
  #shortened(text: string, style: Style, width: number): Line {
    const shown = drawable(text)
    const direction = isPlain(shown) ? undefined : directionOf(shown)
    return { ...shorten(shown, width, this.#measure(style, direction)), style, ...(direction && { direction }) }
  }

  /** A line before another ends with a space, so that screen readers and copies separate the words of both lines. */
  #put({ text, style, direction }: Line, x: number, y: number, isFollowed = false): void {
    if (text === '') return
    this.#use(style)
    if (style.colour !== this.#colour) this.#doc.fillColor(style.colour)
    this.#colour = style.colour
    // Centres capitals in their line.
    const baseline = y + style.leading / 2 + style.size * 0.364
    if (direction) this.#putRuns(text, direction, style, x, baseline, isFollowed)
    else this.#putText(isFollowed ? `${text} ` : text, x, baseline)
  }

  #putText(text: string, x: number, baseline: number): void {
    this.#doc.text(breakable(text), x, baseline, { lineBreak: false, baseline: 'alphabetic' })
  }

  #putRuns(text: string, direction: Direction, style: Style, x: number, baseline: number, isFollowed: boolean): void {
    let at = x
    for (const run of runsOf(text, direction, isUsual)) {
      this.#useFor(run, style)
      const put = () => this.#putText(run.text, at, baseline)
      if (run.meant === undefined) put()
      else meaning(this.#doc, run.meant, put)
      at += this.#doc.widthOfString(breakable(run.text))
    }
    if (!isFollowed) return
    this.#use(style)
    this.#putText(' ', at, baseline)
  }

  #draw({ x, width, align, lines, role = 'P' }: Cell, element?: PDFKit.PDFStructureElement, goesOn = false): void {
    if (lines.every(({ text }) => text === '')) return
    if (element) element.add(this.#doc.markStructureContent(role))
    else this.#doc.markContent('Artifact')
    let y = this.y
    const left = this.onPaper(x, width)
    const isAtRight = align === 'right' || (align === 'end') !== this.#isMirrored
    const last = goesOn ? lines.length : lines.findLastIndex(({ text }) => text !== '')
    for (const [index, line] of lines.entries()) {
      this.#put(line, isAtRight ? left + width - line.width : left, y, index < last && !line.isCut)
      y += line.style.leading
    }
    this.#doc.endMarkedContent()
  }

  /** Draws cells beside each other and moves below the tallest; the rest continues on the next page. */
  row(cells: readonly Cell[]): void {
    const height = Math.max(0, ...cells.map(({ lines }) => heightOf(lines)))
    const left = page.bottom - this.y
    const firstLines = Math.max(...cells.map(({ lines }) => heightOf(lines.slice(0, 3))))
    if (height > left && (height < splittable || firstLines > left)) this.newPage()
    const elements = cells.map((cell) => this.#element(cell))
    let rest = cells
    while (Math.max(0, ...rest.map(({ lines }) => heightOf(lines))) > page.bottom - this.y) {
      const parts = rest.map((cell) => split(cell, page.bottom - this.y))
      for (const [index, [now]] of parts.entries()) this.#draw(now, elements[index], true)
      rest = parts.map(([, later]) => later)
      this.newPage()
    }
    for (const [index, cell] of rest.entries()) this.#draw(cell, elements[index])
    for (const element of elements) element?.end()
    this.y += Math.max(0, ...rest.map(({ lines }) => heightOf(lines)))
  }

  #element({ role = 'P', scope = 'Column', lines }: Cell): PDFKit.PDFStructureElement | undefined {
    if (role === 'Artifact' || (role === 'P' && lines.every(({ text }) => text === ''))) return undefined
    // The library supports scopes, but its types do not.
    const options: PDFKit.Mixins.StructureElementOptions & { readonly scope?: string } = role === 'TH' ? { scope } : {}
    const element = this.#doc.struct(role, options)
    this.#part.add(element)
    return element
  }

  /** Groups what `draw` draws: a table, or a row of one. */
  part(role: 'Table' | 'TR', draw: () => void): void {
    const around = this.#part
    this.#part = this.#doc.struct(role)
    around.add(this.#part)
    draw()
    this.#part.end()
    this.#part = around
  }

  /** What `draw` draws is a picture with this alternative text. */
  figure(alt: string, draw: () => void): void {
    const element = this.#doc.struct('Figure', { alt })
    this.#part.add(element)
    element.add(this.#doc.markStructureContent('Figure'))
    draw()
    this.#doc.endMarkedContent()
    element.end()
  }

  /** While `body` is drawn, each new page begins with this header. */
  underHeader(header: () => void, body: () => void): void {
    this.#header = header
    body()
    this.#header = undefined
  }

  /** Draws two things from the same height on, and continues below the lower end. */
  beside(height: number, first: () => void, second: () => void): void {
    this.room(height)
    const start = [this.#at, this.y] as const
    first()
    const end = [this.#at, this.y] as const
    this.#go(...start)
    second()
    if (end[0] > this.#at) this.#go(...end)
    else if (end[0] === this.#at) this.y = Math.max(this.y, end[1])
  }

  #go(at: number, y: number): void {
    this.#doc.switchToPage(at)
    this.#colour = ''
    this.#at = at
    this.y = y
  }

  /** Begins a new page unless this height is left. */
  room(height: number): void {
    if (this.y + height > page.bottom) this.newPage()
  }

  /** Goes to the next page: a new one, unless the neighbouring column has begun it already. */
  newPage(): void {
    if (this.#at + 1 < this.#pages) this.#go(this.#at + 1, continuedY)
    else this.#beginPage()
    this.#header?.()
  }

  #beginPage(): void {
    this.#addPage()
    const [left, right] = this.#facts.running
    const leftLine = this.#shortened(left, styles.strong, pageWidth * 0.6)
    const rightLine = this.#shortened(right, styles.quiet, pageWidth - leftLine.width - 24)
    this.#draw({ x: page.left, width: pageWidth, lines: [leftLine] })
    this.#draw({ x: page.left, width: pageWidth, align: 'end', lines: [rightLine] })
    this.y += 20
    this.rule(page.left, pageWidth)
    this.y = continuedY
  }

  /** A hairline at the current position. */
  rule(x: number, width: number, colour: string = colours.rule, thickness = 0.6): void {
    this.box(x, this.y, width, thickness, colour)
  }

  box(x: number, y: number, width: number, height: number, colour: string): void {
    this.#doc.markContent('Artifact')
    this.boxes([{ x: this.onPaper(x, width), y, width, height }], colour)
    this.#doc.endMarkedContent()
  }

  /** Many boxes at once, as part of a figure, at their places on the paper. */
  boxes(
    boxes: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[],
    colour: string,
  ): void {
    for (const { x, y, width, height } of boxes) this.#doc.rect(x, y, width, height)
    this.#doc.fill(colour)
    this.#colour = colour
  }

  /** Draws the picture at the start of this space. Its bytes were checked before. */
  picture(bytes: Buffer, x: number, y: number, width: number, height: number): void {
    const align = this.#isMirrored ? ({ align: 'right' } as const) : {}
    this.#doc.image(bytes, this.onPaper(x, width), y, { fit: [width, height], valign: 'center', ...align })
  }

  /** A glyph without a character, such as the dots of Arabic, is not allowed in a file that claims readable text. */
  #metadata(): Metadata {
    const isReadable = ![...this.#registered].some(isFromRight)
    return {
      ...this.#facts,
      language: this.wording.language,
      claim: claimOf(isReadable, this.#facts.xml !== undefined),
    }
  }

  finish(): Promise<Buffer> {
    if (this.#facts.xml !== undefined) attachXml(this.#doc, this.#facts.xml, this.#facts.date)
    for (let index = 0; index < this.#pages; index++) {
      this.#go(index, footY)
      const number = this.line(this.wording.say('document.page', { page: index + 1, pages: this.#pages }), styles.small)
      const foot = this.#shortened(this.#facts.foot, styles.small, pageWidth - number.width - 24)
      this.#draw({ x: page.left, width: pageWidth, lines: [foot] })
      this.#draw({ x: page.left, width: pageWidth, align: 'end', lines: [number] })
    }
    this.#doc.end()
    return this.#finished
  }
}
