import { describe, expect, it } from 'vitest'
import { styles } from './styles.ts'

const [light = '', dark = ''] = [...styles.matchAll(/:root \{(.*?)\n\s*\}/gs)].map(([, body]) => body as string)

function colour(theme: string, name: string): number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]+)`).exec(theme)?.[1] ?? ''
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
  return digits.map((pair) => Number.parseInt(pair, 16) / 255)
}

/** Relative luminance and contrast as WCAG 2 reckons them. */
const luminance = (channels: number[]) =>
  channels
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] as number), 0)

function contrast(theme: string, front: string, back: string): number {
  const [low = 0, high = 0] = [front, back].map((name) => luminance(colour(theme, name))).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s', (_, theme) => {
  it.each([
    ...[
      ['ink', 'sheet'],
      ['ink', 'raised'],
      ['soft', 'sheet'],
      ['soft', 'raised'],
      ['soft', 'desk'],
    ],
    ...[
      ['accent', 'sheet'],
      ['on-accent', 'accent'],
      ['settled', 'settled-tint'],
      ['open', 'open-tint'],
    ],
    ...[
      ['late', 'late-tint'],
      ['quiet', 'quiet-tint'],
    ],
  ])('%s on %s can be read', (front, back) => {
    expect(colour(theme, front as string)).toHaveLength(3)
    expect(contrast(theme, front as string, back as string)).toBeGreaterThanOrEqual(4.5)
  })
})
