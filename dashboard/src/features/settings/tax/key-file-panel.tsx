import type { TaxConnection } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { Facts } from '../../../ui/facts.tsx'
import { momentText, Notice, Panel } from '../../../ui/index.ts'
import { canSeal, sealKeyFile } from './seal-key-file.ts'

/** Larger than any authority key file, so that a wrong file is noticed here. */
const mostBytes = 8_192

class NotAKeyFile extends Error {}

/** The browser encrypts the authority key file before the upload. */
export function KeyFilePanel({
  connection: { keyFile },
  onChanged,
}: {
  readonly connection: TaxConnection
  readonly onChanged: (now: TaxConnection) => Promise<void>
}) {
  const id = useId()
  const { keyFileName } = useCountry()
  const storing = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > mostBytes)
        throw new NotAKeyFile(`This file is too large to be a key file. Choose the file ${keyFileName}.`)
      const [key, bytes] = [await risiti.taxConnection.getTransportKey(), new Uint8Array(await file.arrayBuffer())]
      return await risiti.taxConnection.storeKeyFile({ envelope: await sealKeyFile(key, bytes) })
    },
    onSuccess: onChanged,
  })
  const { error } = storing
  const fault = error && (error instanceof NotAKeyFile ? error.message : faultsOf(error).envelope)
  return (
    <Panel
      title="Key file"
      about={`Download the key file (${keyFileName}) from the authority’s dashboard. Risiti uses the file to make the QR code on your invoices. Your browser encrypts the file before it uploads the file.`}
    >
      {error && <Notice tone="bad">{fault ?? wordsOf(error)}</Notice>}
      {storing.isSuccess && <Notice tone="good">The key file is stored, encrypted.</Notice>}
      {keyFile && (
        <Facts
          facts={[
            ['Stored', momentText(keyFile.storedAt)],
            ['Fingerprint', <code key="print">{keyFile.fingerprint.slice(0, 16)}</code>],
          ]}
        />
      )}
      {canSeal() ? (
        <div className="tax-file">
          <label htmlFor={id}>{keyFile ? 'Replace the key file' : 'Key file'}</label>
          <input
            id={id}
            type="file"
            accept=".txt,.json,.pem,text/plain,application/json"
            disabled={storing.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) storing.mutate(file)
              target.value = ''
            }}
          />
          {storing.isPending && <p role="status">Encrypting and sending …</p>}
        </div>
      ) : (
        <Notice tone="warn">
          Your browser encrypts files only on https pages. Open this page with its https address.
        </Notice>
      )}
    </Panel>
  )
}
