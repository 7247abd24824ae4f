import { firstWords } from './answer-words.ts'

/** The first byte of what is kept. Other words would get 3: what is sealed begins with 2 (`secrets.ts`). */
const numberOfFirstWords = 1

/** As far back as a reference of two bytes can point. A text that has no room beside the words is kept as it is. */
const room = 1 << 16
const bytes = Buffer.alloc(room)
const view = new DataView(bytes.buffer, bytes.byteOffset, room)
/** At worst nothing is found twice: then it is one stretch, with three bytes to announce it behind four for the number of the words and the size. */
const short = Buffer.alloc(room + 16)

const begin = bytes.write(firstWords)
const words = Buffer.from(firstWords)

const quote = '"'.charCodeAt(0)
const slotBits = 12
const slotOf = (four: number, next: number): number =>
  Math.imul(four ^ Math.imul(next, 0x85ebca6b), 0x9e3779b1) >>> (32 - slotBits)

/** Where eight bytes were seen last: among the words, and in the text so far. Of two that share a slot, one is forgotten. */
const inWords = new Uint16Array(1 << slotBits)
for (let at = 0; at + 8 <= begin; at++) inWords[slotOf(view.getInt32(at, true), view.getInt32(at + 4, true))] = at
const inText = new Int32Array(1 << slotBits)
/** Places in the text are counted on from one text to the next, so that those of texts before need not be cleared away. */
let countedFrom = 0
const mostCounted = 2 ** 30

const isLiteral = 0
const isNearCopy = 1
const isCopy = 2
const longestCopy = 64
/** The length of a literal stands in its tag; that of a longer one behind it, and the tag says in how many bytes. */
const longestPlainLiteral = 60
const sizeInTwoBytes = 61
const sizeInFourBytes = 63

function writeNumber(number: number, at: number): number {
  let end = at
  let rest = number
  for (; rest > 127; rest >>>= 7) short[end++] = (rest & 127) | 128
  short[end++] = rest
  return end
}

/** The next bytes of the text as they are. */
function writeLiteral(from: number, to: number, at: number): number {
  if (from === to) return at
  const lengthLessOne = to - from - 1
  let end = at
  if (lengthLessOne < longestPlainLiteral) short[end++] = (lengthLessOne << 2) | isLiteral
  else {
    short[end++] = (sizeInTwoBytes << 2) | isLiteral
    short[end++] = lengthLessOne & 255
    short[end++] = lengthLessOne >> 8
  }
  for (let next = from; next < to; next++) short[end++] = bytes[next] as number
  return end
}

/** Repeats `length` bytes from `back` bytes earlier. */
function writeCopy(length: number, back: number, at: number): number {
  let end = at
  for (let left = length; left > 0; left -= longestCopy) {
    short[end++] = ((Math.min(left, longestCopy) - 1) << 2) | isCopy
    short[end++] = back & 255
    short[end++] = back >> 8
  }
  return end
}

/**
 * JSON in few bytes, for the database, which pays for what it keeps by the byte. It is the format of Snappy, except that the words which most
 * answers have count as if they stood in front of each text: even the first use of a name is then a reference of three bytes. zlib takes three
 * times as long, and Snappy's own library makes 1.8 times the bytes in the same time (docs/performance.md).
 */
export function shortJson(json: string): Buffer {
  if (json.length * 3 > room - begin && Buffer.byteLength(json) > room - begin) return asItIs(json)
  const end = begin + bytes.write(json, begin)
  if (countedFrom > mostCounted) {
    inText.fill(0)
    countedFrom = 0
  }
  countedFrom += room
  short[0] = numberOfFirstWords
  let size = writeNumber(end - begin, 1)
  /** what was not written yet begins here */
  let rest = begin
  let at = begin
  const last = end - 8
  while (at <= last) {
    const four = view.getInt32(at, true)
    const next = view.getInt32(at + 4, true)
    const slot = slotOf(four, next)
    let same = (inText[slot] as number) - countedFrom
    inText[slot] = at + countedFrom
    if (same < 0 || view.getInt32(same, true) !== four || view.getInt32(same + 4, true) !== next) {
      same = inWords[slot] as number
      if (view.getInt32(same, true) !== four || view.getInt32(same + 4, true) !== next) {
        // Only at quotes: what JSON says again nearly always begins with one.
        do at++
        while (at <= last && bytes[at] !== quote)
        continue
      }
    }
    const back = at - same
    let to = at + 8
    while (to <= end - 4 && view.getInt32(to, true) === view.getInt32(to - back, true)) to += 4
    while (to < end && bytes[to] === bytes[to - back]) to++
    size = writeCopy(to - at, back, writeLiteral(rest, at, size))
    rest = to
    at = to
  }
  size = writeLiteral(rest, end, size)
  return Buffer.from(short.subarray(0, size))
}

function asItIs(json: string): Buffer {
  const text = Buffer.from(json)
  short[0] = numberOfFirstWords
  const size = writeNumber(text.length, 1)
  short[size] = (sizeInFourBytes << 2) | isLiteral
  const announced = short.writeUInt32LE(text.length - 1, size + 1)
  return Buffer.concat([short.subarray(0, announced), text])
}

export const isShortJson = (kept: Buffer): boolean => kept[0] === numberOfFirstWords

export const longJson = (kept: Buffer): string => restored(kept, 1, words)

/** Of Snappy itself, as a version before kept it. */
export const longSnappy = (kept: Buffer): string => restored(kept, 0, Buffer.alloc(0))

const broken = () => new Error('a kept answer is broken')

/** A copy of three bytes gives 64: nothing becomes more than so many times as long. */
const mostTimes = 22

function restored(kept: Buffer, from: number, before: Buffer): string {
  let at = from
  let size = 0
  let part = 128
  for (let shift = 0; part >= 128 && shift < 32; shift += 7) {
    part = kept.readUInt8(at++)
    size += (part & 127) * 2 ** shift
  }
  if (size > kept.length * mostTimes) throw broken()
  const text = Buffer.concat([before], before.length + size)
  let end = before.length
  while (at < kept.length) {
    const tag = kept.readUInt8(at++)
    const kind = tag & 3
    let length = (tag >> 2) + 1
    if (kind === isLiteral) {
      const bytesOfLength = length - longestPlainLiteral
      if (bytesOfLength > 0) {
        length = kept.readUIntLE(at, bytesOfLength) + 1
        at += bytesOfLength
      }
      if (end + length > text.length || at + length > kept.length) throw broken()
      end += kept.copy(text, end, at, at + length)
      at += length
      continue
    }
    const bytesOfBack = kind === isNearCopy ? 1 : kind === isCopy ? 2 : 4
    let back = kept.readUIntLE(at, bytesOfBack)
    at += bytesOfBack
    if (kind === isNearCopy) {
      length = ((tag >> 2) & 7) + 4
      back += (tag >> 5) << 8
    }
    if (back === 0 || back > end || end + length > text.length) throw broken()
    // One by one: what is copied may reach into what it becomes.
    for (const to = end + length; end < to; end++) text[end] = text[end - back] as number
  }
  if (end !== text.length) throw broken()
  return text.toString('utf8', before.length)
}
