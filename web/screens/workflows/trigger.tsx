import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { useLive } from '../../live/use-live.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import { Next } from './next.tsx'
import { firingText, occasionText } from './rows.ts'
import { triggerFacts, triggerOf } from './trigger-facts.ts'

type Fact = [name: string, value: ReactNode]

interface TriggerPartProps {
  workflow: WorkflowRecord
  workflows: readonly WorkflowRecord[]
}

/** What fires the workflow, when it did and when it will. */
export function TriggerPart({ workflow, workflows }: TriggerPartProps) {
  const { id, next_fire_at, last_fired_at, last_error } = workflow
  const { type, queue_name: queue } = triggerOf(workflow)
  const laterTimes = useLaterTimes(workflow)
  const facts: Fact[] = [
    ['fires', type.replaceAll('_', ' ')],
    ...(typeof queue === 'string' ? [['queue', <QueueLink key="queue" name={queue} />] satisfies Fact] : []),
    ...(type === 'dispatch_result'
      ? [['after', <Source key="after" workflow={workflow} workflows={workflows} />] satisfies Fact]
      : []),
    ...(type === 'webhook' ? [['address', <code key="address">POST /webhooks/{id}</code>] satisfies Fact] : []),
    ...triggerFacts(workflow).map(([name, text]): Fact => [
      name,
      <Quoted key={name} text={text} mono={name === 'cron'} />,
    ]),
    [
      'next',
      next_fire_at === null ? (
        occasionText(workflow) || 'unknown'
      ) : (
        <NextTime key="next" at={next_fire_at} workflow={workflow} />
      ),
    ],
    ...(laterTimes.length > 0 ? [['then', laterTimes.join('; ')] satisfies Fact] : []),
    ['last', last_fired_at === null ? 'never fired' : <LastTime key="last" at={last_fired_at} />],
  ]
  return (
    <section className="section">
      <h2>Trigger</h2>
      {last_error !== null && (
        <p className="c-fail">
          <Quoted text={last_error} />
        </p>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Times of a schedule after the next one, in its time zone; none until they are read. */
function useLaterTimes(workflow: WorkflowRecord): string[] {
  const { id, enabled, next_fire_at, updated_at } = workflow
  const { type, timezone: zone } = triggerOf(workflow)
  const { orchestrator } = useLive().clients
  const { data } = useQuery({
    queryKey: ['schedule', id, updated_at, next_fire_at],
    queryFn: ({ signal }) => orchestrator.getSchedule({ params: { id }, signal }),
    enabled: enabled && type === 'cron',
  })
  const times = data?.next.slice(1) ?? []
  return times.map((at) => firingText(Date.parse(at), typeof zone === 'string' ? zone : undefined))
}

/** In the time zone of the trigger. */
function NextTime({ at, workflow }: { at: string; workflow: WorkflowRecord }) {
  const { timezone: zone } = triggerOf(workflow)
  return (
    <>
      <b className="num">{firingText(Date.parse(at), typeof zone === 'string' ? zone : undefined)}</b>, <Next at={at} />
    </>
  )
}

const QueueLink = ({ name }: { name: string }) => <PageLink path={pagePath('queues', name)}>{name}</PageLink>

const LastTime = ({ at }: { at: string }) => (
  <>
    <Moment at={at} />, <Age at={at} ago />
  </>
)

/** The workflow that a trigger follows, and the outcome that it waits for. */
function Source({ workflow, workflows }: TriggerPartProps) {
  const { source_workflow_id: source, status } = triggerOf(workflow)
  const outcome = typeof status === 'string' ? `, if ${status}` : ', after each end'
  if (typeof source !== 'string') return `any workflow${outcome}`
  const found = workflows.find(({ id }) => id === source)
  return (
    <>
      {found ? (
        <PageLink path={pagePath('workflows', source)}>
          <Quoted text={found.name} />
        </PageLink>
      ) : (
        <>
          a missing workflow, <ShortId id={source} />
        </>
      )}
      {outcome}
    </>
  )
}
