// What the reference page can do beyond being read. Without it, everything is still there.
const token = { value: '' }

function element(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes)
  made.append(...children)
  return made
}

/** Shows only what holds all words, in the list of contents and on the page. */
function filterAsYouType() {
  const box = document.querySelector('#filter')
  const said = document.querySelector('#filtered')
  const operations = [...document.querySelectorAll('article.operation')].map((article) => ({
    article,
    link: document.querySelector(`nav a[href="#${article.id}"]`)?.parentElement,
    text: `${article.id} ${article.querySelector('.told')?.textContent}`.toLowerCase(),
  }))
  box.closest('[hidden]').hidden = false
  box.addEventListener('input', () => {
    const words = box.value.toLowerCase().split(/\s+/)
    let shown = 0
    for (const { article, link, text } of operations) {
      const holds = words.every((word) => text.includes(word))
      article.hidden = !holds
      if (link) link.hidden = !holds
      if (holds) shown += 1
    }
    for (const group of document.querySelectorAll('section.group'))
      group.hidden = !group.querySelector('article:not([hidden])')
    said.textContent = box.value.trim() === '' ? '' : `${shown} of ${operations.length} operations`
  })
}

function addCopyButtons() {
  for (const shown of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(shown.textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    const frame = element('div', { className: 'copied' })
    shown.replaceWith(frame)
    frame.append(shown, button)
  }
}

/** One language for all samples. */
function switchLanguages() {
  const choose = (language) => {
    for (const sample of document.querySelectorAll('[data-language]'))
      sample.hidden = sample.dataset.language !== language
    for (const button of document.querySelectorAll('button[data-chooses]'))
      button.setAttribute('aria-pressed', String(button.dataset.chooses === language))
  }
  for (const choice of document.querySelectorAll('.languages')) {
    choice.hidden = false
    choice.addEventListener('click', ({ target }) => target.dataset.chooses && choose(target.dataset.chooses))
  }
}

/** The address of this server and, where one is known, a key stand in the samples. */
function fillIn() {
  const texts = [...document.querySelectorAll('pre code')].map((shown) => ({ shown, text: shown.textContent }))
  const fill = () => {
    for (const { shown, text } of texts)
      shown.textContent = text
        .replaceAll('$RISITI_URL', location.origin)
        .replaceAll('$RISITI_TOKEN', token.value || '$RISITI_TOKEN')
  }
  fill()
  return fill
}

function takeToken(fill) {
  const box = document.querySelector('#token')
  box.closest('[hidden]').hidden = false
  const take = (value) => {
    token.value = value.trim()
    fill()
  }
  box.addEventListener('change', () => take(box.value))
  // Only a playground has it.
  fetch('/dev/demo-key')
    .then((reply) => (reply.ok ? reply.json() : undefined))
    .then((demo) => {
      if (!demo || box.value !== '') return
      box.value = demo.apiKey
      take(demo.apiKey)
    })
    .catch(() => undefined)
}

/** Sends a sample from here. What changes something is sent with a key of the sandbox only. */
function offerTrying() {
  for (const place of document.querySelectorAll('[data-try]')) {
    const { method, path, body, needsToken } = JSON.parse(place.dataset.try)
    const address = element('input', { value: path, ariaLabel: 'Address', spellcheck: false })
    const text = element('textarea', { value: body ? JSON.stringify(body, null, 2) : '', ariaLabel: 'Body', rows: 8 })
    const answer = element('output', { ariaLabel: 'Answer' })
    const send = element('button', { type: 'button', textContent: 'Send' })
    send.addEventListener('click', async () => {
      if (method !== 'GET' && !token.value.startsWith('sk_test_')) {
        answer.textContent = 'Give a key that begins with sk_test_ first: changes are tried in the sandbox.'
        return
      }
      send.disabled = true
      try {
        const reply = await fetch(address.value, {
          method,
          headers: {
            ...(needsToken && token.value ? { authorization: `Bearer ${token.value}` } : {}),
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: text.value } : {}),
        })
        const said = await reply.text()
        let shown = said
        try {
          shown = JSON.stringify(JSON.parse(said), null, 2)
        } catch {}
        answer.textContent = `${reply.status}\n${shown}`
      } catch (error) {
        answer.textContent = `There was no answer: ${error.message}`
      } finally {
        send.disabled = false
      }
    })
    const summary = element('summary', { textContent: 'Try it' })
    place.append(element('details', { className: 'trying' }, summary, address, ...(body ? [text] : []), send, answer))
  }
}

const fill = fillIn()
filterAsYouType()
addCopyButtons()
switchLanguages()
takeToken(fill)
offerTrying()
