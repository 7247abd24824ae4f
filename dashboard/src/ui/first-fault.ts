import { type RefObject, useEffect } from 'react'

/** Forms that were submitted and not changed since. */
const submitted = new WeakSet<Element>()

addEventListener('submit', ({ target }) => target instanceof Element && submitted.add(target), true)
addEventListener(
  'input',
  ({ target }) => {
    const form = target instanceof Element && target.closest('form')
    if (form) submitted.delete(form)
  },
  true,
)

/** Moves the focus to the first field with a fault after a submit. It never moves while a person types. */
export function useFirstFault(field: RefObject<HTMLElement | null>, fault: string | undefined): void {
  useEffect(() => {
    const form = field.current?.closest('form')
    if (fault === undefined || !form || !submitted.has(form)) return
    if (form.querySelector('[aria-invalid="true"]') !== field.current) return
    submitted.delete(form)
    field.current?.focus()
  }, [field, fault])
}
