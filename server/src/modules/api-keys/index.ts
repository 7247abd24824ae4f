export { findUsableKey, findUsableKeyByHash, type KeyPrincipal } from './api-keys.store.ts'
export { hashOfKey, isKeyText } from './key-text.ts'
export { mintKey } from './mint-key.ts'
export { type PresetName, presets } from './presets.ts'
