/** A cell that a spreadsheet takes for what it is: nothing that somebody wrote becomes a formula there. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const tame = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}

export const csv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => row.map(cell).join(',')).join('\r\n')

/** Gives the reader a file to keep. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
