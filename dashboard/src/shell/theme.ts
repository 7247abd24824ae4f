export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const place = 'risiti-theme'

/** The theme chosen in this browser. Without storage, the system's preference applies. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(place)
    return themes.find((theme) => theme === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(place, theme)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  applyTheme(theme)
}
