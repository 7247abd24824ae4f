/** What is sold. Its prices are in `prices.tsv`, in minor units such as cents. Earlier sales keep their price. */
export const priceList = {
  /**
   * First credits of an organisation. In the sandbox every organisation gets them, with a daily refill. In live mode a
   * person's first organisation gets them, and others once their tax number is confirmed.
   */
  opening: { sandbox: 100_000n, live: 50n },
  /** Daily refill of sandboxes, shortly after midnight of the ledger's days. */
  sandboxTopUp: { hourUtc: 23, minute: 5 },

  plans: [
    {
      code: 'free',
      name: 'Free',
      description: 'To begin with: the credits of a new business, once.',
      monthlyCredits: 0n,
    },
    {
      code: 'starter',
      name: 'Starter',
      description: 'For a business that sends an invoice a day.',
      monthlyCredits: 400n,
    },
    {
      code: 'growth',
      name: 'Growth',
      description: 'For a team that invoices all day.',
      monthlyCredits: 2_000n,
    },
    {
      code: 'business',
      name: 'Business',
      description: 'For systems that report every sale.',
      monthlyCredits: 12_000n,
    },
  ],

  packages: [
    {
      id: '0199a000-0000-7000-8000-000000000100',
      name: '100 credits',
      credits: 100n,
      featured: false,
    },
    {
      id: '0199a000-0000-7000-8000-000000000500',
      name: '500 credits',
      credits: 500n,
      featured: true,
    },
    {
      id: '0199a000-0000-7000-8000-000000002500',
      name: '2,500 credits',
      credits: 2_500n,
      featured: false,
    },
    {
      id: '0199a000-0000-7000-8000-000000010000',
      name: '10,000 credits',
      credits: 10_000n,
      featured: false,
    },
  ],

  /** Credits per billable action. */
  costs: {
    'invoice.create': { credits: 1n, section: 'Invoices', label: 'Create an invoice or note' },
    'invoice.submit': { credits: 10n, section: 'Invoices', label: 'Submit to the tax authority' },
    'buyer.create': { credits: 1n, section: 'Buyers', label: 'Create a buyer' },
    'buyer.update': { credits: 1n, section: 'Buyers', label: 'Edit a buyer' },
    'buyer.verify_tax_id': { credits: 5n, section: 'Tax numbers', label: 'Verify a tax number' },
    'reachability.check': {
      credits: 2n,
      section: 'Tax numbers',
      label: 'Check whether the network reaches a tax number',
    },
    'tax_id.lookup': { credits: 2n, section: 'Tax numbers', label: 'Look up a tax number' },
  },
} as const
