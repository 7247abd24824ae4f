import { recall, remember } from '../ui/browser-memory.ts'
import { isInRow, moveInList, openRow } from './list-keys.ts'
import { type Page, pages } from './pages.ts'

const memoryKey = 'risiti-shortcuts'

/**
 * Shortcuts are single keys, because most combinations belong to the browser. People who use voice input can switch them
 * off.
 */
export const areShortcutsOn = (): boolean => recall(memoryKey) !== 'off'

export const switchShortcuts = (on: boolean): void => remember(memoryKey, on ? 'on' : 'off')

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|select|textarea)$/i.test(target.tagName))

const isPopupOpen = (): boolean =>
  document.querySelector('[role=dialog]:not([popover]), [role=menu], :popover-open') !== null

/** Ctrl K or ⌘ K, as in many programs. It works in fields too, and cannot be switched off. */
const isFindKey = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey && !repeat

/** Time limit for the second key. */
const pairMs = 1_500

export interface ShortcutActs {
  readonly find: () => void
  readonly help: () => void
  readonly create: () => void
  readonly go: (to: Page['to']) => void
}

/** Listens on the whole page, but ignores keys in fields and popups. */
export function listenForShortcuts(acts: ShortcutActs): () => void {
  let pairedAt = Number.NEGATIVE_INFINITY
  function onKey(event: KeyboardEvent): void {
    if (isFindKey(event)) {
      if (isPopupOpen()) return
      acts.find()
      event.preventDefault()
      return
    }
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
    // A held key runs through a list, and does nothing else twice.
    if (event.repeat && event.key !== 'j' && event.key !== 'k') return
    if (!areShortcutsOn() || isTyping(event.target) || isPopupOpen()) return
    const isPaired = performance.now() - pairedAt < pairMs
    pairedAt = Number.NEGATIVE_INFINITY
    const to = isPaired ? pages.find(({ key }) => key === event.key)?.to : undefined
    if (to) acts.go(to)
    else if (event.key === 'g') pairedAt = performance.now()
    else if (event.key === 'j') moveInList(1)
    else if (event.key === 'k' && isInRow()) moveInList(-1)
    else if (event.key === 'k') acts.find()
    else if (event.key === 'Enter') {
      if (!openRow()) return
    } else if (event.key === 'n') acts.create()
    else if (event.key === '?') acts.help()
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
