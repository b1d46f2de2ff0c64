import { useState } from 'react'
import type { Drift } from '../../../schemas/resource.ts'
import { useMayAct } from '../../frame/decisions.ts'
import { AcceptDialog } from '../../frame/plans/accept-dialog.tsx'
import { RevertDialog } from '../../frame/plans/revert-dialog.tsx'
import { driftTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Value } from '../../parts/text/value.tsx'
import { Age } from '../../parts/time/age.tsx'

interface DriftFieldsProps {
  kind: string
  name: string
  isAwake: boolean
}

/** The drifted fields of a resource, each with its values, its last writer and what a person can do. */
export function DriftFields({ kind, name, isAwake }: DriftFieldsProps) {
  const records = useRecords(useTopic(driftTopic).cache)
  const [reverting, setReverting] = useState<Drift | null>(null)
  const [isAccepting, setAccepting] = useState(false)
  const mayApply = useMayAct('apply')
  const open = records.filter((each) => each.kind === kind && each.name === name && each.resolution === null)
  if (open.length === 0) return null
  return (
    <div className="section">
      <table className="table">
        <caption className="hide">Fields whose live value differs from the last applied value</caption>
        <thead>
          <tr>
            {['field', 'last applied', 'live', 'by', 'action'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {open.map((drift) => (
            <Field key={drift.id} drift={drift} isReady={isAwake && mayApply} onRevert={() => setReverting(drift)} />
          ))}
        </tbody>
      </table>
      <p className="section">
        <button type="button" className="btn" disabled={!isAwake} onClick={() => setAccepting(true)}>
          Accept into the manifest…
        </button>
      </p>
      {reverting && <RevertDialog records={[reverting]} onClose={() => setReverting(null)} />}
      {isAccepting && <AcceptDialog kind={kind} name={name} onClose={() => setAccepting(false)} />}
    </div>
  )
}

function Field({ drift, isReady, onRevert }: { drift: Drift; isReady: boolean; onRevert(): void }) {
  const { path, last_applied, live, actor, endpoint, first_seen } = drift
  return (
    <tr>
      <th scope="row" className="mono">
        {path === '' ? 'missing' : <Quoted text={path} />}
      </th>
      <td>
        <Value value={last_applied} short />
      </td>
      <td>
        <Value value={live} short />
      </td>
      <td>
        <Quoted text={actor ?? 'unknown'} />
        {endpoint !== null && (
          <>
            , <Quoted text={endpoint} mono />
          </>
        )}
        , <Age at={first_seen} ago />
      </td>
      <td>
        <button type="button" className="btn small" disabled={!isReady} onClick={onRevert}>
          Revert…
        </button>
      </td>
    </tr>
  )
}
