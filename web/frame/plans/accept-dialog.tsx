import { useQuery } from '@tanstack/react-query'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Diff } from '../../parts/text/diff.tsx'
import { readPatch } from '../../parts/text/line-diff.ts'
import { Said } from '../../parts/text/quoted.tsx'
import { ReadFailure } from '../topic-states.tsx'

/** The change of the manifest that would accept the drift of a resource. The page does not write it. */
export function AcceptDialog({ kind, name, onClose }: { kind: string; name: string; onClose(): void }) {
  const { clients } = useLive()
  const { data, error, refetch } = useQuery({
    queryKey: ['accept', kind, name],
    queryFn: ({ signal }) => clients.controller.acceptDrift({ params: { kind, name }, signal }),
    gcTime: 0,
  })
  const files = data ? readPatch(data.diff) : null
  return (
    <Dialog title={`Accept ${kind}/${name} into its manifest`} onClose={onClose}>
      {error && <ReadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {files?.map(({ file, hunks }) => (
        <Diff key={file} file={file} hunks={hunks} />
      ))}
      {data && files === null && <Said by={data.file} text={data.diff} />}
      {data && (
        <p className="section">
          Write it with <code>svc drift accept {shellWord(`${kind}/${name}`)} --write</code>
          {data.redacted && '; secrets are redacted here'}
        </p>
      )}
      <p className="section">
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
