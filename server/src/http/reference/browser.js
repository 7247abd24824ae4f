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

/** Shows only the operations that contain all words, in the contents and on the page. */
function filterAsYouType() {
  const box = document.querySelector('#filter')
  const said = document.querySelector('#filtered')
  const introduction = document.querySelectorAll('.opening, .chapter')
  const groups = [...document.querySelectorAll('section.group')].map((section) => ({
    section,
    contents: document.querySelector(`nav [data-group="${section.id}"]`),
    operations: [...section.querySelectorAll('article.operation')].map((article) => ({
      article,
      link: document.querySelector(`nav a[href="#${article.id}"]`).parentElement,
    })),
  }))
  const all = groups.flatMap(({ operations }) => operations)
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const operation of all) {
      const { article, link } = operation
      // Read at the first search: the whole text is long.
      operation.text ??= `${article.id} ${article.querySelector('.told').textContent}`.toLowerCase()
      const holds = words.every((word) => operation.text.includes(word))
      article.hidden = !holds
      link.hidden = !holds
      if (holds) shown += 1
    }
    for (const { section, contents, operations } of groups) {
      section.hidden = operations.every(({ article }) => article.hidden)
      contents.hidden = section.hidden
    }
    // The results begin at the top.
    for (const part of introduction) part.hidden = words.length > 0
    said.textContent = words.length === 0 ? '' : `${shown} of ${all.length} operations`
  }
  box.addEventListener('input', () => {
    filter()
    scrollTo(0, 0)
  })
  // A link to a hidden operation shows that operation.
  const showTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1))
    if (!target?.closest('[hidden]')) return
    box.value = ''
    filter()
    target.scrollIntoView()
  }
  addEventListener('hashchange', showTarget)
  box.closest('[hidden]').hidden = false
  // After a step back, the browser restores the typed search.
  if (box.value !== '') filter()
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
    choice.addEventListener('click', ({ target }) => {
      const { chooses } = target.dataset
      if (!chooses) return
      // Samples above change their height too: the clicked one stays in place.
      const before = target.getBoundingClientRect().top
      choose(chooses)
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
filterAsYouType()
addCopyButtons()
switchLanguages()
takeToken(fill)
offerTrying()
