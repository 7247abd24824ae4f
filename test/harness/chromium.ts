import { accessSync, constants } from 'node:fs'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a browser: `CHROMIUM`, or the first one in a usual place. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM
  return (named === undefined ? usual : [named]).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
