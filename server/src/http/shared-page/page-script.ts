/**
 * All the script that a shared page has: it reads itself again when it is told that it shows something old. A page that was just read and is told so
 * at once waits a little, so that nothing it is told can make it turn in circles.
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
