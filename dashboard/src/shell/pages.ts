import type { IconName } from '../ui/icons.tsx'

interface PageOfMenu {
  readonly to: string
  readonly name: string
  /** opens the page after `g` */
  readonly key: string
  readonly icon: IconName
  readonly needs: readonly string[]
}

/** In the order of the menu. Each page is shown to people with its permission. */
export const pages = [
  { to: '/overview', name: 'Overview', key: 'o', icon: 'home', needs: [] },
  { to: '/invoices', name: 'Invoices', key: 'i', icon: 'document', needs: ['invoice.read'] },
  { to: '/quotes', name: 'Quotes', key: 'q', icon: 'edit', needs: ['invoice.read'] },
  { to: '/recurring', name: 'Recurring', key: 'u', icon: 'calendar', needs: ['invoice.read'] },
  { to: '/reminders', name: 'Reminders', key: 'n', icon: 'bell', needs: ['invoice.read'] },
  { to: '/received', name: 'Received', key: 'r', icon: 'inbox', needs: ['invoice.inbound.read'] },
  {
    to: '/tax-returns',
    name: 'Tax returns',
    key: 'x',
    icon: 'reference',
    needs: ['invoice.stats.read', 'invoice.read', 'invoice.inbound.read'],
  },
  { to: '/buyers', name: 'Buyers', key: 'b', icon: 'people', needs: ['buyer.read'] },
  { to: '/sellers', name: 'Sellers', key: 's', icon: 'shop', needs: ['seller.read'] },
  { to: '/items', name: 'Items', key: 't', icon: 'box', needs: ['item.read'] },
  { to: '/collection', name: 'Collection', key: 'c', icon: 'bank', needs: ['collection.read'] },
  { to: '/import', name: 'Import', key: 'm', icon: 'upload', needs: ['buyer.create', 'item.create', 'invoice.create'] },
  { to: '/billing', name: 'Billing', key: '$', icon: 'card', needs: ['billing.account.read'] },
  { to: '/developers', name: 'Developers', key: 'd', icon: 'code', needs: ['api_key.read', 'webhook.endpoint.read'] },
  { to: '/team', name: 'Team', key: 'e', icon: 'team', needs: ['member.read'] },
  { to: '/settings', name: 'Settings', key: ',', icon: 'settings', needs: [] },
] as const satisfies readonly PageOfMenu[]

export type Page = (typeof pages)[number]

/** The pages that a phone shows first. The others are behind "More". */
const mostUsed: readonly Page['to'][] = ['/overview', '/invoices', '/buyers', '/collection', '/received', '/items']

/** The pages of a person, and the four of them that the bar of a phone shows. */
export function pagesFor(capabilities: readonly string[]): {
  readonly all: readonly Page[]
  readonly first: readonly Page[]
} {
  const all = pages.filter(({ needs }) => needs.every((each) => capabilities.includes(each)))
  const first = mostUsed.flatMap((to) => all.filter((page) => page.to === to)).slice(0, 4)
  return { all, first }
}
