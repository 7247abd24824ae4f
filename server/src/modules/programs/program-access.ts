/** What signing in and confirming need of programs. */
export { endProgramsOf } from './end-program.ts'
export { kindOfResource, programSubject } from './program.ts'
export { findProgramPrincipal } from './programs.store.ts'
export { findShownProgram } from './read-programs.ts'
export { countSpending, forecastSpending } from './spending.ts'
