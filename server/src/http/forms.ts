/**
 * The forms of the API, one line each. To remove a form, delete its folder and its line.
 * Everybody else takes them from here with `import * as forms`.
 */
export { formA } from './form-a/index.ts'
export { formB } from './form-b/index.ts'
