import { recall, remember } from '../ui/browser-memory.ts'

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const key = 'risiti-theme'

/** The theme chosen in this browser. Without storage, the system's preference applies. */
export function chosenTheme(): Theme {
  const remembered = recall(key)
  return themes.find((theme) => theme === remembered) ?? 'system'
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  remember(key, theme)
  applyTheme(theme)
}
