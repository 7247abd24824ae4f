/** Edit this file to change prices. Prices are in minor units (kobo, cents). Earlier sales keep their price. */
export const priceList = {
  /**
   * First credits of an organisation. In the sandbox every organisation gets them, with a daily refill. In live mode a
   * person's first organisation gets them, and others once their tax number is confirmed.
   */
  opening: { sandbox: 100_000n, live: 50n },
  /** Daily refill of sandboxes, shortly after midnight in Lagos. */
  sandboxTopUp: { hourUtc: 23, minute: 5 },

  plans: [
    {
      code: 'free',
      name: 'Free',
      description: 'To begin with: the credits of a new business, once.',
      monthlyCredits: 0n,
      prices: [],
    },
    {
      code: 'starter',
      name: 'Starter',
      description: 'For a business that sends an invoice a day.',
      monthlyCredits: 400n,
      prices: [
        { currency: 'NGN', interval: 'monthly', amountMinor: 750_000n },
        { currency: 'NGN', interval: 'yearly', amountMinor: 7_500_000n },
        { currency: 'USD', interval: 'monthly', amountMinor: 500n },
        { currency: 'USD', interval: 'yearly', amountMinor: 5_000n },
      ],
    },
    {
      code: 'growth',
      name: 'Growth',
      description: 'For a team that invoices all day.',
      monthlyCredits: 2_000n,
      prices: [
        { currency: 'NGN', interval: 'monthly', amountMinor: 3_000_000n },
        { currency: 'NGN', interval: 'yearly', amountMinor: 30_000_000n },
        { currency: 'USD', interval: 'monthly', amountMinor: 2_000n },
        { currency: 'USD', interval: 'yearly', amountMinor: 20_000n },
      ],
    },
    {
      code: 'business',
      name: 'Business',
      description: 'For systems that report every sale.',
      monthlyCredits: 12_000n,
      prices: [
        { currency: 'NGN', interval: 'monthly', amountMinor: 15_000_000n },
        { currency: 'NGN', interval: 'yearly', amountMinor: 150_000_000n },
        { currency: 'USD', interval: 'monthly', amountMinor: 10_000n },
        { currency: 'USD', interval: 'yearly', amountMinor: 100_000n },
      ],
    },
  ],

  packages: [
    {
      id: '0199a000-0000-7000-8000-000000000100',
      name: '100 credits',
      credits: 100n,
      featured: false,
      prices: [
        { currency: 'NGN', amountMinor: 250_000n },
        { currency: 'USD', amountMinor: 200n },
      ],
    },
    {
      id: '0199a000-0000-7000-8000-000000000500',
      name: '500 credits',
      credits: 500n,
      featured: true,
      prices: [
        { currency: 'NGN', amountMinor: 1_150_000n },
        { currency: 'USD', amountMinor: 900n },
      ],
    },
    {
      id: '0199a000-0000-7000-8000-000000002500',
      name: '2,500 credits',
      credits: 2_500n,
      featured: false,
      prices: [
        { currency: 'NGN', amountMinor: 5_000_000n },
        { currency: 'USD', amountMinor: 4_000n },
      ],
    },
    {
      id: '0199a000-0000-7000-8000-000000010000',
      name: '10,000 credits',
      credits: 10_000n,
      featured: false,
      prices: [
        { currency: 'NGN', amountMinor: 17_500_000n },
        { currency: 'USD', amountMinor: 14_000n },
      ],
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
