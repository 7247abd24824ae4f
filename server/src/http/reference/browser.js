// Interactive parts of the reference page. The page is complete without this script.
const token = { value: '' }

function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.includes('-') || attribute === 'role') made.setAttribute(attribute, value)
    else made[attribute] = value
  }
  made.append(...children)
  return made
}

const mostFound = 40
let reading
/** All operations and events, read at the first search. */
const readIndex = (address) => {
  reading ??= fetch(address).then((reply) => reply.json())
  return reading
}

/** Lists the operations and events that contain all words. */
function searchAsYouType() {
  const box = document.querySelector('#filter')
  if (!box) return
  const said = document.querySelector('#filtered')
  const list = document.querySelector('#found')
  const search = async () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
    const all = words.length === 0 ? [] : await readIndex(box.dataset.index)
    const found = all.filter((one) => words.every((word) => one.words.includes(word)))
    list.replaceChildren(
      ...found
        .slice(0, mostFound)
        .map(({ href, title }) => element('li', {}, element('a', { href, textContent: title }))),
    )
    said.textContent = words.length === 0 ? '' : `${found.length} of ${all.length} operations and events`
  }
  box.addEventListener('input', search)
  box.closest('[hidden]').hidden = false
  // After a step back, the browser restores the typed search.
  if (box.value !== '') search()
}

/** All operations were on one page once: an old link leads to the page of its operation. */
async function followOldLink() {
  const box = document.querySelector('#filter')
  const id = decodeURIComponent(location.hash.slice(1))
  if (!box || id === '' || document.getElementById(id)) return
  const found = (await readIndex(box.dataset.index)).find((one) => one.id === id)
  if (found) location.replace(found.href)
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Without https a page cannot write to the clipboard, but it can copy a selection.
    const box = element('textarea', { value: text, 'aria-hidden': 'true' })
    document.body.append(box)
    box.select()
    document.execCommand('copy')
    box.remove()
  }
}

function addCopyButtons() {
  for (const shown of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await copy(shown.textContent)
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

/** One language for all samples, also on the next pages. */
function switchLanguages() {
  const choose = (language) => {
    for (const sample of document.querySelectorAll('[data-language]'))
      sample.hidden = sample.dataset.language !== language
    for (const button of document.querySelectorAll('button[data-chooses]'))
      button.setAttribute('aria-pressed', String(button.dataset.chooses === language))
  }
  const remembered = sessionStorage.getItem('language')
  if (remembered && document.querySelector(`[data-language="${CSS.escape(remembered)}"]`)) choose(remembered)
  for (const choice of document.querySelectorAll('.languages')) {
    choice.hidden = false
    choice.addEventListener('click', ({ target }) => {
      const { chooses } = target.dataset
      if (!chooses) return
      // Samples above change their height too: the clicked one stays in place.
      const before = target.getBoundingClientRect().top
      choose(chooses)
      sessionStorage.setItem('language', chooses)
      scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    })
  }
}

/** Samples contain the address of this server and a key, if one is known. */
function fillIn() {
  const texts = [...document.querySelectorAll('pre code, [data-fill]')]
    .map((shown) => ({ shown, text: shown.textContent, language: shown.closest('[data-language]')?.dataset.language }))
    .filter(({ text }) => text.includes('$RISITI_'))
  const fill = () => {
    for (const { shown, text, language = 'curl' } of texts)
      shown.textContent = text
        .replaceAll('$RISITI_URL', location.origin)
        // A shell has variables; other languages show the shape of a key.
        .replaceAll('$RISITI_TOKEN', token.value || (language === 'curl' ? '$RISITI_TOKEN' : 'sk_test_…'))
  }
  fill()
  return fill
}

function takeToken(fill) {
  const box = document.querySelector('#token')
  if (!box) return
  box.closest('[hidden]').hidden = false
  const take = (value) => {
    token.value = value.trim()
    fill()
  }
  box.addEventListener('input', () => take(box.value))
  if (box.value !== '') take(box.value)
  // Only a playground has this page.
  fetch('/dev/demo-key')
    .then((reply) => (reply.ok ? reply.json() : undefined))
    .then((demo) => {
      if (!demo || box.value !== '') return
      box.value = demo.apiKey
      take(demo.apiKey)
    })
    .catch(() => undefined)
}

async function told(reply) {
  const type = reply.headers.get('content-type') ?? ''
  if (!/json|text|xml/.test(type)) return `${(await reply.blob()).size} bytes of ${type || 'nothing'}`
  const text = await reply.text()
  return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
}

/** Sends a sample. Changes are sent with a sandbox key only. */
function offerTrying() {
  for (const place of document.querySelectorAll('[data-try]')) {
    const { method, path, body, needsToken } = JSON.parse(place.dataset.try)
    const address = element('input', { value: path, 'aria-label': 'Address', spellcheck: false })
    const text = element('textarea', {
      value: body ? JSON.stringify(body, null, 2) : '',
      'aria-label': 'Body',
      rows: 8,
      spellcheck: false,
    })
    const said = element('p', { role: 'status', className: 'said' })
    const answer = element('pre', { className: 'tall', tabIndex: 0, hidden: true, 'aria-label': 'Answer' })
    const send = element('button', { type: 'button', textContent: 'Send' })
    send.addEventListener('click', async () => {
      answer.hidden = true
      if (method !== 'GET' && !token.value.startsWith('sk_test_')) {
        said.textContent = 'Give a key that begins with sk_test_ first: changes are tried in the sandbox.'
        return
      }
      send.disabled = true
      try {
        const reply = await fetch(address.value, {
          method,
          // The sample uses the rights of the key, not of the signed-in person.
          credentials: 'omit',
          headers: {
            ...(needsToken && token.value ? { authorization: `Bearer ${token.value}` } : {}),
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: text.value } : {}),
        })
        said.textContent = `${reply.status} ${reply.statusText}`
        answer.textContent = await told(reply)
        answer.hidden = false
      } catch (error) {
        said.textContent = `There was no answer: ${error.message}`
      } finally {
        send.disabled = false
      }
    })
    const summary = element('summary', { textContent: 'Try it' })
    place.append(
      element('details', { className: 'trying' }, summary, address, ...(body ? [text] : []), send, said, answer),
    )
  }
}

const fill = fillIn()
searchAsYouType()
followOldLink()
addCopyButtons()
switchLanguages()
takeToken(fill)
offerTrying()
