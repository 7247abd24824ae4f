import type { Logo, Organization } from '@risiti/sdk'
import { useId } from 'react'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { Button, Notice, Panel } from '../../../ui/index.ts'
import { useChange } from './use-change.ts'
import './logo-panel.css'

async function logoOf(file: File): Promise<Logo> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return { contentType: file.type as Logo['contentType'], base64 }
}

export function LogoPanel({ organisation }: { readonly organisation: Organization }) {
  const mayChange = useMay('organization.update')
  const id = useId()
  const saving = useChange()
  const { logo, name, address, contactEmail, website } = organisation
  const fault = Object.values(faultsOf(saving.error))[0] ?? (saving.isError ? wordsOf(saving.error) : undefined)
  return (
    <Panel title="Letterhead" about="The top of your documents looks like this.">
      <div className="letterhead">
        {logo && <img src={`data:${logo.contentType};base64,${logo.base64}`} alt={`Logo of ${name}`} />}
        <div>
          <strong>{name}</strong>
          {address && <p>{[address.line1, address.line2, address.city, address.state].filter(Boolean).join(', ')}</p>}
          <p>{[contactEmail, website].filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      {fault && <Notice tone="bad">{fault}</Notice>}
      {mayChange && (
        <div className="letterhead-change">
          <label htmlFor={id}>{logo ? 'New logo file' : 'Logo file'}</label>
          <input
            id={id}
            type="file"
            accept="image/png,image/jpeg"
            aria-describedby={`${id}-about`}
            onChange={async ({ target }) => {
              const [file] = target.files ?? []
              if (file) saving.mutate({ logo: await logoOf(file) })
              target.value = ''
            }}
          />
          <p id={`${id}-about`} className="field-hint">
            PNG or JPEG, at most 200 kB.
          </p>
          {logo && (
            <Button busy={saving.isPending} onClick={() => saving.mutate({ logo: null })}>
              Remove the logo
            </Button>
          )}
        </div>
      )}
    </Panel>
  )
}
