import { useState } from 'react'
import { CheckField } from './check-field.tsx'
import { Icon } from './icons.tsx'
import { Popover } from './popover.tsx'
import './list-tool.css'

function read(place: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}

function write(place: string, hidden: ReadonlySet<string>): void {
  try {
    localStorage.setItem(place, JSON.stringify([...hidden]))
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

/** The hidden columns of a list, by their names. This browser remembers them. */
export function useHiddenColumns(list: string) {
  const place = `risiti-columns ${list}`
  const [hidden, setHidden] = useState(() => read(place))
  return {
    hidden,
    show: (name: string, isShown: boolean) => {
      const next = new Set(hidden)
      if (isShown) next.delete(name)
      else next.add(name)
      write(place, next)
      setHidden(next)
    },
  }
}

export const ColumnChoice = ({
  names,
  hidden,
  onShow,
}: {
  /** the columns that can be hidden */
  readonly names: readonly string[]
  readonly hidden: ReadonlySet<string>
  readonly onShow: (name: string, isShown: boolean) => void
}) => (
  <Popover
    buttonClass="button list-tool"
    button={
      <>
        <Icon name="columns" />
        <span>Columns</span>
      </>
    }
    label="Columns"
  >
    {() => (
      <fieldset className="list-columns">
        <legend className="visually-hidden">Shown columns</legend>
        {names.map((name) => (
          <CheckField
            key={name}
            label={name}
            checked={!hidden.has(name)}
            onChange={({ target }) => onShow(name, target.checked)}
          />
        ))}
      </fieldset>
    )}
  </Popover>
)
