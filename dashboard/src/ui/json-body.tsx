import './json-body.css'

export function JsonBody({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <pre className="json-body" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
