import { useState } from 'react'
import { chooseTheme, chosenTheme, type Theme, themes } from './theme.ts'

const names: Readonly<Record<Theme, string>> = { system: 'Same as the system', light: 'Light', dark: 'Dark' }

export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <label className="theme-choice">
      <span>Colours</span>
      <select
        value={theme}
        onChange={({ target }) => {
          const chosen = target.value as Theme
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
