/** How a business connects to its country's authority. `ReportingRules` covers its ids and its key file. */
export interface ConnectionRules {
  /** the consent text; another wording has another version */
  readonly consent: { readonly textVersion: string; readonly text: string }
  /** describes a service id, for error messages */
  readonly serviceIdForm: string
  /** describes a key file, for error messages */
  readonly keyFileForm: string
  /** the default template of document numbers */
  numberTemplateOf(serviceId: string): string
  /** the service id in an authority reference; `undefined` if the text is no reference */
  serviceIdOf(reference: string): string | undefined
  /** in live mode, a business is connected only if it has a key file */
  readonly needsKeyFile: boolean
}
