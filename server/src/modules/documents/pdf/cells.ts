import { type Style, styles } from './style.ts'
import type { MeasuredText } from './wrap.ts'

/** A measured line of text that fits its column. */
export interface Line extends MeasuredText {
  readonly style: Style
  /** direction of its paragraph, if it has letters that the usual font lacks */
  readonly direction?: Direction
}

export type Direction = 'ltr' | 'rtl'

/** Lines below each other in a column of the page. */
export interface Cell {
  readonly x: number
  readonly width: number
  /** `end`: at the end of the line, which is left in a language from right to left; at its start by default */
  readonly align?: 'right' | 'end'
  readonly lines: readonly Line[]
  /** the role for screen readers; a paragraph by default */
  readonly role?: Role
  /** of a header: what it heads; its column by default */
  readonly scope?: 'Row' | 'Column'
}

/** The format's names of page elements; screen readers skip artifacts. */
export type Role = 'H1' | 'H2' | 'P' | 'TH' | 'TD' | 'Artifact'

export const heightOf = (lines: readonly Line[]): number => lines.reduce((sum, { style }) => sum + style.leading, 0)

/** An empty line, as a distance. */
export const space = (leading: number): Line => ({ text: '', width: 0, style: { ...styles.body, leading } })

/** Below the header of the page on which a row continues. */
const splitGap = space(5)

/** What of a cell fits into this height, and the rest. */
export function split(cell: Cell, height: number): [Cell, Cell] {
  let fitting = 0
  let used = 0
  for (const { style } of cell.lines) {
    used += style.leading
    if (used > height) break
    fitting++
  }
  return [
    { ...cell, lines: cell.lines.slice(0, fitting) },
    { ...cell, lines: fitting < cell.lines.length ? [splitGap, ...cell.lines.slice(fitting)] : [] },
  ]
}
