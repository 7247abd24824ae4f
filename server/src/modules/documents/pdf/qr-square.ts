import encodeQR from 'qr'
import type { Sheet } from './sheet.ts'
import { colours } from './style.ts'

const millimetre = 72 / 25.4
const least = 32 * millimetre
const leastModule = 0.45 * millimetre
/** What the largest code holds at this level of correction. */
const mostBytes = 2331

export interface QrSquare {
  readonly modules: readonly (readonly boolean[])[]
  readonly size: number
}

/** The code and the size that a phone can read it at; nothing where no code could hold the text. */
export function qrSquare(text: string): QrSquare | undefined {
  if (text === '' || Buffer.byteLength(text) > mostBytes) return undefined
  // The paper around it is its border; the library draws one of a module at least.
  const bordered = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1))
  return { modules, size: Math.max(least, modules.length * leastModule) }
}

/** Dark modules beside each other are one rectangle: fewer of them, and no hairlines between. */
export function drawQr(sheet: Sheet, { modules, size }: QrSquare, x: number, y: number): void {
  const side = size / modules.length
  const runs = modules.flatMap((row, down) =>
    row.flatMap((dark, across) => {
      if (!dark || row[across - 1]) return []
      const end = row.indexOf(false, across)
      const length = (end === -1 ? row.length : end) - across
      return [{ x: x + across * side, y: y + down * side, width: length * side, height: side }]
    }),
  )
  sheet.figure('QR code', () => sheet.boxes(runs, colours.ink))
}
