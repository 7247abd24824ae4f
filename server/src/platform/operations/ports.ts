/**
 * The outside parties that modules speak to. A module that needs one adds it here by declaration merging, next to the
 * interface it defines for it; a composition root that forgets to hand one in does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules
export interface Ports {}
