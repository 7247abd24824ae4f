import { encodeQR } from 'qr'
import { html, type Markup } from '../reference/markup.ts'

/** The most bytes of a QR code at the medium level. */
const capacity = 2331

/** A QR code as an inline drawing; empty for a text that is too long. */
export function qrPicture(text: string, label: string): Markup | undefined {
  if (Buffer.byteLength(text) > capacity) return undefined
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const size = rows.length
  const path = rows.flatMap((row, y) => runs(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

/** Runs of dark modules in a row: drawn as one, neighbours have no hairlines between them. */
function runs(row: readonly boolean[]): [start: number, length: number][] {
  const found: [number, number][] = []
  row.forEach((dark, x) => {
    const last = found.at(-1)
    if (dark && last && last[0] + last[1] === x) last[1]++
    else if (dark) found.push([x, 1])
  })
  return found
}
