import type { OrganizationChange } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'

type WithFreshSignIn = <Done>(act: () => Promise<Done>) => Promise<Done>

/** The header shows the organisation's name too, so the session is refetched. */
export function useChange(freshly: WithFreshSignIn = (act) => act(), onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: OrganizationChange) => freshly(async () => await risiti.organisations.updateCurrent(change)),
    onSuccess: async () => {
      onDone?.()
      await Promise.all([
        client.invalidateQueries({ queryKey: ['organisation'] }),
        client.invalidateQueries({ queryKey: ['organisations'] }),
      ])
    },
  })
}
