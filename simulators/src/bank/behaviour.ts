/** How the bank tells of what happened, until it is told otherwise. Shares are from 0 to 1. */
export interface Behaviour {
  /** never told at all */
  readonly lost: number
  /** told once more than it should be, with the same id */
  readonly doubled: number
  /** told after a while that is drawn up to this: what came first may be heard of last */
  readonly lateMs: number
  /** told with a signature that is none */
  readonly forged: number
  /** connections are reset, and nothing is carried out */
  readonly outage: boolean
  /** so many of the calls that change something are carried out, and their answers never arrive */
  readonly lostReplies: number
  /** every refund is refused */
  readonly refusesRefunds: boolean
  /** whoever owns the key has no money here that a refund could be paid from */
  readonly emptyBalance: boolean
  /** no sub-accounts for this customer of the bank */
  readonly subAccountsOff: boolean
  /** money is paid out so long after it came */
  readonly settleAfterMs: number
}

export const wellBehaved: Behaviour = {
  lost: 0,
  doubled: 0,
  lateMs: 0,
  forged: 0,
  outage: false,
  lostReplies: 0,
  refusesRefunds: false,
  emptyBalance: false,
  subAccountsOff: false,
  settleAfterMs: 60_000,
}

/** How one transfer is told of, as its narration asks for it: testers without another way to say so write it there. */
export interface Manner {
  readonly copies: number
  readonly afterMs: number
  readonly isForged: boolean
}

const lateMs = 2_000

export function mannerOf({ lost, doubled, lateMs: longest, forged }: Behaviour, narration: string): Manner {
  const asked = /#(lost|twice|late|forged)\b/i.exec(narration)?.[1]?.toLowerCase()
  const chance = (share: number) => share > 0 && Math.random() < share
  return {
    copies: asked === 'lost' || chance(lost) ? 0 : asked === 'twice' || chance(doubled) ? 2 : 1,
    afterMs: asked === 'late' ? lateMs : Math.floor(Math.random() * longest),
    isForged: asked === 'forged' || chance(forged),
  }
}
