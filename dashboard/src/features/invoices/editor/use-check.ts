import type { NewInvoice } from '@risiti/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useLater } from '../../../ui/use-later.ts'
import { bodyOf, type DraftContent } from './draft-content.ts'

/** Asks the service for totals and faults after a pause in typing. The reply belongs to the text of that moment. */
export function useCheck(before: NewInvoice | undefined, content: DraftContent) {
  const [settled, setSettled] = useState(content)
  const settle = useLater((now: DraftContent) => setSettled(now), 350)
  const settleRef = useRef(settle)
  settleRef.current = settle
  useEffect(() => settleRef.current(content), [content])
  const body = useMemo(() => bodyOf(before, settled), [before, settled])
  const check = useQuery({
    queryKey: ['check', body],
    queryFn: async ({ signal }) =>
      await risiti.invoices.validate(body, { signal, idempotencyKey: crypto.randomUUID() }),
    enabled: body.lineItems.length > 0,
    // The person may have mended something in another tab.
    staleTime: 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  // The last reply stays until the next one, so that messages do not flicker.
  const lastCheck = useRef({ error: check.error, of: settled, at: 0 })
  if (!check.isFetching)
    lastCheck.current = { error: check.error, of: settled, at: Math.max(check.dataUpdatedAt, check.errorUpdatedAt) }
  return { totals: check.data, isChecking: check.isFetching, lastCheck: lastCheck.current }
}
