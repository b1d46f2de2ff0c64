import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Resource } from '../../../schemas/resource.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { driftTopic } from '../../live/topics.ts'
import { useFigure, useLive, useTopic } from '../../live/use-live.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { markOf } from '../../parts/states/sides.ts'
import { SidesMark } from '../../parts/states/mark.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import type { StateName } from '../../parts/states/states.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import { ResourceActions } from './actions.tsx'
import { Effect } from './effect.tsx'
import { Fields } from './field-table.tsx'
import { driftedFields } from './fields.ts'
import { History } from './history.tsx'
import { References } from './references.tsx'
import { driftMark, waitingText } from './rows.ts'
import styles from './state.module.css'

/** One resource: its fields on the three sides, what a change would do, and its history. */
export function ResourceView({ resource, isAwake }: { resource: Resource; isAwake: boolean }) {
  const { clients } = useLive()
  const { kind, name, id, desired_hash, states, waiting, suspended } = resource
  const drifts = useFigure(useTopic(driftTopic).cache, (records) => driftMark(records, resource))
  const { data, error, refetch } = useQuery({
    // Read again when the live record has changed in what the detail shows.
    queryKey: ['resource', id, desired_hash, states, waiting, suspended, resource.revision, drifts],
    queryFn: ({ signal }) => clients.controller.getResource({ params: { kind, name }, signal }),
    placeholderData: keepPreviousData,
  })
  const { words, tone } = markOf(resource.sides)
  const openDrift = data ? driftedFields(data) : 0
  return (
    <>
      <div className="pad">
        <div className="title">
          <h2 className={styles['heading']}>
            <Quoted text={id} />
          </h2>
          <SidesMark sides={resource.sides} />
          <span className={`c-${tone}`}>{words}</span>
        </div>
        <Conditions resource={resource} openDrift={openDrift} />
        {error && <ReadFailure error={error} onRetry={() => void refetch()} />}
        {data ? <Fields detail={data} /> : !error && <LoadingRows />}
        {data && openDrift > 0 && <Effect detail={data} />}
        {data && <References detail={data} />}
        {data && <History detail={data} />}
      </div>
      {data && <ResourceActions detail={data} isAwake={isAwake} />}
    </>
  )
}

/** Ready, and the conditions that are not as they should be. */
function Conditions({ resource, openDrift }: { resource: Resource; openDrift: number }) {
  const { file, line, contested, suspended, waiting } = resource
  const conditions = resource.conditions.filter(
    ({ type, status }) => type === 'Ready' || (!isGood(type, status) && !SHOWN_BY_RECORD.has(type)),
  )
  return (
    <>
      <p className={styles['conditions']}>
        {conditions.map(({ type, status, observed_at }) => (
          <span key={type}>
            <Shape state={conditionState(type, status)} word={null} /> {type}
            {status !== 'True' && ` ${status}`}
            {type === 'Drifted' && openDrift > 0 && `, ${openDrift} ${openDrift === 1 ? 'field' : 'fields'}`},{' '}
            <Age at={observed_at} ago />
          </span>
        ))}
        {waiting !== null && (
          <span>
            <Shape state="pending" word={null} /> {waiting.action} {waitingText(waiting)}
            {waiting.until !== null && (
              <>
                , then made at <Moment at={waiting.until} />
              </>
            )}
          </span>
        )}
        {suspended !== null && (
          <span>
            <Shape state="suspended" word={null} /> suspended by <Quoted text={suspended.actor} />,{' '}
            <Age at={suspended.since} ago />
          </span>
        )}
        {contested !== null && (
          <span>
            <Shape state="drifted" word={null} /> contested by <Quoted text={contested.actors.join(', ')} />
          </span>
        )}
        <span className="soft">
          <Quoted text={`${file}:${line}`} mono />
        </span>
      </p>
      {conditions
        .filter(
          ({ type, status, message }) =>
            message !== '' && !isGood(type, status) && type !== 'Drifted' && !SHOWN_BY_RECORD.has(type),
        )
        .map(({ type, message }) => (
          <p key={type} className="soft">
            {type}: <Quoted text={message} />
          </p>
        ))}
    </>
  )
}

/** The record itself has more about them. */
const SHOWN_BY_RECORD: ReadonlySet<string> = new Set(['Suspended', 'Contested'])
/** Conditions that are good news when they are False. */
const BAD_IF_TRUE: ReadonlySet<string> = new Set(['Drifted', 'Contested', 'Stalled', 'Suspended', 'Reconciling'])
const isGood = (type: string, status: string) => status !== 'Unknown' && (status === 'True') !== BAD_IF_TRUE.has(type)

function conditionState(type: string, status: string): StateName {
  if (status === 'Unknown') return 'unknown'
  if (isGood(type, status)) return 'ready'
  return ODD_CONDITIONS[type] ?? 'warning'
}

const ODD_CONDITIONS: Readonly<Record<string, StateName>> = {
  Ready: 'failed',
  Drifted: 'drifted',
  Contested: 'drifted',
  Reconciling: 'busy',
  Suspended: 'suspended',
}
