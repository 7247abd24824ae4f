import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { logoFaults } from '../modules/organisations/profile/logo.ts'
import { demoLogo } from './demo-logo.ts'

const fixedParts = { beforePixels: 41, afterPixels: 16 }

test('the demo logo is a valid upload, green and white with transparent corners', () => {
  const logo = demoLogo()
  expect(logoFaults(logo)).toEqual([])
  const png = Buffer.from(logo.base64, 'base64')
  const side = png.readUInt32BE(16)
  const pixels = inflateSync(png.subarray(fixedParts.beforePixels, png.length - fixedParts.afterPixels))
  expect(pixels).toHaveLength(side * (1 + side * 4))
  const at = (x: number, y: number) => {
    const start = Math.floor(y * side) * (1 + side * 4) + 1 + Math.floor(x * side) * 4
    return [...pixels.subarray(start, start + 4)]
  }
  expect(at(0, 0)[3]).toBe(0)
  expect(at(0.1, 0.5)).toEqual([14, 124, 86, 255])
  expect(at(0.38, 0.5)).toEqual([255, 255, 255, 255])
})
