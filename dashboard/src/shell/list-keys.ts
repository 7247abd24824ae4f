const rowsOfList = (): readonly HTMLTableRowElement[] => [
  ...document.querySelectorAll<HTMLTableRowElement>('main table[data-list] > tbody > tr'),
]

const chosenRow = (): Element | null => document.activeElement?.closest('table[data-list] > tbody > tr') ?? null

export const isInRow = (): boolean => chosenRow() !== null

/** Moves the focus to the next row of the page's list or to the one before. The first step goes to the first row. */
export function moveInList(step: 1 | -1): boolean {
  const rows = rowsOfList()
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  if (!next) return false
  next.tabIndex = -1
  next.focus()
  return true
}

/** Follows the link of the chosen row, or presses its first button. */
export function openRow(): boolean {
  const row = chosenRow()
  if (!row || row !== document.activeElement) return false
  const control = row.querySelector<HTMLElement>('th a') ?? row.querySelector<HTMLElement>('.table-actions button')
  control?.click()
  return control !== null
}
