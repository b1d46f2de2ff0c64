import { useState } from 'react'
import { useLive } from '../live/use-live.ts'
import { curlOf } from '../parts/commands/curl.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Menu } from '../parts/forms/menu.tsx'
import { CompleteText } from '../parts/text/quoted.tsx'
import { failureFacts } from './failures.ts'

export interface NamedRequest {
  /** "Approve" */
  label: string
  method: string
  /** Below the API: `/orchestrator/agents`. */
  path: string
  body?: unknown
}

interface CurlMenuProps {
  requests: readonly NamedRequest[]
  /** Reads what is on screen as YAML. */
  yaml?: () => Promise<string>
}

interface Shown {
  title: string
  text: string
}

/** The menu of the key `x`: copies a request as a curl command, the shown object as YAML, or the address; and shows it. */
export function CurlMenu({ requests, yaml }: CurlMenuProps) {
  const { api } = useLive()
  const [shown, show] = useState<Shown | null>(null)
  const copy = (title: string, text: string) => {
    show({ title, text })
    // Refused without a secure context: the text is shown too.
    navigator.clipboard?.writeText(text).catch(() => undefined)
  }
  const copyYaml = () =>
    yaml?.().then(
      (text) => copy('As YAML', text),
      (error: unknown) => show({ title: 'As YAML', text: failureFacts(error).detail }),
    )
  return (
    <>
      <span className="space" />
      <Menu
        text="…"
        label="More"
        keys="x"
        items={[
          ...(yaml ? [{ label: 'As YAML', run: () => void copyYaml() }] : []),
          ...requests.map(({ label, method, path, body }) => ({
            label: `${label} as curl`,
            run: () => copy(`${label} as curl`, curlOf({ method, address: `${location.origin}${api}${path}`, body })),
          })),
          { label: 'Link', run: () => copy('Link', location.href) },
        ]}
      />
      {shown !== null && (
        <Dialog title={shown.title} onClose={() => show(null)}>
          <CompleteText label={shown.title} text={shown.text}>
            Copied to the clipboard if the browser allows it.
          </CompleteText>
          <p className="section">
            <button type="button" className="btn" onClick={() => show(null)}>
              Close
            </button>
          </p>
        </Dialog>
      )}
    </>
  )
}
