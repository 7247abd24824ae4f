/** A secret record that only the country reads. The core stores it encrypted and gives it back unchanged. */
export type CountryRecord = Readonly<Record<string, string>>

/** How a business connects to its country's authority. `ReportingRules` covers its ids. */
export interface ConnectionRules {
  /** the consent text; another wording has another version */
  readonly consent: { readonly textVersion: string; readonly text: string }
  /** what a person enters to connect, for forms */
  readonly identifiers: readonly ConnectionField[]
  /** describes a service id, for error messages */
  readonly serviceIdForm: string
  /** the default template of document numbers */
  numberTemplateOf(serviceId: string): string
  /** the service id in an authority reference; `undefined` if the text is no reference */
  serviceIdOf(reference: string): string | undefined
  /** absent if the authority has no key files: then documents have no QR code */
  readonly keyFile?: KeyFileRules
}

/** A field of a connection. Its name is that of the API. */
export interface ConnectionField {
  readonly name: string
  readonly label: string
  readonly example: string
  /** what a person should know about it; null if the label says everything */
  readonly hint: string | null
}

/** The file from the authority with which a business stamps its documents. */
export interface KeyFileRules {
  /** as the authority calls the file */
  readonly fileName: string
  /** describes a key file, for error messages */
  readonly form: string
  /** in live mode, a business is connected only if it has a key file */
  readonly isRequired: boolean
  /** the content of the file; `undefined` if the text is none, or if its key cannot be used */
  read(text: string): CountryRecord | undefined
  /** tells key files apart without revealing their content */
  fingerprintOf(content: CountryRecord): string
  /** The text of the QR code. Each call gives another text: make it once, and store it with the document. */
  stampFor(reference: string, content: CountryRecord, at: Date): string
}
