import { useEffect, useState } from 'react'
import { useLive } from '../live/use-live.ts'
import { curlOf } from '../parts/commands/curl.ts'
import { useCopying } from '../parts/forms/copying.tsx'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Menu } from '../parts/forms/menu.tsx'
import { CompleteText } from '../parts/text/quoted.tsx'
import { FailureNotice } from '../parts/states/notices.tsx'
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

type Shown = { title: string; text: string } | { title: string; error: unknown }

/** The menu of the key `x`: copies a request as a curl command, the shown object as YAML, or the address; and shows it. */
export function CurlMenu({ requests, yaml }: CurlMenuProps) {
  const { api } = useLive()
  const [shown, show] = useState<Shown | null>(null)
  const title = 'As YAML'
  const copyYaml = () =>
    yaml?.().then(
      (text) => show({ title, text }),
      (error: unknown) => show({ title, error }),
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
            run: () =>
              show({
                title: `${label} as curl`,
                text: curlOf({ method, address: `${location.origin}${api}${path}`, body }),
              }),
          })),
          { label: 'Link', run: () => show({ title: 'Link', text: location.href }) },
        ]}
      />
      {shown !== null && (
        <Dialog title={shown.title} onClose={() => show(null)}>
          {'error' in shown ? (
            <FailureNotice facts={failureFacts(shown.error)} />
          ) : (
            <Copied label={shown.title} text={shown.text} />
          )}
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

/** A text that is copied when it appears. */
function Copied({ label, text }: { label: string; text: string }) {
  const { shown, note, copy } = useCopying<HTMLDivElement>(text)
  useEffect(() => void copy(), [])
  return (
    <>
      <CompleteText ref={shown} label={label} text={text} />
      <p role="status">{note}</p>
    </>
  )
}
