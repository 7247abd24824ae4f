import type { FormEvent } from 'react'

/** What was typed into a form, by the names of its fields; the browser does not send it anywhere. */
export function fieldsOf(event: FormEvent<HTMLFormElement>) {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  /** as it was typed: a space may belong to a password */
  const typed = (name: string) => String(data.get(name) ?? '')
  return {
    typed,
    text: (name: string) => typed(name).trim(),
    /** nothing, where nothing was typed */
    maybe: (name: string) => typed(name).trim() || undefined,
  }
}
