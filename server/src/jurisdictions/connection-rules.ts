/** How a business is connected to its country's authority, beside what `ReportingRules` says of its ids and its key file. */
export interface ConnectionRules {
  /** what is agreed to; another wording has another version */
  readonly consent: { readonly textVersion: string; readonly text: string }
  /** what a service id looks like, in words for those who got it wrong */
  readonly serviceIdForm: string
  /** what a key file has to hold, likewise */
  readonly keyFileForm: string
  /** the template of document numbers of those who name none */
  numberTemplateOf(serviceId: string): string
  /** the service id in the authority's number of a document; nothing where the text is no such number */
  serviceIdOf(reference: string): string | undefined
  /** a business that reports for real is connected only when it has one */
  readonly needsKeyFile: boolean
}
