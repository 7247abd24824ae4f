import { useQuery } from '@tanstack/react-query'
import { demoQuery } from '../../session/demo.ts'
import { Notice } from '../../ui/index.ts'

/** A playground sends no email, so this links to the page with its emails. */
export function PlaygroundMailbox() {
  const isPlayground = useQuery(demoQuery).data != null
  if (!isPlayground) return null
  return (
    <Notice>
      <p>
        This is a playground. Its emails are in the{' '}
        <a href="/dev/mailbox" target="_blank" rel="noreferrer">
          playground mailbox
        </a>
        .
      </p>
    </Notice>
  )
}
