import { useNavigate } from '@tanstack/react-router'
import { useForgetEverything } from '../../session/session.tsx'

/** Goes inside, once a session is there: with nothing on the page of whoever was here before. */
export function useEnter(): (next?: string) => Promise<void> {
  const navigate = useNavigate()
  const forgetEverything = useForgetEverything()
  return async (next = '/overview') => {
    await forgetEverything()
    await navigate({ href: next })
  }
}
