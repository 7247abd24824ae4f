/** Headers of pictures, padded with zeros to the given length. */
interface Measures {
  readonly width?: number
  readonly height?: number
  readonly length?: number
}

export function pngBytes({ width = 40, height = 30, length = 100 }: Measures = {}): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.set(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.set([8, 6], 24)
  return bytes
}

/** With an application segment before the frame, as cameras write it. */
export function jpegBytes({ width = 40, height = 30, length = 100 }: Measures = {}): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.set(Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'))
  bytes.set(Buffer.from('ffc0001108', 'hex'), 20)
  bytes.writeUInt16BE(height, 25)
  bytes.writeUInt16BE(width, 27)
  bytes.writeUInt8(3, 29)
  return bytes
}

export const pngLogo = (measures?: Measures) => ({
  contentType: 'image/png' as const,
  base64: pngBytes(measures).toString('base64'),
})

export const jpegLogo = (measures?: Measures) => ({
  contentType: 'image/jpeg' as const,
  base64: jpegBytes(measures).toString('base64'),
})
