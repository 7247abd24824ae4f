import { useNavigate } from '@tanstack/react-router'
import { useForgetEverything } from '../../session/session.tsx'

/** Clears the data of a previous person before the first page. */
export function useEnter(): (next?: string) => Promise<void> {
  const navigate = useNavigate()
  const forgetEverything = useForgetEverything()
  return async (next = '/overview') => {
    await forgetEverything()
    await navigate({ href: next })
  }
}
