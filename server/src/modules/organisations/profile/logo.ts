import type { Letterhead } from '../../../kernel/invoice-document.ts'
import type { Fault } from '../../../kernel/refusals.ts'

export type Logo = NonNullable<Letterhead['logo']>

const mostBytes = 200_000
/** A larger picture would take too long to draw on a PDF. */
const mostPixels = 4_000_000

/** Reads only the first bytes: the kind of picture and its size. */
export function logoFaults({ contentType, base64 }: Logo): Fault[] {
  const fault = (rule: string, message: string) => [{ path: 'logo', rule, message }]
  const bytes = bytesOf(base64)
  const picture = bytes && bytes.length <= mostBytes ? pictureIn(bytes) : undefined
  if (!picture) return fault('picture', 'must be a PNG or JPEG picture of at most 200 kB')
  if (picture.contentType !== contentType)
    return fault('contentType', `must be the media type of the picture, which is ${picture.contentType}`)
  const { width, height } = picture
  if (width * height > mostPixels)
    return fault(
      'pixels',
      `must have at most 4,000,000 pixels, such as 2000 × 2000: this picture is ${width} × ${height}`,
    )
  return []
}

/** `undefined` unless the text is exact base64, because pages contain it unchanged. */
function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : undefined
}

interface Picture {
  readonly contentType: Logo['contentType']
  readonly width: number
  readonly height: number
}

function pictureIn(bytes: Buffer): Picture | undefined {
  const picture = pngIn(bytes) ?? jpegIn(bytes)
  return picture && picture.width > 0 && picture.height > 0 ? picture : undefined
}

/** Every PNG begins with eight fixed bytes, then length and name of its header. */
const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const pngHeaderEnd = 33

function pngIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < pngHeaderEnd || !bytes.subarray(0, pngStart.length).equals(pngStart)) return undefined
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Markers that begin a frame, except three that mean something else. */
const beginsFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length, or after the frame. */
const isMisplaced = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda) || marker === 0xff

/** A JPEG is a sequence of segments with lengths. The segment that begins the frame has the size of the picture. */
function jpegIn(bytes: Buffer): Picture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes[at] !== 0xff || isMisplaced(marker)) return undefined
    if (beginsFrame(marker))
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return undefined
}
