/**
 * The outside parties that modules call. A module adds its port here by declaration merging, next to the interface that it defines. A
 * composition root that forgets a port does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules
export interface Ports {}
