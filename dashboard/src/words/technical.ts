/** Parts of the API that a person cannot know: routes, headers, and names of fields, permissions and formats. */
export const technical =
  /\/[a-z]+\/v\d|\b(?:GET|POST|PUT|PATCH|DELETE) |\b[a-z]{2,}[A-Z]\w*|\b[a-z]+_[a-z_]+\b|\b(?:minor|major) units\b|E\.164|\b[Dd]etails (?:lists|names|gives)|listed in details|Retry-After|Idempotency|\bETag\b|\bJSON\b|\b[Hh]eaders?\b|\btoken\b|\bbearer\b|\bcapability\b|\bUUID\b|\bISO \d|\bNUL\b|\bJWE\b|\bBase64\b|query-status|`/
