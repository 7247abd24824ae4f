import { type ReactNode, useEffect, useRef } from 'react'
import './page-heading.css'

/** The address of the page whose heading was shown last. The browser announces the first page itself. */
let shownAt = location.pathname
let hasMoved = false

/**
 * The heading of a page. It is also the title of the tab, and gets the focus after a navigation, so that screen readers
 * announce the new page.
 */
export function PageHeading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = () => heading.current?.focus({ preventScroll: true })
  // After every render: the text, or another page in the same place, may arrive later.
  useEffect(() => {
    document.title = `${heading.current?.textContent ?? ''} · Risiti`
    if (shownAt === location.pathname) return
    shownAt = location.pathname
    hasMoved = true
    focus()
  })
  // A page may show its heading anew when its data arrives. The focus went with the first heading.
  useEffect(() => {
    if (hasMoved && document.activeElement === document.body) focus()
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className="page-heading">
      {children}
    </h1>
  )
}
