import type { RefusalName } from '../../kernel/refusals.ts'
import type { Who } from '../definitions/route-definition.ts'

/** JSON Schema 2020-12, as far as our schemas and documents use it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  /** optional unless true */
  readonly required?: true
  readonly description?: string
  readonly schema: JsonSchema
}

/** A reference to another place in the document. */
export interface Reference {
  readonly $ref: string
}

interface Medium {
  readonly schema: JsonSchema
  readonly example?: unknown
  /** a parameter that several operations share */
  readonly examples?: { readonly shared: Reference | { readonly value: unknown } }
}

export interface Content {
  readonly 'application/json': Medium
  readonly [media: string]: Medium
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
  readonly 'x-risiti-reasons'?: readonly RefusalName[]
}

export interface Access {
  readonly who: Who
  readonly capabilities: readonly string[]
  /** the capabilities depend on the request */
  readonly dependsOnRequest?: boolean
  readonly unverified?: boolean
  /** only in live mode */
  readonly liveOnly?: boolean
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** empty for routes without a token; otherwise that of the document */
  readonly security?: readonly []
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly 'x-risiti-access': Access
}

export interface DocumentedWebhook {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody: {
    readonly required: true
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema; readonly example: object } }
  }
  readonly responses: Readonly<Record<string, Reference>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly url: string }
  }
  readonly servers: readonly { readonly url: string; readonly 'x-internal': boolean }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  /** requests to receivers */
  readonly webhooks?: Readonly<Record<string, { readonly post: DocumentedWebhook }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}
