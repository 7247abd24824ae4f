import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'
import './search-box.css'

/** Searches after a pause in typing. */
export function SearchBox({
  label,
  value,
  onSearch,
}: {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The back button changes the address.
  useEffect(() => setTyped(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <search className="search-box">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onSearch(target.value.trim()), 200)
        }}
      />
    </search>
  )
}
