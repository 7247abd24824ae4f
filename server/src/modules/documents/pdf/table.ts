import { type Line, type Role, space } from './cells.ts'
import type { Sheet } from './sheet.ts'
import { colours, styles } from './style.ts'

export interface Column {
  readonly head: string
  readonly width: number
  readonly align?: 'right'
}

export type TableRow = readonly (readonly Line[])[]

export const columnGap = 12
const padding = space(4.75)
const headPadding = space(6)

/** As wide as its widest text, within these limits. */
export const columnWidth = (lines: readonly Line[], least: number, most: number): number =>
  lines.reduce((width, line) => Math.max(width, Math.min(line.width, most)), least)

export const widthBeside = (width: number, others: readonly number[]): number =>
  others.reduce((left, other) => left - other - columnGap, width)

/** Rows below a header that each page repeats. */
export function drawTable(sheet: Sheet, x: number, columns: readonly Column[], rows: readonly TableRow[]): void {
  const starts: number[] = []
  let end = x
  for (const { width } of columns) {
    starts.push(end)
    end += width + columnGap
  }
  const width = end - columnGap - x
  const draw = (cells: TableRow, pad: Line, role: Role) =>
    sheet.row(
      columns.map(({ width, align }, index) => ({
        x: starts[index] as number,
        width,
        role,
        ...(align && { align }),
        lines: [pad, ...(cells[index] ?? []), pad],
      })),
    )
  const heads = columns.map((column) => sheet.wrap(column.head, styles.columnHead, column.width))
  const drawHead = (role: Role) => {
    draw(heads, headPadding, role)
    sheet.rule(x, width, colours.accent, 0.9)
  }
  sheet.part('Table', () => {
    sheet.part('TR', () => drawHead('TH'))
    sheet.underHeader(
      () => drawHead('Artifact'),
      () => {
        for (const row of rows) {
          sheet.part('TR', () => draw(row, padding, 'TD'))
          sheet.rule(x, width)
        }
      },
    )
  })
}
