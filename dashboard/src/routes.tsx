import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { queries } from './api/queries.ts'
import { readListSearch } from './features/invoices/list/list-search.ts'
import { readReceivedSearch } from './features/received/received-search.ts'
import { countriesQuery, learnTimeOf, mineQuery } from './session/country.ts'
import { sessionQuery } from './session/session.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { PageLoading, Shell } from './shell/shell.tsx'

const root = createRootRouteWithContext()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailure,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const session = await queries.ensureQueryData(sessionQuery)
    throw redirect({ to: session ? '/overview' : '/sign-in', search: session ? {} : { next: undefined } })
  },
})

/** The page that a person wanted before signing in. Every page on the way passes it on. */
interface NextSearch {
  readonly next: string | undefined
}

/** Only our own pages, because an attacker could put a foreign address here. */
const readNext = ({ next }: Record<string, unknown>): NextSearch => ({
  next: typeof next === 'string' && /^\/(?!sign-in\b)[a-z]/.test(next) ? next : undefined,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (given: Record<string, unknown>): SignInSearch => ({
    ...readNext(given),
    ...(given.ended === true ? { ended: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

interface SignInSearch extends NextSearch {
  /** the session ended while a page was open */
  readonly ended?: true
}

const register = createRoute({
  getParentRoute: () => root,
  path: 'register',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./features/sign-in/register-page.tsx'), 'RegisterPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: 'verify-email',
  validateSearch: (given: Record<string, unknown>) => ({
    ...readNext(given),
    email: typeof given.email === 'string' ? given.email : undefined,
  }),
  component: lazyRouteComponent(() => import('./features/sign-in/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: 'forgot-password',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./features/sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: 'accept-invitation',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./features/sign-in/accept-invitation-page.tsx'), 'AcceptInvitationPage'),
})

const confirmChange = createRoute({
  getParentRoute: () => root,
  path: 'confirm-change',
  component: lazyRouteComponent(() => import('./features/sign-in/confirm-change-page.tsx'), 'ConfirmChangePage'),
})

/** Pages that need a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
    // Pages need the country's currencies at once. After a failure, a page that needs them asks again.
    await Promise.allSettled([
      queries.ensureQueryData(countriesQuery),
      queries.ensureQueryData(mineQuery(session.organizationId)),
      learnTimeOf(queries, session),
    ])
  },
  component: Shell,
})

/** Pages that need a session, without the menu: a program sent the person here. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location: { href: next } }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next } })
    // Somebody else could have registered with the address, so a program may not act for this person yet.
    const { email, emailVerified } = session.user ?? {}
    if (emailVerified === false) throw redirect({ to: '/verify-email', search: { email, next } })
  },
})

const connecting = [
  createRoute({
    getParentRoute: () => signedIn,
    path: 'connect',
    validateSearch: ({ request }: Record<string, unknown>): { readonly request?: string | undefined } => ({
      request: textIn(request),
    }),
    component: lazyRouteComponent(() => import('./features/programs/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: 'connect/device',
    validateSearch: ({ code }: Record<string, unknown>): { readonly code?: string | undefined } => ({
      code: textIn(code),
    }),
    component: lazyRouteComponent(() => import('./features/programs/device-page.tsx'), 'DevicePage'),
  }),
] as const

const overview = createRoute({
  getParentRoute: () => inside,
  path: 'overview',
  component: lazyRouteComponent(() => import('./features/overview/overview-page.tsx'), 'OverviewPage'),
})

const invoices = createRoute({
  getParentRoute: () => inside,
  path: 'invoices',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./features/invoices/list/invoice-list-page.tsx'), 'InvoiceListPage'),
})

const newInvoice = createRoute({
  getParentRoute: () => inside,
  path: 'invoices/new',
  component: lazyRouteComponent(() => import('./features/invoices/editor/editor-page.tsx'), 'NewInvoicePage'),
})

const editInvoice = createRoute({
  getParentRoute: () => inside,
  path: 'invoices/$id/edit',
  component: lazyRouteComponent(() => import('./features/invoices/editor/editor-page.tsx'), 'EditInvoicePage'),
})

const invoice = createRoute({
  getParentRoute: () => inside,
  path: 'invoices/$id',
  component: lazyRouteComponent(() => import('./features/invoices/detail/invoice-page.tsx'), 'InvoicePage'),
})

const invoicing = [invoices, newInvoice, editInvoice, invoice] as const

/** A text from the address. Other types count as absent. */
const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined

const pageIn = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined

const onlyPage = ({ page }: Record<string, unknown>): { readonly page?: number | undefined } => ({ page: pageIn(page) })

const developers = [
  createRoute({
    getParentRoute: () => inside,
    path: 'developers',
    component: lazyRouteComponent(() => import('./features/developers/key-list-page.tsx'), 'KeyListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/requests',
    validateSearch: ({ status, method, by, keyId, path, requestId, page }: Record<string, unknown>): RequestSearch => ({
      status: textIn(status),
      method: textIn(method),
      by: textIn(by),
      keyId: textIn(keyId),
      path: textIn(path),
      requestId: textIn(requestId),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/developers/request-list-page.tsx'), 'RequestListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/webhooks',
    component: lazyRouteComponent(() => import('./features/developers/webhook-list-page.tsx'), 'WebhookListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/deliveries',
    validateSearch: ({ endpointId, type, status, page }: Record<string, unknown>): DeliverySearch => ({
      endpointId: textIn(endpointId),
      type: textIn(type),
      status: textIn(status),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/developers/delivery-list-page.tsx'), 'DeliveryListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/events',
    component: lazyRouteComponent(() => import('./features/developers/event-type-list-page.tsx'), 'EventTypeListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/activity',
    validateSearch: ({ type, from, to, page }: Record<string, unknown>): ActivitySearch => ({
      type: textIn(type),
      from: dayIn(from),
      to: dayIn(to),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/developers/activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'developers/test-clock',
    component: lazyRouteComponent(() => import('./features/developers/test-clock-page.tsx'), 'TestClockPage'),
  }),
] as const

const recurring = [
  createRoute({
    getParentRoute: () => inside,
    path: 'recurring',
    validateSearch: ({ status, page }: Record<string, unknown>): ScheduleSearch => ({
      status: textIn(status),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/recurring/recurring-list-page.tsx'), 'RecurringListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'recurring/new',
    validateSearch: ({ from }: Record<string, unknown>): { readonly from?: string | undefined } => ({
      from: textIn(from),
    }),
    component: lazyRouteComponent(() => import('./features/recurring/new-schedule-page.tsx'), 'NewSchedulePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'recurring/$id/edit',
    component: lazyRouteComponent(() => import('./features/recurring/change-schedule-page.tsx'), 'ChangeSchedulePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'recurring/$id',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/recurring/schedule-page.tsx'), 'SchedulePage'),
  }),
] as const

const quotes = [
  createRoute({
    getParentRoute: () => inside,
    path: 'quotes',
    validateSearch: ({ status, type, from, to, search, page }: Record<string, unknown>): QuoteSearch => ({
      status: textIn(status),
      type: textIn(type),
      from: textIn(from),
      to: textIn(to),
      search: textIn(search),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/quotes/quote-list-page.tsx'), 'QuoteListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'quotes/new',
    component: lazyRouteComponent(() => import('./features/quotes/new-quote-page.tsx'), 'NewQuotePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'quotes/$id/edit',
    component: lazyRouteComponent(() => import('./features/quotes/change-quote-page.tsx'), 'ChangeQuotePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'quotes/$id',
    component: lazyRouteComponent(() => import('./features/quotes/quote-page.tsx'), 'QuotePage'),
  }),
] as const

interface QuoteSearch {
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
  readonly page?: number | undefined
}

const reminders = createRoute({
  getParentRoute: () => inside,
  path: 'reminders',
  validateSearch: ({
    page,
    sent,
  }: Record<string, unknown>): { readonly page?: number | undefined; readonly sent?: number | undefined } => ({
    page: pageIn(page),
    sent: pageIn(sent),
  }),
  component: lazyRouteComponent(() => import('./features/reminders/reminders-page.tsx'), 'RemindersPage'),
})

interface ScheduleSearch {
  readonly status?: string | undefined
  readonly page?: number | undefined
}

const taxReturns = [
  createRoute({
    getParentRoute: () => inside,
    path: 'tax-returns',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/tax-returns/return-list-page.tsx'), 'ReturnListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'tax-returns/rates',
    validateSearch: ({ currency, page }: Record<string, unknown>): RateSearch => ({
      currency: textIn(currency),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/tax-returns/rate-list-page.tsx'), 'RateListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'tax-returns/$period',
    component: lazyRouteComponent(() => import('./features/tax-returns/return-page.tsx'), 'ReturnPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'tax-returns/$period/documents',
    validateSearch: ({ section, code, rate, of, withoutRate }: Record<string, unknown>): ReturnDocumentSearch => ({
      section: textIn(section),
      code: textIn(code),
      // The router parses numeric text as a number.
      rate: typeof rate === 'number' ? String(rate) : textIn(rate),
      of: typeof of === 'string' && /^\d{4}-\d{2}$/.test(of) ? of : undefined,
      ...(withoutRate === true ? { withoutRate } : {}),
    }),
    component: lazyRouteComponent(
      () => import('./features/tax-returns/return-documents-page.tsx'),
      'ReturnDocumentsPage',
    ),
  }),
] as const

interface RateSearch {
  readonly currency?: string | undefined
  readonly page?: number | undefined
}

/** Which documents of a tax return: all, or those of one figure. */
interface ReturnDocumentSearch {
  readonly section?: string | undefined
  readonly code?: string | undefined
  readonly rate?: string | undefined
  /** the month of the documents, which for an exception is a closed one */
  readonly of?: string | undefined
  readonly withoutRate?: true
}

const received = createRoute({
  getParentRoute: () => inside,
  path: 'received',
  validateSearch: readReceivedSearch,
  component: lazyRouteComponent(() => import('./features/received/received-list-page.tsx'), 'ReceivedListPage'),
})

interface CollectionSearch {
  readonly status?: string | undefined
  readonly page?: number | undefined
}

const collectionSearch = ({ status, page }: Record<string, unknown>): CollectionSearch => ({
  status: textIn(status),
  page: pageIn(page),
})

const collection = [
  createRoute({
    getParentRoute: () => inside,
    path: 'collection',
    validateSearch: collectionSearch,
    component: lazyRouteComponent(() => import('./features/collection/payment-list-page.tsx'), 'PaymentListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'collection/exceptions',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/collection/exception-list-page.tsx'), 'ExceptionListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'collection/accounts',
    validateSearch: collectionSearch,
    component: lazyRouteComponent(() => import('./features/collection/account-list-page.tsx'), 'AccountListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'collection/credits',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/collection/credit-list-page.tsx'), 'CreditListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'collection/payouts',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/collection/payout-page.tsx'), 'PayoutPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'collection/settlement',
    component: lazyRouteComponent(() => import('./features/collection/settlement-page.tsx'), 'SettlementPage'),
  }),
] as const

const parties = [
  createRoute({
    getParentRoute: () => inside,
    path: 'buyers',
    validateSearch: ({ search, taxIdStatus, page }: Record<string, unknown>): BuyerSearch => ({
      search: textIn(search),
      taxIdStatus: textIn(taxIdStatus),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/buyers/buyer-list-page.tsx'), 'BuyerListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'buyers/$id',
    component: lazyRouteComponent(() => import('./features/buyers/buyer-page.tsx'), 'BuyerPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'sellers',
    validateSearch: ({ search, page }: Record<string, unknown>): PartySearch => ({
      search: textIn(search),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/sellers/seller-list-page.tsx'), 'SellerListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'items',
    validateSearch: ({ q, archived, sort, page }: Record<string, unknown>): ItemSearch => ({
      q: textIn(q),
      archived: archived === 'true' ? 'true' : undefined,
      sort: textIn(sort),
      page: pageIn(page),
    }),
    component: lazyRouteComponent(() => import('./features/items/item-list-page.tsx'), 'ItemListPage'),
  }),
] as const

const importing = [
  createRoute({
    getParentRoute: () => inside,
    path: 'import',
    validateSearch: ({ kind }: Record<string, unknown>): ImportSearch => ({
      kind: kind === 'buyers' || kind === 'items' || kind === 'invoices' ? kind : undefined,
    }),
    component: lazyRouteComponent(() => import('./features/imports/import-list-page.tsx'), 'ImportListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'import/$id',
    component: lazyRouteComponent(() => import('./features/imports/import-page.tsx'), 'ImportPage'),
  }),
] as const

interface ImportSearch {
  readonly kind?: 'buyers' | 'items' | 'invoices' | undefined
}

interface PartySearch {
  readonly search?: string | undefined
  readonly page?: number | undefined
}

interface BuyerSearch extends PartySearch {
  readonly taxIdStatus?: string | undefined
}

interface ItemSearch {
  readonly sort?: string | undefined
  readonly q?: string | undefined
  readonly archived?: 'true' | undefined
  readonly page?: number | undefined
}

interface RequestSearch {
  readonly status?: string | undefined
  readonly method?: string | undefined
  readonly by?: string | undefined
  readonly keyId?: string | undefined
  readonly path?: string | undefined
  /** the value of `X-Request-Id` in the reply */
  readonly requestId?: string | undefined
  readonly page?: number | undefined
}

interface ActivitySearch {
  readonly type?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly page?: number | undefined
}

interface DeliverySearch {
  readonly endpointId?: string | undefined
  readonly type?: string | undefined
  readonly status?: string | undefined
  readonly page?: number | undefined
}

const team = createRoute({
  getParentRoute: () => inside,
  path: 'team',
  component: lazyRouteComponent(() => import('./features/team/team-page.tsx'), 'TeamPage'),
})

const billing = createRoute({
  getParentRoute: () => inside,
  path: 'billing',
  validateSearch: ({ payment, page }: Record<string, unknown>): BillingSearch => ({
    payment: textIn(payment),
    page: pageIn(page),
  }),
  component: lazyRouteComponent(() => import('./features/billing/billing-page.tsx'), 'BillingPage'),
})

const billingMore = [
  createRoute({
    getParentRoute: () => inside,
    path: 'billing/costs',
    component: lazyRouteComponent(() => import('./features/billing/costs-page.tsx'), 'CostsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: 'billing/plans',
    validateSearch: onlyPage,
    component: lazyRouteComponent(() => import('./features/billing/plan-list-page.tsx'), 'PlanListPage'),
  }),
] as const

interface BillingSearch {
  /** the payment after a checkout */
  readonly payment?: string | undefined
  readonly page?: number | undefined
}

const settings = createRoute({
  getParentRoute: () => inside,
  path: 'settings',
  component: lazyRouteComponent(
    () => import('./features/settings/organisation/organisation-page.tsx'),
    'OrganisationPage',
  ),
})

const security = createRoute({
  getParentRoute: () => inside,
  path: 'settings/security',
  component: lazyRouteComponent(() => import('./features/settings/security/security-page.tsx'), 'SecurityPage'),
})

const taxConnection = createRoute({
  getParentRoute: () => inside,
  path: 'settings/tax',
  component: lazyRouteComponent(() => import('./features/settings/tax/tax-page.tsx'), 'TaxPage'),
})

const connectedPrograms = createRoute({
  getParentRoute: () => inside,
  path: 'settings/programs',
  validateSearch: ({
    page,
    others,
  }: Record<string, unknown>): { readonly page?: number | undefined; readonly others?: number | undefined } => ({
    page: pageIn(page),
    others: pageIn(others),
  }),
  component: lazyRouteComponent(() => import('./features/programs/programs-page.tsx'), 'ProgramsPage'),
})

/** Unknown addresses below our pages keep the menu. */
const elsewhere = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound })

/** Pages that need no session. */
const outside = [start, signIn, register, verifyEmail, forgotPassword, acceptInvitation, confirmChange] as const

export const router = createRouter({
  routeTree: root.addChildren([
    ...outside,
    signedIn.addChildren([...connecting]),
    inside.addChildren([
      overview,
      ...invoicing,
      ...quotes,
      ...recurring,
      reminders,
      ...parties,
      received,
      ...taxReturns,
      ...collection,
      ...importing,
      ...developers,
      team,
      billing,
      ...billingMore,
      settings,
      taxConnection,
      security,
      connectedPrograms,
      elsewhere,
    ]),
  ]),
  defaultPreload: 'intent',
  // Shown while the session loads.
  defaultPendingComponent: PageLoading,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
