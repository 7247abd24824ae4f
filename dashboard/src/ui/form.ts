import type { FormEvent } from 'react'

/** The typed values of a form by field name. Prevents the browser's own submit. */
export function fieldsOf(event: FormEvent<HTMLFormElement>) {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  /** not trimmed, because a space may belong to a password */
  const typed = (name: string) => String(data.get(name) ?? '')
  return {
    typed,
    text: (name: string) => typed(name).trim(),
    /** undefined if empty */
    maybe: (name: string) => typed(name).trim() || undefined,
  }
}
