import type { FontTables } from './font-tables.ts'

/** Needed only while the weight can still vary. */
const variationTables = ['fvar', 'gvar', 'avar', 'HVAR', 'MVAR', 'VVAR', 'STAT', 'cvar']

/**
 * A fixed weight of a variable font: its outlines are moved, and the result can be subset like any other font.
 * Composite outlines keep their places.
 */
export function withWeight(tables: FontTables, weight: number): FontTables {
  const place = placeOf(tables, weight)
  const glyf = Buffer.from(tables.get('glyf') as Buffer)
  const hmtx = Buffer.from(tables.get('hmtx') as Buffer)
  const loca = tables.get('loca') as Buffer
  const gvar = tables.get('gvar') as Buffer
  const widths = (tables.get('hhea') as Buffer).readUInt16BE(34)
  for (let glyph = 0; glyph < loca.length / 4 - 1; glyph++) {
    const [start, end] = [loca.readUInt32BE(glyph * 4), loca.readUInt32BE(glyph * 4 + 4)]
    if (end === start || glyf.readInt16BE(start) < 0) continue
    const outline = readOutline(glyf, start)
    const moves = movesOf(gvar, glyph, place, outline)
    if (!moves) continue
    writeOutline(glyf, start, outline, moves)
    if (glyph < widths) {
      const wider = (moves.x[outline.x.length + 1] as number) - (moves.x[outline.x.length] as number)
      hmtx.writeUInt16BE(hmtx.readUInt16BE(glyph * 4) + Math.round(wider), glyph * 4)
      hmtx.writeInt16BE(glyf.readInt16BE(start + 2), glyph * 4 + 2)
    } else hmtx.writeInt16BE(glyf.readInt16BE(start + 2), widths * 4 + (glyph - widths) * 2)
  }
  const head = Buffer.from(tables.get('head') as Buffer)
  // This number distinguishes two weights of one font.
  head.writeUInt32BE((head.readUInt32BE(8) + weight) >>> 0, 8)
  const changed = new Map(tables).set('glyf', glyf).set('hmtx', hmtx).set('head', head)
  return new Map([...changed].filter(([tag]) => !variationTables.includes(tag)))
}

const fixed = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) / 65_536
const fraction = (bytes: Buffer, at: number): number => bytes.readInt16BE(at) / 16_384

/** The position between the default weight (0) and the boldest (1) or lightest (-1). Our fonts have one axis. */
function placeOf(tables: FontTables, weight: number): number {
  const fvar = tables.get('fvar') as Buffer
  const axis = fvar.readUInt16BE(4)
  const [least, usual, most] = [fixed(fvar, axis + 4), fixed(fvar, axis + 8), fixed(fvar, axis + 12)]
  const wanted = Math.min(most, Math.max(least, weight))
  const even = wanted === usual ? 0 : (wanted - usual) / (wanted > usual ? most - usual : usual - least)
  const avar = tables.get('avar')
  return avar ? bent(avar, even) : even
}

/** Some fonts vary unevenly: pairs of numbers map a position to the real one. */
function bent(avar: Buffer, place: number): number {
  for (let pair = 1; pair < avar.readUInt16BE(8); pair++) {
    const at = 10 + pair * 4
    const [from, to] = [fraction(avar, at - 4), fraction(avar, at)]
    if (place < from || place > to || from === to) continue
    const [start, end] = [fraction(avar, at - 2), fraction(avar, at + 2)]
    return start + ((end - start) * (place - from)) / (to - from)
  }
  return place
}

interface Outline {
  readonly ends: readonly number[]
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** A glyph as the unpacker wrote it: two bytes for each step. */
function readOutline(glyf: Buffer, start: number): Outline {
  const ends = Array.from({ length: glyf.readInt16BE(start) }, (_, index) => glyf.readUInt16BE(start + 10 + index * 2))
  const count = (ends.at(-1) as number) + 1
  const axis = (at: number) => {
    let sum = 0
    return Array.from({ length: count }, (_, index) => {
      sum += glyf.readInt16BE(at + index * 2)
      return sum
    })
  }
  const first = stepsStart(start, ends.length, count)
  return { ends, x: axis(first), y: axis(first + count * 2) }
}

const stepsStart = (start: number, contours: number, points: number): number => start + 12 + contours * 2 + points

function writeOutline(glyf: Buffer, start: number, { ends, x, y }: Outline, moves: Moves): void {
  const at = stepsStart(start, ends.length, x.length)
  for (const [offset, points, moved, corner] of [
    [at, x, moves.x, start + 2],
    [at + x.length * 2, y, moves.y, start + 4],
  ] as const) {
    const places = points.map((point, index) => Math.round(point + (moved[index] as number)))
    for (const [index, place] of places.entries())
      glyf.writeInt16BE(place - (index === 0 ? 0 : (places[index - 1] as number)), offset + index * 2)
    glyf.writeInt16BE(Math.min(...places), corner)
    glyf.writeInt16BE(Math.max(...places), corner + 4)
  }
}

/** The shift of each point; the last four points are the glyph's edges. */
interface Moves {
  readonly x: number[]
  readonly y: number[]
}

const flag = { shared: 0x8000, own: 0x8000, between: 0x4000, points: 0x2000, index: 0x0fff, long: 1 } as const

function movesOf(gvar: Buffer, glyph: number, place: number, outline: Outline): Moves | undefined {
  const isLong = (gvar.readUInt16BE(14) & flag.long) !== 0
  const offset = (index: number) => (isLong ? gvar.readUInt32BE(20 + index * 4) : gvar.readUInt16BE(20 + index * 2) * 2)
  const start = gvar.readUInt32BE(16) + offset(glyph)
  if (offset(glyph + 1) === offset(glyph)) return undefined
  const count = outline.x.length + 4
  const moves = { x: new Array<number>(count).fill(0), y: new Array<number>(count).fill(0) }
  const tuples = gvar.readUInt16BE(start)
  let header = start + 4
  let data = start + gvar.readUInt16BE(start + 2)
  let shared: readonly number[] | undefined
  if (tuples & flag.shared) [shared, data] = readPoints(gvar, data)
  for (let tuple = 0; tuple < (tuples & flag.index); tuple++) {
    const size = gvar.readUInt16BE(header)
    const kind = gvar.readUInt16BE(header + 2)
    header += 4
    const peakAt = kind & flag.own ? header : gvar.readUInt32BE(8) + (kind & flag.index) * 2
    if (kind & flag.own) header += 2
    const peak = fraction(gvar, peakAt)
    let [from, to] = [Math.min(0, peak), Math.max(0, peak)]
    if (kind & flag.between) {
      ;[from, to] = [fraction(gvar, header), fraction(gvar, header + 2)]
      header += 4
    }
    const share = shareOf(place, from, peak, to)
    if (share !== 0) addMoves(moves, readTuple(gvar, data, (kind & flag.points) !== 0, shared, count), outline, share)
    data += size
  }
  return moves
}

/** The share of a change at a position between its start, peak and end. */
function shareOf(place: number, from: number, peak: number, to: number): number {
  if (peak === 0 || place === peak) return 1
  if (place <= from || place >= to) return 0
  return place < peak ? (place - from) / (peak - from) : (to - place) / (to - peak)
}

interface Tuple {
  /** the points with shifts; `undefined`: all */
  readonly points: readonly number[] | undefined
  readonly x: readonly number[]
  readonly y: readonly number[]
}

function readTuple(
  gvar: Buffer,
  at: number,
  hasOwn: boolean,
  shared: readonly number[] | undefined,
  count: number,
): Tuple {
  let [points, next] = [shared, at]
  if (hasOwn) [points, next] = readPoints(gvar, at)
  const told = points ? points.length : count
  const [x, afterX] = readMoves(gvar, next, told)
  const [y] = readMoves(gvar, afterX, told)
  return { points, x, y }
}

function readPoints(bytes: Buffer, start: number): [readonly number[] | undefined, number] {
  let at = start
  let count = bytes.readUInt8(at++)
  if (count === 0) return [undefined, at]
  if (count & 0x80) count = ((count & 0x7f) << 8) | bytes.readUInt8(at++)
  const points: number[] = []
  let point = 0
  while (at < bytes.length && points.length < count) {
    const control = bytes.readUInt8(at++)
    for (let left = (control & 0x7f) + 1; left > 0; left--) {
      const isWord = (control & 0x80) !== 0
      point += isWord ? bytes.readUInt16BE(at) : bytes.readUInt8(at)
      at += isWord ? 2 : 1
      points.push(point)
    }
  }
  return [points, at]
}

function readMoves(bytes: Buffer, start: number, count: number): [number[], number] {
  let at = start
  const moves: number[] = []
  while (at < bytes.length && moves.length < count) {
    const control = bytes.readUInt8(at++)
    for (let left = (control & 0x3f) + 1; left > 0; left--) {
      if (control & 0x80) moves.push(0)
      else if (control & 0x40) {
        moves.push(bytes.readInt16BE(at))
        at += 2
      } else moves.push(bytes.readInt8(at++))
    }
  }
  return [moves, at]
}

function addMoves(moves: Moves, tuple: Tuple, outline: Outline, share: number): void {
  for (const axis of ['x', 'y'] as const) {
    const sums = moves[axis]
    const told = tuple.points ? whole(tuple.points, tuple[axis], outline, outline[axis], sums.length) : tuple[axis]
    for (let point = 0; point < sums.length; point++)
      sums[point] = (sums[point] as number) + (told[point] as number) * share
  }
}

/** The shifts of all points if only some are given: the others of a contour move with their neighbours. */
function whole(
  points: readonly number[],
  told: readonly number[],
  { ends }: Outline,
  places: readonly number[],
  count: number,
): Float64Array {
  const moves = new Float64Array(count)
  const isTold = new Uint8Array(count)
  for (const [index, point] of points.entries()) {
    moves[point] = told[index] as number
    isTold[point] = 1
  }
  let first = 0
  for (const end of ends) {
    const known: number[] = []
    for (let point = first; point <= end; point++) if (isTold[point]) known.push(point)
    // A contour is closed: its first point follows its last.
    const size = end - first + 1
    for (const [index, before] of known.entries()) {
      const after = known[index + 1] ?? (known[0] as number)
      const between = (after - before - 1 + size) % size
      for (let step = 1; step <= between; step++) {
        const point = first + ((before - first + step) % size)
        moves[point] = moveBetween(places, point, before, after, moves)
      }
    }
    first = end + 1
  }
  return moves
}

function moveBetween(
  places: readonly number[],
  point: number,
  before: number,
  after: number,
  moves: Float64Array,
): number {
  const place = places[point] as number
  const isInOrder = (places[before] as number) <= (places[after] as number)
  const [low, high] = isInOrder ? [before, after] : [after, before]
  const [lowPlace, highPlace] = [places[low] as number, places[high] as number]
  const [lowMove, highMove] = [moves[low] as number, moves[high] as number]
  if (lowPlace === highPlace) return lowMove === highMove ? lowMove : 0
  if (place <= lowPlace) return lowMove
  if (place >= highPlace) return highMove
  return lowMove + ((highMove - lowMove) * (place - lowPlace)) / (highPlace - lowPlace)
}
