import type { ReactNode } from 'react'
import './table.css'

/** A table that may be wider than the window: then it is moved sideways by itself, by keyboard too. */
export const Table = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be moved sideways has to be reached without a mouse.
  <section className="table-frame" aria-label={label} tabIndex={0}>
    <table className="table">{children}</table>
  </section>
)
