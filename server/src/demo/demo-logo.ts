import { crc32, deflateSync } from 'node:zlib'
import type { Letterhead } from '../kernel/invoice-document.ts'

const side = 96
const green = [14, 124, 86]
const white = [255, 255, 255]

/** Points are in hundredths of the side. */
type Shape = (x: number, y: number) => boolean

const isInSquare: Shape = (x, y) =>
  Math.hypot(Math.max(0, Math.abs(x - 50) - 30), Math.max(0, Math.abs(y - 50) - 30)) <= 20
const isInStem: Shape = (x, y) => x >= 32 && x <= 44 && y >= 24 && y <= 76
const isInBowl: Shape = (x, y) => {
  const fromMiddle = Math.hypot(Math.max(0, x - 51), y - 41)
  return x >= 32 && fromMiddle <= 17 && fromMiddle >= 6
}
const isInLeg: Shape = (x, y) => y >= 52 && y <= 76 && Math.abs(x - 49 - (y - 52) * 0.55) <= 7
const isInLetter: Shape = (x, y) => isInStem(x, y) || isInBowl(x, y) || isInLeg(x, y)

const sixteenths = Array.from({ length: 16 }, (_, n) => [((n % 4) + 0.5) / 4, (Math.floor(n / 4) + 0.5) / 4] as const)

/** How much of a pixel a shape covers, from 0 to 1, for smooth edges. */
function cover(shape: Shape, column: number, row: number): number {
  const inside = sixteenths.filter(([right, down]) =>
    shape(((column + right) / side) * 100, ((row + down) / side) * 100),
  )
  return inside.length / sixteenths.length
}

function pixel(column: number, row: number): number[] {
  const letter = cover(isInLetter, column, row)
  const colour = green.map((value, part) => Math.round(value + ((white[part] ?? 0) - value) * letter))
  return [...colour, Math.round(255 * cover(isInSquare, column, row))]
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** A white R on a green square with round corners, drawn here so that no image file is needed. */
export function demoLogo(): NonNullable<Letterhead['logo']> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits each for red, green, blue and opacity.
  header.set([8, 6], 8)
  const columns = [...Array(side).keys()]
  const rows = columns.flatMap((row) => [0, ...columns.flatMap((column) => pixel(column, row))])
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { contentType: 'image/png', base64: png.toString('base64') }
}
