import { mkdir } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { askAround } from '../demo/ask-around.ts'
import { refuseDemo } from '../demo/remove-demo.ts'
import { type PreparedDemo, prepareDemo } from '../demo/seed-demo.ts'
import * as forms from '../http/forms.ts'
import type { Readiness } from '../http/plain/health.ts'
import { consumers, jobHandlers, ownQueues } from '../jobs/index.ts'
import { businessDay } from '../kernel/days.ts'
import { startWorker, type Worker } from '../platform/background/worker.ts'
import { systemClock } from '../platform/clock.ts'
import { type Config, isProduction } from '../platform/config.ts'
import { createLogger, type Logger, redact } from '../platform/logger.ts'
import { type ListeningServer, startApi, startWorkerPages } from './api.ts'
import { prepareDashboard } from './dashboard.ts'
import { orExplain } from './explain.ts'
import { requireFreePort } from './free-port.ts'
import { simulatedKeyFilesOf } from './jurisdictions.ts'
import { programVersion } from './program-version.ts'
import { openRuntime } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'
import { startSimulators } from './simulators.ts'

// Collects garbage once the heap has grown by 40 %. By its own rule V8 lets a small heap grow to four times its size and keeps the
// memory: 650 MB after a minute of load instead of 370 MB.
setFlagsFromString('--heap-growing-percent=40')

const say = (text: string) => process.stdout.write(`${text}\n`)

/** The shortest command that creates and reports an invoice: to a consumer, who needs no name. */
function firstInvoice(url: string, key: string): string {
  const body = {
    invoiceKind: 'B2C',
    invoiceDate: businessDay(systemClock.now(), 'Africa/Lagos'),
    currency: 'NGN',
    lineItems: [
      {
        description: 'Palm oil',
        hsnCode: '1511.10',
        quantity: 2,
        unitCode: 'LTR',
        unitPrice: '1950.50',
        taxCategory: 'standard',
      },
    ],
  }
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`
  return `curl -s ${url}/i/v1/invoices/create-and-submit ${headers} -d '${JSON.stringify(body)}'`
}

function welcome(api: ListeningServer, prepared: PreparedDemo | undefined): void {
  say(`\nRisiti listens at ${api.url}\n  Pages   ${api.url}/`)
  say(`  Guides  ${api.url}/guides`)
  for (const { name, prefix } of Object.values(forms)) say(`  Form ${name}  ${api.url}${prefix}/docs`)
  if (!prepared) return
  const { demo, finish } = prepared
  say(`  Mailbox ${api.url}/dev/mailbox
  Webhooks ${api.url}/dev/webhooks
\nDemo organisation (sandbox)
  sign in  ${demo.email}  ${demo.password}
  API key  ${demo.sandboxKey}
\nTry it:
  ${firstInvoice(api.url, demo.sandboxKey)}\n`)
  if (finish)
    say(
      'Slower demo data (submissions, payments, webhooks) is created in the background within 30 seconds. If you stop early, the next start continues.\n',
    )
}

/** Starts the parts of the role; the returned function stops them. */
async function start(config: Config, log: Logger): Promise<() => Promise<void>> {
  await requireFreePort(config)
  // With an external database, the data folder is not written: it may be read-only.
  if (config.databaseUrl === undefined || config.playground)
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const dashboard = config.role === 'worker' ? undefined : prepareDashboard(say)
  // Awaited below. If the database fails first, that error is reported.
  dashboard?.catch(() => undefined)
  const open = await openRuntime(config, log)
  const closers: (() => Promise<void>)[] = [() => open.close()]
  const closeAll = async () => {
    for (const close of closers.reverse()) await close()
  }
  const readiness: Readiness[] = []
  try {
    if (!config.playground) await refuseDemo(open.runtime.db)
    let worker: Worker | undefined
    // Only after the routes are mounted: that blocks the process for a second, in which connections would time out.
    const startWork = () => {
      if (config.role !== 'api')
        worker = startWorker(open.runtime, open.access, { handlers: jobHandlers, consumers, ownQueues })
    }
    if (config.role !== 'api') {
      closers.push(async () => worker?.stop())
      const check = async () => {
        if (!worker?.isWorking()) throw new Error('the worker has lost the database')
      }
      readiness.push({ name: 'worker', check })
    }
    if (config.role !== 'worker') {
      const simulators = config.playground ? await startSimulators(config.dataDir) : undefined
      if (simulators) closers.push(() => simulators.close())
      const ready = Promise.withResolvers<void>()
      const pages = await dashboard
      if (pages === undefined)
        log.warn('dashboard.missing', { reason: 'it was not built: run npm run dashboard:build' })
      const api = await startApi(open, config, {
        readiness: [{ name: 'start-up', check: () => ready.promise }, ...readiness],
        dashboard: pages,
        receiverUrl: simulators?.receiverUrl,
      })
      closers.push(() => api.close())
      simulators?.notifyAt(api.url)
      startWork()
      const mayMail = config.smtpUrl === undefined
      const mayPay = Object.keys(config.providers).length === 0
      const mayReport = config.authorities.NG?.sandbox === undefined
      const prepared = config.playground
        ? await prepareDemo(open.runner, {
            dataDir: config.dataDir,
            baseUrl: api.url,
            mayMail,
            mayPay,
            mayReport,
            keyFileOf: simulatedKeyFilesOf(config, open.outbound),
            receiverUrl: simulators?.receiverUrl,
            webhookFormats: open.runtime.ports.webhookFormats.all.map(({ name }) => name),
            outbound: open.outbound,
          })
        : undefined
      ready.resolve()
      if (config.production) log.info('listening', { url: api.url })
      else welcome(api, prepared)
      if (prepared) {
        const stopping = new AbortController()
        const logFailure = (error: unknown) => {
          if (!stopping.signal.aborted) log.warn('demo.not_finished', { error })
        }
        // If one part fails, a stop still waits for the other one.
        const finishing = Promise.all([
          askAround(open.outbound, prepared.demo, stopping.signal).catch(logFailure),
          prepared.finish?.(stopping.signal).catch(logFailure),
        ])
        closers.push(async () => {
          stopping.abort()
          await finishing
        })
      }
    } else {
      const pages = await startWorkerPages(open, config, readiness)
      closers.push(() => pages.close())
      startWork()
      if (config.production) log.info('listening', { url: pages.url })
      else say(`Risiti worker is running. Its health is at ${pages.url}/ready`)
    }
  } catch (error) {
    await closeAll()
    throw error
  }
  return closeAll
}

/** Finishes running work and exits. A second signal, or twenty seconds, end it at once. */
function closeOnSignal(close: () => Promise<void>, log: Logger): void {
  let closing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1)
      closing = true
      log.info('stopping', { signal })
      setTimeout(() => process.exit(1), 20_000).unref()
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error('stop.failed', { error })
          process.exit(1)
        },
      )
    })
  }
}

/** In production every line is JSON, also the last one of a start that failed before it had a log. */
function sayFailure(message: string): void {
  const line = {
    level: 'fatal',
    time: systemClock.now(),
    version: programVersion,
    msg: 'start.failed',
    reason: redact(message),
  }
  process.stderr.write(isProduction() ? `${JSON.stringify(line)}\n` : `\nRisiti did not start.\n${message}\n`)
}

await orExplain(sayFailure, async () => {
  const config = readServiceConfig()
  const program = { version: programVersion, role: config.role }
  const log = createLogger({ level: config.logLevel, style: config.production ? 'json' : 'readable', program })
  if (config.production && config.databaseUrl === undefined)
    log.warn('database.embedded', { reason: 'DATABASE_URL is not set; the embedded database is meant for trying out' })
  if (config.production && config.smtpUrl === undefined)
    log.warn('mail.not_sent', { reason: 'SMTP_URL is not set; mail stays in the built-in mailbox' })
  if (config.production && config.publicUrl === undefined)
    log.warn('links.lead_nowhere', {
      reason: `PUBLIC_URL is not set; links in mails lead to ${config.settings.dashboardUrl}`,
    })
  const starting = start(config, log)
  // Registered first: a start that is interrupted stops what it has already started.
  closeOnSignal(async () => (await starting)(), log)
  await starting
})
