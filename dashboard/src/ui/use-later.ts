import { useEffect, useRef } from 'react'

/** Does something once nobody asked for it again for a while; the last request counts. */
export function useLater<Given extends readonly unknown[]>(
  act: (...given: Given) => void,
  afterMs: number,
): (...given: Given) => void {
  const latest = useRef(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return (...given) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(...given), afterMs)
  }
}
