import type { Buyer } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Badge, Button, Dialog, DialogActions, Notice } from '../../ui/index.ts'
import { Reachability } from './reachability.tsx'
import { taxIdWords } from './tax-id-words.ts'

const isUnderWay = (status: string | undefined) => status === 'pending' || status === 'checking'

export function VerificationDialog({ buyer, onClose }: { readonly buyer: Buyer; readonly onClose: () => void }) {
  const client = useQueryClient()
  const known = useQuery({
    queryKey: ['buyer-verification', buyer.id],
    queryFn: () => risiti.buyers.getVerification(buyer.id),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.taxIdStatus) ? 1_000 : false),
    staleTime: 0,
  })
  const asking = useMutation({
    mutationFn: () => risiti.buyers.verify(buyer.id),
    onSuccess: (told) => client.setQueryData(['buyer-verification', buyer.id], told),
  })
  const status = known.data?.taxIdStatus
  const registeredName = known.data?.verification?.registeredName
  // The list shows the result too.
  useEffect(() => {
    if (status !== undefined) void client.invalidateQueries({ queryKey: ['buyers'] })
  }, [client, status])
  return (
    <Dialog title={`Tax number of ${buyer.name}`} open onClose={onClose}>
      <p>
        <code>{buyer.taxId}</code> {status && <Badge tone={taxIdWords[status][0]}>{taxIdWords[status][1]}</Badge>}
      </p>
      <p role="status">{status && taxIdWords[status][2]}</p>
      {registeredName && (
        <p>
          Registered as <strong>{registeredName}</strong>.
        </p>
      )}
      {(known.isError || asking.isError) && <Notice tone="bad">{wordsOf(known.error ?? asking.error)}</Notice>}
      {buyer.taxId !== null && <Reachability taxId={buyer.taxId} />}
      <p className="field-hint">Each answer uses credits.</p>
      <DialogActions>
        <Button kind="primary" busy={asking.isPending || isUnderWay(status)} onClick={() => asking.mutate()}>
          Ask the tax authority
        </Button>
      </DialogActions>
    </Dialog>
  )
}
