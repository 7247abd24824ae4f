import { systemRole } from '../../kernel/roles.ts'
import type { Form } from '../definitions/form.ts'

const oil = { description: 'Palm oil, 5 l', quantity: 2, unitCode: 'LTR', hsnCode: '1511.10' }
const invoice = {
  invoiceKind: 'B2C',
  invoiceDate: '2026-01-31',
  dueDate: '2026-03-02',
  currency: 'NGN',
  lineItems: [{ ...oil, unitPrice: '1950.50', taxCategory: 'standard', productCategory: 'Edible oils' }],
  notes: 'Thank you for your business.',
}
const ofRoles = {
  invoiceDate: '2026-01-31',
  dueDate: '2026-03-02',
  currency: 'NGN',
  lineItems: [{ ...oil, unitPrice: 1950.5, taxPercent: 7.5, productCategory: 'Edible oils' }],
  sellerId: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f',
  buyerId: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e10',
  invoiceNumber: 'INV000042',
}
const item = {
  name: 'Palm oil, 5 l',
  itemType: 'goods',
  hsnCode: '1511.10',
  productCategory: 'Edible oils',
  unitCode: 'LTR',
  unitPriceMinor: '195050',
  currency: 'NGN',
  taxCategory: 'standard',
  sku: 'OIL-5',
}
const recurring = {
  name: 'Hosting',
  unit: 'month',
  dayOfMonth: 1,
  startsOn: '2026-12-01',
  policy: 'finalise',
  dueInDays: 14,
  invoice: {
    buyerId: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e10',
    currency: 'NGN',
    lineItems: [
      {
        description: 'Hosting in {month} {year}',
        quantity: '1',
        unitCode: 'MON',
        unitPrice: '15000',
        taxCategory: 'standard',
        serviceCode: '6311',
      },
    ],
    notes: 'For {period}.',
  },
}
const quote = {
  buyerId: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e10',
  currency: 'NGN',
  validUntil: '2026-12-15',
  lineItems: [
    {
      description: 'Palm oil, 5 l',
      hsnCode: '1511.10',
      quantity: '20',
      unitCode: 'LTR',
      unitPrice: '1950.50',
      taxCategory: 'standard',
    },
  ],
  paymentTerms: 'Half in advance, the rest on delivery.',
}
const address = { line1: '12 Marina', city: 'Lagos', state: 'Lagos', country: 'NG' }
const permissions = ['invoice.read', 'buyer.read']
const fromOutside = {
  sellerName: 'Oke Wood Works',
  sellerTaxId: '20198222-0002',
  invoiceNumber: 'INV0042',
  lineItems: [{ description: 'Office tables', quantity: 3, unitPrice: 60_000, hsnCode: '9403.60' }],
}

/** Realistic requests, for schemas whose generated example would make no sense. */
const both: Readonly<Record<string, object>> = {
  taxReturns_importRates: { content: 'currency,day,rate\nUSD,2026-01-14,1536.25\nEUR,2026-01-14,1702.4\n' },
  taxReturns_close: { expectedPayableMinor: 1_250_000 },
  identity_changePassword: { currentPassword: 'correct horse battery', newPassword: 'a longer horse battery' },
  members_confirmChange: { email: 'ada@example.com', code: 'K7QF-2MXD-9TRB' },
  members_changeRole: { roleId: systemRole('ACCOUNTANT').id },
  members_changeStatus: { status: 'suspended', reason: 'On leave until March' },
  invitations_create: { email: 'chidi@example.com', fullName: 'Chidi Okafor', message: 'Welcome to the books.' },
  invitations_preview: { invitationCode: 'K7QF2MXD', email: 'chidi@example.com' },
  invitations_acceptWithNewAccount: {
    invitationCode: 'K7QF2MXD',
    email: 'chidi@example.com',
    password: 'correct horse battery',
    firstName: 'Chidi',
    lastName: 'Okafor',
  },
  apiKeys_rename: { name: 'Online shop' },
  imports_start: {
    kind: 'buyers',
    fileName: 'customers.csv',
    format: 'csv',
    content: 'Customer,TIN,City\nOke Wood Works,20198222-0002,Lagos\n',
    columns: [
      { column: 'Customer', field: 'name' },
      { column: 'TIN', field: 'taxId' },
      { column: 'City', field: null },
    ],
  },
  taxReturns_saveRates: {
    rates: [
      { currency: 'USD', day: '2026-10-01', rate: '1536.25' },
      { currency: 'EUR', day: '2026-10-01', rate: '1702.4' },
    ],
  },
  buyerAccounts_send: { currency: 'NGN', from: '2026-10-01', to: '2026-10-31' },
  buyerAccounts_share: { currency: 'NGN', from: '2026-10-01', to: '2026-10-31', expiresInDays: 30 },
  quotes_create: { quoteType: 'quote', ...quote },
  quotes_change: quote,
  quotes_send: { mail: true },
  quotes_decide: { decision: 'accepted', versionNumber: 1, name: 'Chidi Okafor', remark: 'Agreed on the telephone.' },
  quotes_convert: { deposit: { percent: '30' }, dueDate: '2026-12-15', finalise: true },
  quotes_invoiceRest: { dueDate: '2027-01-15' },
  reminders_savePlan: {
    on: true,
    hour: 9,
    buyers: 'all',
    steps: [
      { days: -3 },
      {
        days: 7,
        minimumAmounts: [{ currency: 'NGN', amountMinor: 500000 }],
        templates: [
          {
            language: null,
            subject: '{number}: {amount due} is overdue',
            body: 'Dear {buyer},\n{amount due} has been due since {due date}.\n{link}\nThank you.',
          },
        ],
      },
    ],
  },
  reminders_preview: {
    subject: '{number} is due',
    body: 'Dear {buyer},\n{amount due} is due on {due date}.\n{link}',
    language: 'en',
  },
  reminders_dispute: { reason: 'Two bags were torn.' },
  reminders_promise: { day: '2026-12-05', remark: 'After their own customer has paid.' },
  reminders_chooseBuyer: { reminders: 'never' },
  recurringInvoices_create: recurring,
  recurringInvoices_change: {
    policy: 'finalise',
    dueInDays: 14,
    invoice: recurring.invoice,
    changeFrom: '2027-01-01',
  },
  recurringInvoices_skip: { day: '2027-02-01' },
  recurringInvoices_unskip: { day: '2027-02-01' },
  testClock_move: { by: { months: 1 } },
  bulkJobs_start: { action: 'finalise', filter: { status: 'draft', invoiceDateFrom: '2026-11-01' } },
  items_create: item,
  items_update: { unitPriceMinor: '205000', description: 'Cold-pressed, from Benin' },
  receivedInvoices_sendFromOutside: fromOutside,
  submissions_cancel: { reason: 'Ordered twice' },
  collection_resolveException: { invoiceId: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f' },
  collection_refundPayment: { amount: '1500.00', reason: 'Paid twice' },
  collection_deactivateAccount: { reason: 'The buyer moved to another account' },
  billing_changeThreshold: { threshold: 100 },
  billing_subscribe: { planCode: 'starter', interval: 'monthly', currency: 'NGN', returnPath: '/billing' },
  billing_cancelSubscription: { reason: 'We move to a larger plan' },
  taxConnection_revoke: { reason: 'We change our provider' },
  webhooks_create: {
    url: 'https://hooks.example.com/risiti',
    description: 'Books of the online shop',
    events: ['invoice.*', 'buyer.created'],
    retryConfig: {
      maxAttempts: 17,
      initialDelayMs: 10_000,
      multiplier: 3,
      maxDelayMs: 28_800_000,
      timeoutMs: 10_000,
    },
  },
  webhooks_redeliverFailed: { since: '2026-02-14T08:00:00.000Z' },
}

const byForm: Readonly<Record<Form['name'], Readonly<Record<string, object>>>> = {
  A: {
    organisations_update: { website: 'https://adaeze-foods.example.com', address },
    organisations_updateCurrent: { website: 'https://adaeze-foods.example.com', address },
    invitations_accept: { invitationCode: 'K7QF2MXD' },
    apiKeys_create: { name: 'Online shop', mode: 'sandbox', preset: 'full_integration' },
    apiKeys_replaceCapabilities: { capabilities: permissions },
    buyers_create: {
      name: 'Adebayo Trading',
      taxId: '12345678-0001',
      email: 'accounts@adebayo.example.com',
      phone: '+2348012345678',
      address,
    },
    buyers_update: { email: 'books@adebayo.example.com', reference: 'C-1042' },
    invoices_create: invoice,
    invoices_validate: invoice,
    submissions_createAndSubmit: invoice,
    invoices_update: { dueDate: '2026-03-31', notes: 'Delivered on 30 January.' },
    invoices_createCreditNote: { reason: 'One bottle was broken', amount: '2096.79' },
    invoices_createDebitNote: { reason: 'Freight was left out', lineItems: invoice.lineItems },
    invoices_recordPayment: { amount: '4193.58', paidOn: '2026-02-14', method: 'transfer', reference: 'TRF-88213' },
    webhooks_update: { events: ['invoice.*'], enabled: true, replayMissed: true },
    webhooks_test: { type: 'invoice.created' },
  },
  B: {
    organisations_create: { businessName: 'Adaeze Foods Ltd', email: 'books@adaeze-foods.example.com', country: 'NG' },
    organisations_update: { website: 'https://adaeze-foods.example.com', address },
    organisations_updateCurrent: { website: 'https://adaeze-foods.example.com', address },
    members_grantPermissions: { permissions },
    members_withdrawPermissions: { permissions },
    roles_create: { name: 'bookkeeper', displayName: 'Bookkeeper', permissions },
    roles_update: { displayName: 'Bookkeeper', permissions },
    apiKeys_create: { name: 'Online shop', mode: 'sandbox', rateLimit: { requestsPerMinute: 120 } },
    buyers_create: {
      partyName: 'Adebayo Trading',
      partyType: 'company',
      taxNumber: '12345678-0001',
      email: 'accounts@adebayo.example.com',
      phoneNumber: '+2348012345678',
      postalAddress: address,
    },
    buyers_update: { email: 'books@adebayo.example.com', notes: 'Pays by transfer' },
    sellers_update: { email: 'sales@adaeze-foods.example.com', website: 'https://adaeze-foods.example.com' },
    invoices_create: ofRoles,
    invoices_validate: ofRoles,
    invoices_update: { dueDate: '2026-03-31', notes: 'Delivered on 30 January.' },
    webhooks_update: { events: ['invoice.*'], isActive: true, replayMissed: true },
  },
}

export const requestExample = (form: Form, operationId: string): object | undefined =>
  byForm[form.name][operationId] ?? both[operationId]
