/** Order matters: several browsers include the name of another one, so they come first. */
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** A readable program name. Unknown programs keep their own text. */
export function programName(userAgent: string): string {
  const [, browser] = browsers.find(([sign]) => sign.test(userAgent)) ?? []
  const [, system] = systems.find(([sign]) => sign.test(userAgent)) ?? []
  if (browser === undefined) return userAgent.slice(0, 40) || 'Unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}
