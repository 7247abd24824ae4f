import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'
import { useLater } from './use-later.ts'
import './search-box.css'

/** Searches after a pause in typing. */
export function SearchBox({
  label,
  placeholder,
  value,
  onSearch,
}: {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const last = useRef(value)
  const later = useLater((text: string) => {
    last.current = text.trim()
    onSearch(last.current)
  }, 250)
  useEffect(() => {
    // Changed from outside: by the back button, or by "clear filters".
    if (value === last.current) return
    last.current = value
    setTyped(value)
  }, [value])
  return (
    <div className="search-box">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder={placeholder}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          later(target.value)
        }}
      />
    </div>
  )
}
