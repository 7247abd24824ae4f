import encodeQR from 'qr'
import type { Sheet } from './sheet.ts'
import { colours } from './style.ts'

const millimetre = 72 / 25.4
const least = 32 * millimetre
const leastModule = 0.45 * millimetre
/** The capacity of the largest code at this level of correction. */
const mostBytes = 2331

export interface QrSquare {
  readonly modules: readonly (readonly boolean[])[]
  readonly size: number
}

/** The code and its size for a phone's camera; `undefined` if the text is too long. */
export function qrSquare(text: string): QrSquare | undefined {
  if (text === '' || Buffer.byteLength(text) > mostBytes) return undefined
  // The paper is the border; the library needs a border of at least one module.
  const bordered = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1))
  return { modules, size: Math.max(least, modules.length * leastModule) }
}

/** Adjacent dark modules are one rectangle, without hairlines between them. */
export function drawQr(sheet: Sheet, { modules, size }: QrSquare, column: number, y: number): void {
  const side = size / modules.length
  // Only the place of the code is mirrored: cameras do not read a mirrored code.
  const x = sheet.onPaper(column, size)
  const runs = modules.flatMap((row, down) =>
    row.flatMap((dark, across) => {
      if (!dark || row[across - 1]) return []
      const end = row.indexOf(false, across)
      const length = (end === -1 ? row.length : end) - across
      return [{ x: x + across * side, y: y + down * side, width: length * side, height: side }]
    }),
  )
  sheet.figure(sheet.wording.say('document.qr_code'), () => sheet.boxes(runs, colours.ink))
}
