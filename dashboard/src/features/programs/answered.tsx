import type { ProgramIdentity } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { OutsidePage } from '../sign-in/outside-page.tsx'

export interface ProgramAnswer {
  readonly isAllowed: boolean
  /** where the program takes the answer; null if it asks for it */
  readonly redirectTo: string | null
}

/** An address of a program that would run as a part of this page. */
const isScript = (address: string): boolean => /^\s*(javascript|data|vbscript|blob):/i.test(address)

export function Answered({ answer, program }: { readonly answer: ProgramAnswer; readonly program: ProgramIdentity }) {
  const { isAllowed } = answer
  const redirectTo = answer.redirectTo !== null && !isScript(answer.redirectTo) ? answer.redirectTo : null
  useEffect(() => {
    if (redirectTo !== null) location.assign(redirectTo)
  }, [redirectTo])
  return (
    <OutsidePage title={isAllowed ? 'Program connected' : 'Program refused'}>
      <p role="status">
        {isAllowed ? (
          <>
            <strong className="program-name">{program.name}</strong> may now work for you. Go back to your program. You
            can close this page.
          </>
        ) : (
          'Nothing was allowed. You can close this page.'
        )}
      </p>
      {redirectTo !== null && (
        <a className="button button-primary" href={redirectTo}>
          Go back to the program
        </a>
      )}
      {isAllowed && (
        <p className="outside-else">
          <Link to="/settings/programs">See your connected programs</Link>, change what they may do, or disconnect them.
        </p>
      )}
    </OutsidePage>
  )
}
