import { scaleBand, scaleLinear } from 'd3-scale'
import { useEffect, useRef, useState } from 'react'
import './chart.css'

export interface Series {
  readonly name: string
  readonly tone: 'accent' | 'soft'
  readonly values: readonly number[]
}

const height = 200
const room = { top: 8, right: 4, bottom: 24, left: 62 }

/** The available width in pixels, so that the chart's text has the usual size. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(560)
  useEffect(() => {
    const frame = ref.current
    if (!frame) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, entry.contentRect.width)))
    observer.observe(frame)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** A table beside the chart must show the same figures. */
export function ColumnChart({
  label,
  names,
  series,
  tick,
  value,
  onChoose,
}: {
  readonly label: string
  readonly names: readonly string[]
  readonly series: readonly Series[]
  /** formats a figure for the scale; `full` formats the exact value */
  readonly tick: (figure: number) => string
  readonly value: (figure: number) => string
  /** A press on a column. The table beside the chart must have a link to the same place, because keys do not reach columns. */
  readonly onChoose?: (index: number) => void
}) {
  const { ref, width } = useWidth()
  const chosen = useRef(onChoose)
  chosen.current = onChoose
  useEffect(() => {
    const frame = ref.current
    const choose = ({ target }: MouseEvent) => {
      const column = target instanceof Element ? target.closest('[data-column]') : null
      if (column) chosen.current?.(Number(column.getAttribute('data-column')))
    }
    frame?.addEventListener('click', choose)
    return () => frame?.removeEventListener('click', choose)
  }, [ref])
  const all = series.flatMap(({ values }) => values)
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [height - room.bottom, room.top]).nice(4)
  const x = scaleBand(
    names.map((_, index) => index),
    [room.left, width - room.right],
  ).padding(0.25)
  const column = x.bandwidth() / series.length
  // As many names as fit, always with the last one.
  const widest = Math.max(...names.map(({ length }) => length)) * 7 + 12
  const every = Math.ceil((names.length * Math.max(44, widest)) / (width - room.left))
  return (
    <div ref={ref} className="chart">
      <svg width={width} height={height} role="img" aria-label={`${label}; the table below shows the same figures`}>
        {y.ticks(4).map((figure) => (
          <g key={figure}>
            <line className="chart-line" x1={room.left} x2={width - room.right} y1={y(figure)} y2={y(figure)} />
            <text className="chart-tick" x={room.left - 8} y={y(figure)} textAnchor="end" dominantBaseline="middle">
              {tick(figure)}
            </text>
          </g>
        ))}
        {names.map((name, index) => (
          <g key={name} data-column={onChoose && index} className={onChoose && 'chart-column'}>
            {onChoose && (
              // The whole height can be pressed, also above a low column.
              <rect className="chart-room" x={x(index)} y={room.top} width={x.bandwidth()} height={height - room.top} />
            )}
            {series.map(({ name: of, tone, values }, nth) => {
              const figure = values[index] ?? 0
              const [from, to] = [y(Math.max(0, figure)), y(Math.min(0, figure))]
              return (
                <rect
                  key={of}
                  className={`chart-${tone}`}
                  x={(x(index) ?? 0) + nth * column}
                  y={from}
                  width={Math.max(1, column - 1)}
                  height={to - from}
                >
                  <title>{`${name}, ${of}: ${value(figure)}`}</title>
                </rect>
              )
            })}
            {(names.length - 1 - index) % every === 0 && (
              // The last name is right-aligned, because half of it would be cut off.
              <text
                className="chart-tick"
                x={index === names.length - 1 ? width - room.right : (x(index) ?? 0) + x.bandwidth() / 2}
                y={height - 6}
                textAnchor={index === names.length - 1 ? 'end' : 'middle'}
              >
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
      {series.length > 1 && (
        <ul className="chart-legend" aria-hidden="true">
          {series.map(({ name, tone }) => (
            <li key={name}>
              <svg width="12" height="12" aria-hidden="true">
                <rect className={`chart-${tone}`} width="12" height="12" rx="3" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
