import { decodeQR } from 'qr/decode.js'
import { expect, it } from 'vitest'
import { qrPicture } from './qr-picture.ts'

/** Draws the picture in dots, each module four wide, and reads it as a camera would. */
function read(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * 4
  const data = new Uint8Array(size * size * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++) {
      for (let column = Number(x) * 4; column < (Number(x) + Number(length)) * 4; column++) {
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3)
      }
    }
  }
  return decodeQR({ width: size, height: size, data })
}

it.each(['IRN', 'Ṣọlá & Sons', 'a8F/+='.repeat(60)])('a drawn QR code contains its text: %s', (text) => {
  expect(read(qrPicture(text, 'label')?.text ?? '')).toBe(text)
})

it('a text that is too long for a QR code is not drawn', () => {
  expect(qrPicture('x'.repeat(2331), 'label')).toBeDefined()
  expect(qrPicture('x'.repeat(2332), 'label')).toBeUndefined()
  expect(qrPicture('₦'.repeat(778), 'label')).toBeUndefined()
})
