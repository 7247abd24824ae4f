import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { queries } from './api/queries.ts'
import { sessionQuery } from './session/session.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { Shell } from './shell/shell.tsx'

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

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: ({ next }: Record<string, unknown>) => ({
    // Only to one of our own pages: an address of somebody else's could be put there.
    next: typeof next === 'string' && /^\/[a-z]/.test(next) ? next : undefined,
  }),
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** Everything that only somebody signed in can see. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: Shell,
})

const overview = createRoute({
  getParentRoute: () => inside,
  path: 'overview',
  component: lazyRouteComponent(() => import('./features/overview/overview-page.tsx'), 'OverviewPage'),
})

const invoices = createRoute({
  getParentRoute: () => inside,
  path: 'invoices',
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('./features/invoices/invoice-list-page.tsx'), 'InvoiceListPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([start, signIn, inside.addChildren([overview, invoices])]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
