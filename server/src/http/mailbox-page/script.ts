/** Copies a code, shows times in the reader's time zone, and reloads the list when there is a new message. */
export const script = `(() => {
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString()
  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!navigator.clipboard) continue
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = 'Copied'
    })
  }
  const choice = document.querySelector('select')
  if (choice) choice.addEventListener('change', () => choice.form.submit())
  const list = document.querySelector('[data-newest]')
  if (!list) return
  const shown = 'data-newest="' + list.dataset.newest + '"'
  setInterval(async () => {
    if (document.hidden) return
    const page = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (page && page.ok && !(await page.text()).includes(shown)) location.reload()
  }, 2000)
})()
`
