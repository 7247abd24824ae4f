/** In the order of the menu. Each page is shown to people with its permission. */
export const pages = [
  { to: '/overview', name: 'Overview', needs: [] },
  { to: '/invoices', name: 'Invoices', needs: ['invoice.read'] },
  { to: '/received', name: 'Received', needs: ['invoice.inbound.read'] },
  { to: '/buyers', name: 'Buyers', needs: ['buyer.read'] },
  { to: '/sellers', name: 'Sellers', needs: ['seller.read'] },
  { to: '/items', name: 'Items', needs: ['item.read'] },
  { to: '/collection', name: 'Collection', needs: ['collection.read'] },
  { to: '/import', name: 'Import', needs: ['buyer.create', 'item.create', 'invoice.create'] },
  { to: '/billing', name: 'Billing', needs: ['billing.account.read'] },
  { to: '/developers', name: 'Developers', needs: ['api_key.read', 'webhook.endpoint.read'] },
  { to: '/team', name: 'Team', needs: ['member.read'] },
  { to: '/settings', name: 'Settings', needs: [] },
] as const satisfies readonly { to: string; name: string; needs: readonly string[] }[]
