import { lazy, Suspense, useRef, useState } from 'react'
import { glossary, type Term } from '../words/glossary.ts'
import './help.css'

/** A separate chunk, because every form has fields and few people ask. */
const PopoverFrame = lazy(async () => ({ default: (await import('./popover-frame.tsx')).PopoverFrame }))

/** A question mark that explains a term. It stands beside a label, so that the label itself stays short. */
export function Help({ of, term = glossary[of][0] }: { readonly of: Term; readonly term?: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button ref={button} type="button" className="help" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">?</span>
        <span className="visually-hidden">What is “{term}”?</span>
      </button>
      {isOpen && (
        <Suspense>
          <PopoverFrame beside={button} label={term} className="help-text" portal onClose={() => setOpen(false)}>
            <p className="help-term">{term}</p>
            <p>{glossary[of][1]}</p>
          </PopoverFrame>
        </Suspense>
      )}
    </>
  )
}
