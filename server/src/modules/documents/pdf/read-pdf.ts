import { inflateSync } from 'node:zlib'

/** A piece of text in a PDF of ours, measured from the lower left corner of its page. */
export interface TextRun {
  readonly page: number
  /** without the trailing space */
  readonly text: string
  readonly endsInBlank: boolean
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly font: string
}

interface Font {
  readonly characters: readonly string[]
  readonly widths: readonly number[]
}

const reference = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key} (?:\\[)?(\\d+) 0 R`).exec(dictionary)?.[1])

/** The objects of a file that pdfkit wrote, by number. Not a general PDF reader. */
function readObjects(pdf: Buffer): Map<number, { dictionary: string; stream: string }> {
  const text = pdf.toString('latin1')
  const objects = new Map<number, { dictionary: string; stream: string }>()
  for (const found of text.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) {
    const start = found.index + found[0].length
    const dictionary = text.slice(start, text.indexOf('endobj', start)).split('\nstream\n')[0] as string
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0)
    const from = start + dictionary.length + '\nstream\n'.length
    const bytes = pdf.subarray(from, from + length)
    const isText = dictionary.includes('/FlateDecode') && !dictionary.includes('/Image')
    objects.set(Number(found[1]), { dictionary, stream: isText ? inflateSync(bytes).toString('latin1') : '' })
  }
  return objects
}

function readFont(objects: ReturnType<typeof readObjects>, dictionary: string): Font {
  const map = objects.get(reference(dictionary, 'ToUnicode'))?.stream ?? ''
  const listed = [...map.matchAll(/> \[(.*)\]/g)].flatMap(([, list = '']) => [...list.matchAll(/<([0-9a-f ]*)>/g)])
  const characters = listed.map(([, codes = '']) =>
    codes
      .split(' ')
      .map((code) => String.fromCharCode(Number.parseInt(code, 16)))
      .join(''),
  )
  const descendant = objects.get(reference(dictionary, 'DescendantFonts'))?.dictionary ?? ''
  const widths = (/\/W \[0 \[(.*?)\]/.exec(descendant)?.[1] ?? '').split(' ').map(Number)
  return { characters, widths }
}

const textBlock = /1 0 0 1 (\S+) (\S+) Tm\n\/(F\d+) (\S+) Tf\n((?:.*\n)*?)ET/g
/** Accents are moved to their places; letters follow each other, some with a small step back. */
const shownOrMoved = /1 0 0 1 (\S+) \S+ Tm|<([0-9a-f]+)> (-?[\d.]+)/g

export interface ReadPdf {
  readonly pages: number
  readonly pieces: readonly TextRun[]
  /** the drawing commands of each page */
  readonly contents: readonly string[]
}

/** The texts of a PDF of ours with their positions, for tests. */
export function readPdf(pdf: Buffer): ReadPdf {
  const objects = readObjects(pdf)
  const dictionaries = [...objects.values()].map(({ dictionary }) => dictionary)
  const pages = dictionaries.filter((dictionary) => dictionary.includes('/Type /Page\n'))
  const contents = pages.map((page) => objects.get(reference(page, 'Contents'))?.stream ?? '')
  const fonts = new Map<string, Font>()
  for (const page of pages) {
    const resources = objects.get(reference(page, 'Resources'))?.dictionary ?? ''
    for (const [, name = '', id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
      if (!fonts.has(name)) fonts.set(name, readFont(objects, objects.get(Number(id))?.dictionary ?? ''))
  }
  const pieces = contents.flatMap((content, page) =>
    [...content.matchAll(textBlock)].map((found): TextRun => {
      const [, x, y, name = '', size, block = ''] = found
      const { characters, widths } = fonts.get(name) as Font
      // A trailing space is invisible.
      const blank = ((widths[characters.indexOf(' ')] ?? 0) * Number(size)) / 1000
      let [text, end, widest] = ['', Number(x), Number(x)]
      for (const [, moved, hex = '', back = '0'] of block.matchAll(shownOrMoved)) {
        if (moved !== undefined) end = Number(moved)
        const start = end
        for (const glyph of (hex.match(/.{4}/g) ?? []).map((digits) => Number.parseInt(digits, 16))) {
          text += characters[glyph] ?? ''
          end += ((widths[glyph] ?? 0) * Number(size)) / 1000
        }
        // A mark has no width of its own, wherever it is placed.
        const isWide = end > start
        end -= (Number(back) * Number(size)) / 1000
        if (isWide) widest = Math.max(widest, text.endsWith(' ') ? end - blank : end)
      }
      return {
        page: page + 1,
        text: text.trimEnd(),
        endsInBlank: text.endsWith(' '),
        x: Number(x),
        y: Number(y),
        width: widest - Number(x),
        size: Number(size),
        font: name,
      }
    }),
  )
  return { pages: pages.length, pieces, contents }
}
