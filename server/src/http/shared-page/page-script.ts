/**
 * The only script of a shared page: reloads the page when it is outdated. A page that becomes outdated right after its load waits a little,
 * so that it cannot reload in a loop.
 */
export const pageScript = `(() => {
  const place = document.currentScript && document.currentScript.dataset.changes
  if (!place || !window.EventSource) return
  const shownAt = Date.now()
  const source = new EventSource(place)
  let isAsked = false
  source.addEventListener('changed', () => {
    if (isAsked) return
    isAsked = true
    setTimeout(() => {
      source.close()
      location.reload()
    }, Math.max(300, 3000 - (Date.now() - shownAt)))
  })
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', (shown) => shown.persisted && location.reload())
})()
`
