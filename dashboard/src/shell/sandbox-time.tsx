import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { testClockQuery } from '../api/test-clock.ts'
import { momentText } from '../ui/dates.ts'
import { Notice } from '../ui/notice.tsx'

/** Shown while the sandbox is ahead of the real time: its dates would surprise otherwise. */
export function SandboxTime() {
  const { data } = useQuery(testClockQuery)
  if (!data) return null
  const isMoving = data.move?.status === 'advancing'
  if (data.aheadSeconds === 0 && !isMoving) return null
  return (
    <Notice>
      {isMoving
        ? 'The time of this sandbox is being moved forward.'
        : `The time of this sandbox is ${momentText(data.now)}.`}{' '}
      <Link to="/developers/test-clock">Test clock</Link>
    </Notice>
  )
}
