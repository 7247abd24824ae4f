/** Each document is set in these two weights of its font. */
export type Weight = 'regular' | 'semibold'

/** A4 in points, and its margins. */
export const page = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 48, bottom: 786 } as const
export const pageWidth = page.right - page.left

export const colours = {
  accent: '#0b5d3b',
  ink: '#17211c',
  grey: '#66716b',
  rule: '#d9dfdb',
  tint: '#f1f6f3',
  paper: '#ffffff',
  watermark: '#ebf0ed',
} as const

export interface Style {
  readonly weight: Weight
  readonly size: number
  readonly colour: string
  /** distance from one line to the next */
  readonly leading: number
}

const style = (weight: Weight, size: number, colour: string, leading: number): Style => ({
  weight,
  size,
  colour,
  leading,
})

export const styles = {
  title: style('semibold', 22, colours.ink, 27),
  number: style('regular', 10.5, colours.grey, 16),
  sellerName: style('semibold', 14, colours.accent, 19),
  name: style('semibold', 10, colours.ink, 14.5),
  body: style('regular', 8.75, colours.ink, 12.75),
  strong: style('semibold', 8.75, colours.ink, 12.75),
  quiet: style('regular', 8.25, colours.grey, 12.25),
  label: style('regular', 8.25, colours.grey, 12.75),
  small: style('regular', 7.5, colours.grey, 10.5),
  reference: style('regular', 7, colours.ink, 12.75),
  heading: style('semibold', 8.25, colours.accent, 15),
  columnHead: style('semibold', 7.5, colours.accent, 10.5),
  total: style('semibold', 10, colours.ink, 17),
  due: style('semibold', 15, colours.paper, 20),
  dueLabel: style('semibold', 9.5, colours.paper, 20),
  watermark: style('semibold', 104, colours.watermark, 104),
} as const
