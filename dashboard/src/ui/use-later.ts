import { useEffect, useRef } from 'react'

/** Runs only the last call, after a pause without further calls. */
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
