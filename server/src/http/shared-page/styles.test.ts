import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { styles } from './styles.ts'
import { tokens } from './tokens.ts'

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

const named = (css: string) =>
  new Map([...css.matchAll(/--([\w-]+):\s*(.*?);/gs)].map(([, name, value]) => [name, value]))

it('has the colours, fonts and sizes of the dashboard', () => {
  const ofDashboard = named(readFileSync('dashboard/src/styles/tokens.css', 'utf8'))
  const own = [...named(tokens)]
  expect(own.length).toBeGreaterThan(20)
  for (const [name, value] of own) expect([name, value]).toEqual([name, ofDashboard.get(name)])
})

it('defines every variable that it uses', () => {
  for (const [, name] of styles.matchAll(/var\(--([\w-]+)\)/g)) expect(named(tokens).has(name)).toBe(true)
})

function colour(theme: Theme, name: string): number[] {
  const both = /^light-dark\(#(\w{6}), #(\w{6})\)$/.exec(named(tokens).get(name) ?? '')
  const hex = both?.[themes.indexOf(theme) + 1] ?? ''
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16) / 255)
}

/** Relative luminance and contrast as WCAG 2 reckons them. */
const luminance = (channels: number[]) =>
  channels
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] as number), 0)

function contrast(theme: Theme, front: string, back: string): number {
  const [low = 0, high = 0] = [front, back].map((name) => luminance(colour(theme, name))).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe.each(themes)('in the %s', (theme) => {
  it.each([
    ['text', 'surface'],
    ['text', 'surface-sunken'],
    ['text-soft', 'surface'],
    ['text-soft', 'surface-sunken'],
    ['text-soft', 'page'],
    ['accent', 'surface'],
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
    ['good', 'good-wash'],
    ['warn', 'warn-wash'],
    ['bad', 'bad-wash'],
  ])('%s on %s has enough contrast', (front, back) => {
    expect(colour(theme, front)).toHaveLength(3)
    expect(contrast(theme, front, back)).toBeGreaterThanOrEqual(4.5)
  })
})
