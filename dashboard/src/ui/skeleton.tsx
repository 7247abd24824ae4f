import { useEffect, useState } from 'react'
import './skeleton.css'

/** Grey bars in the place of data that still loads. Screen readers hear of it after a moment, so that a fast page is silent. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="skeleton" aria-busy="true">
      <p role="status" className="visually-hidden">
        {isLate ? 'Loading …' : ''}
      </p>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} aria-hidden="true" />
      ))}
    </div>
  )
}
