/** How the bank sends notifications, until it is changed. Shares are from 0 to 1. */
export interface Behaviour {
  /** share of notifications that are never sent */
  readonly lost: number
  /** share of notifications that are sent twice, with the same id */
  readonly doubled: number
  /** longest random delay of a notification, which can change their order */
  readonly lateMs: number
  /** share of notifications with a wrong signature */
  readonly forged: number
  /** connections are reset, and nothing is carried out */
  readonly outage: boolean
  /** so many of the calls that change something are carried out, and their answers never arrive */
  readonly lostReplies: number
  /** every refund is refused */
  readonly refusesRefunds: boolean
  /** the owner of the key has no balance for refunds */
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

/** The notification of one transfer, as its narration requests. Testers without another way write the request there. */
export interface NotificationBehaviour {
  readonly copies: number
  readonly afterMs: number
  readonly isForged: boolean
}

const lateMs = 2_000

export function behaviourOf(
  { lost, doubled, lateMs: longest, forged }: Behaviour,
  narration: string,
): NotificationBehaviour {
  const asked = /#(lost|twice|late|forged)\b/i.exec(narration)?.[1]?.toLowerCase()
  const chance = (share: number) => share > 0 && Math.random() < share
  return {
    copies: asked === 'lost' || chance(lost) ? 0 : asked === 'twice' || chance(doubled) ? 2 : 1,
    afterMs: asked === 'late' ? lateMs : Math.floor(Math.random() * longest),
    isForged: asked === 'forged' || chance(forged),
  }
}
