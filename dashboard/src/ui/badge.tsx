import type { ReactNode } from 'react'
import './badge.css'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

/** The text carries the meaning, and the colour only helps. */
export const Badge = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
)
