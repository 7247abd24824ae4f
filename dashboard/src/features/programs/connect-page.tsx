import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { Notice } from '../../ui/index.ts'
import { OutsidePage } from '../sign-in/outside-page.tsx'
import { Consent, failureWords } from './consent.tsx'

/** A program sent the browser here. */
export function ConnectPage() {
  const { request: id } = useSearch({ from: '/signed-in/connect' })
  const request = useQuery({
    queryKey: ['program-request', id],
    queryFn: () => risiti.programs.getRequest(id as string),
    enabled: id !== undefined,
    // While a person reads, nothing may move.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (request.data) return <Consent request={request.data} />
  return (
    <OutsidePage title="Connect a program">
      {id === undefined && (
        <Notice tone="bad">The address of this page names no request. Start again in the program.</Notice>
      )}
      {request.isError && <Notice tone="bad">{failureWords(request.error)}</Notice>}
      {request.isFetching && <p role="status">One moment …</p>}
    </OutsidePage>
  )
}
