import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { Table } from './table.tsx'
import './chart.css'

export interface Bar {
  readonly id: string
  readonly name: ReactNode
  readonly size: number
  readonly tone?: Tone
  readonly cells: readonly string[]
}

/** A table with a bar in each row, so that figures and picture are one. */
export function BarTable({
  label,
  heads,
  bars,
}: {
  readonly label: string
  readonly heads: readonly [of: string, ...figures: string[]]
  readonly bars: readonly Bar[]
}) {
  const most = Math.max(1, ...bars.map(({ size }) => size))
  const [of, ...figures] = heads
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {figures.map((head) => (
            <th key={head} scope="col" className="table-amount">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ id, name, size, tone = 'neutral', cells }) => (
          <tr key={id}>
            <th scope="row" className="chart-bar">
              {name}
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect className={`chart-${tone}`} width={(Math.max(0, size) / most) * 100} height="10" />
              </svg>
            </th>
            {cells.map((cell, at) => (
              <td key={figures[at]} className="table-amount">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
