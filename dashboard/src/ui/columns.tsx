import { useState } from 'react'
import { recallList, remember } from './browser-memory.ts'
import { CheckField } from './check-field.tsx'
import { Icon } from './icons.tsx'
import { Popover } from './popover.tsx'
import './list-tool.css'

const hiddenIn = (key: string): ReadonlySet<string> =>
  new Set(recallList(key).filter((name) => typeof name === 'string'))

/** The hidden columns of a list, by their names. This browser remembers them. */
export function useHiddenColumns(list: string) {
  const key = `risiti-columns ${list}`
  const [hidden, setHidden] = useState(() => hiddenIn(key))
  return {
    hidden,
    show: (name: string, isShown: boolean) => {
      const next = new Set(hidden)
      if (isShown) next.delete(name)
      else next.add(name)
      remember(key, JSON.stringify([...next]))
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
