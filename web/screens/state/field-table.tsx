import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Blame } from '../../../schemas/operations/gitops/blame.ts'
import type { Drift, ResourceDetail } from '../../../schemas/resource.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { useLive } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { Value } from '../../parts/text/value.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import { absentSides, driftOf, fieldRows, oddFields, placeOf, type FieldRow } from './fields.ts'
import { lastRun } from './history-rows.ts'
import { KEYS } from './keys.ts'
import styles from './state.module.css'

/** Fields of the three sides: those that differ, and on request the others. */
export function Fields({ detail }: { detail: ResourceDetail }) {
  const { controller } = useLive().clients
  const { kind, name, id, desired_hash } = detail
  const [showEqual, setShowEqual] = useState(false)
  const { odd, equal } = oddFields(fieldRows(detail))
  const rows = showEqual ? [...odd, ...equal] : odd
  const { data: blame } = useQuery({
    queryKey: ['blame', id, desired_hash],
    queryFn: ({ signal }) => controller.blameResource({ params: { kind, name }, signal }),
    enabled: rows.length > 0,
  })
  useKeys([{ ...KEYS.equal, run: () => setShowEqual((shown) => !shown) }])
  return (
    <>
      {rows.length > 0 && (
        <table className={`table ${styles['sides']}`}>
          <caption className="hide">Desired, last applied and live state of {id}</caption>
          <Head detail={detail} />
          <tbody>
            {rows.map((row) => (
              <Field key={row.path} row={row} detail={detail} blame={blame ?? null} />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles['same']}>
        <button type="button" className="btn link" aria-expanded={showEqual} onClick={() => setShowEqual(!showEqual)}>
          {showEqual ? '▾' : '▸'} {equal.length} fields in sync
        </button>{' '}
        <kbd aria-hidden="true">{KEYS.equal.keys}</kbd>
      </p>
    </>
  )
}

function Head({ detail }: { detail: ResourceDetail }) {
  const { desired, last_applied, live } = detail.times
  const run = lastRun(detail)
  return (
    <thead>
      <tr>
        <th scope="col">field</th>
        <th scope="col">
          desired <br />
          {desired.revision !== null && <code>{desired.revision.slice(0, 7)}</code>}
          {desired.at !== null && (
            <>
              , read <Age at={desired.at} ago />
            </>
          )}
        </th>
        <th scope="col">
          last applied <br />
          {last_applied.at === null ? 'unknown' : <Moment at={last_applied.at} />}
          {run !== null && (
            <>
              , <PageLink path={pagePath('runs', run)}>run {run.slice(0, 8)}</PageLink>
            </>
          )}
        </th>
        <th scope="col">
          live <br />
          {live.at === null ? (
            'not seen yet'
          ) : (
            <>
              seen <Age at={live.at} ago />
            </>
          )}
        </th>
      </tr>
    </thead>
  )
}

function Field({ row, detail, blame }: { row: FieldRow; detail: ResourceDetail; blame: Blame | null }) {
  const drift = row.isDrifted ? driftOf(row.path, detail) : undefined
  const place = blame && placeOf(row.path, blame)
  const absent = absentSides(detail)
  return (
    <tr>
      <td>
        <Quoted text={row.path} mono />
      </td>
      <td data-side="desired" className={row.isChanged ? styles['changed'] : undefined}>
        <Value value={row.desired} absent={absent.desired} />
        {place && (
          <small>
            <Quoted text={place} />
          </small>
        )}
      </td>
      <td data-side="last applied">
        <Value value={row.applied} absent={absent.applied} />
      </td>
      <td data-side="live" className={row.isDrifted ? styles['drifted'] : undefined}>
        <Value value={row.live} absent={absent.live} />
        {drift && (
          <small>
            <Writer drift={drift} />
          </small>
        )}
      </td>
    </tr>
  )
}

function Writer({ drift: { actor, first_seen, endpoint, request_id } }: { drift: Drift }) {
  return (
    <>
      <Quoted text={actor ?? 'unknown'} />, <Moment at={first_seen} />
      {endpoint !== null && (
        <>
          , <Quoted text={endpoint} mono />
        </>
      )}
      {request_id !== null && (
        <>
          , request <ShortId id={request_id} />
        </>
      )}
    </>
  )
}
