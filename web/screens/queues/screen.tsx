import { useParams } from '@tanstack/react-router'
import { memo, useEffect, useState, type ReactNode } from 'react'
import { isDenied } from '../../client/problem.ts'
import { useAddressText } from '../../frame/address.ts'
import { useCaller } from '../../frame/caller.tsx'
import { useAwake } from '../../frame/decisions.ts'
import { failureFacts } from '../../frame/failures.ts'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { useEmptyText } from '../../frame/screen-context.ts'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { workflowsTopic } from '../../live/topics.ts'
import { useLostAt, useRecords, useTopic } from '../../live/use-live.ts'
import { FilterField, NoMatch } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { movedIndex } from '../../parts/lists/roving.ts'
import { DeniedNotice, EmptyNotice, FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { ageText } from '../../parts/time/durations.ts'
import { KEYS } from './keys.ts'
import { QueueView } from './queue.tsx'
import styles from './queues.module.css'
import { countTexts, matchingQueues, queueRows, type QueueRow } from './rows.ts'
import { useQueues, type QueuesRead } from './use-queues.ts'

type Query = ReturnType<typeof useQueues>

/** Queues: their tasks, and those that failed for the last time. */
export default function QueuesScreen() {
  const { name } = useParams({ strict: false }) as { name?: string }
  const workflows = useRecords(useTopic(workflowsTopic).cache)
  const query = useQueues(workflows)
  const { data } = query
  const [filter, setFilter] = useAddressText('q')
  const rows = queueRows(data?.queues ?? [], workflows)
  const shown = matchingQueues(rows, filter)
  // Without a name, a new queue does not replace the one that was shown first.
  const [first, setFirst] = useState<string | null>(null)
  const wanted = name ?? first
  const row = rows.find(({ stats }) => stats.queue_name === wanted) ?? (name === undefined ? shown[0] : undefined)
  const isAwake = useAwake(row?.stats.queue_name ?? null)
  useEffect(() => {
    if (first === null && row) setFirst(row.stats.queue_name)
  }, [first, row])
  const go = useGo()
  const again = () => void query.refetch()
  const move = (key: string) => {
    const next = movedIndex(key, row ? shown.indexOf(row) : -1, shown.length)
    if (next !== null)
      go(pagePath('queues', shown[next]!.stats.queue_name), { replace: name !== undefined, keepSearch: true })
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.again, run: again },
    { ...KEYS.back, run: () => go('/queues', { keepSearch: true }) },
  ])
  return (
    <div className="two" data-open={name !== undefined}>
      <section className="list" aria-label="Queues">
        <ScreenHead title="Queues">
          <FilterField label="Filter queues" placeholder="name, workflow" value={filter} onChange={setFilter} />
        </ScreenHead>
        <States query={query}>
          {data && <ReadLine read={data} isReading={query.isFetching} onAgain={again} />}
          {shown.length === 0 && <NoMatch onClear={() => setFilter('')} />}
          <ul>
            {shown.map((each) => (
              <Entry key={each.stats.queue_name} row={each} isSelected={each === row} />
            ))}
          </ul>
        </States>
      </section>
      <article className="detail" aria-label="The selected queue">
        <PageLink path="/queues" className="back">
          ‹ Queues
        </PageLink>
        {row && data && (
          <QueueView key={row.stats.queue_name} row={row} readAt={data.at} isAwake={isAwake} onChange={again} />
        )}
        {!row && data && name !== undefined && <EmptyNotice what={`The queue ${name} has no tasks.`} />}
      </article>
    </div>
  )
}

/** The list, or its state without content. Known queues stay. */
function States({ query: { data, error, refetch }, children }: { query: Query; children: ReactNode }) {
  const caller = useCaller()
  const empty = useEmptyText()
  if (isDenied(error)) return <DeniedNotice {...caller} needs="the role viewer" detail={error.message} />
  return (
    <>
      {error && <FailureNotice facts={failureFacts(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && (data.queues.length === 0 ? <EmptyNotice {...empty} /> : children)}
    </>
  )
}

interface ReadLineProps {
  read: QueuesRead
  isReading: boolean
  onAgain(): void
}

function ReadLine({ read: { at }, isReading, onAgain }: ReadLineProps) {
  const isLost = useLostAt() !== null
  return (
    <p className={styles['read']}>
      <span className="soft fine">
        read <Age at={at} ago />
      </span>
      <span className="space" />
      <button type="button" className="btn plain small" disabled={isReading || isLost} onClick={onAgain}>
        Read again <kbd aria-hidden="true">{KEYS.again.keys}</kbd>
      </button>
    </p>
  )
}

const Entry = memo(function Entry({ row, isSelected }: { row: QueueRow; isSelected: boolean }) {
  const { stats, state, word, readers } = row
  const { queue_name, pending, oldest_pending_secs } = stats
  return (
    <li>
      <PageLink path={pagePath('queues', queue_name)} isCurrent={isSelected} className="entry">
        <Shape state={state} word={word} />
        <span className="cut">
          <b>{queue_name}</b>{' '}
          <span className="soft">
            {readers.length === 0 ? (
              'no reader'
            ) : (
              <>
                read by <Quoted text={readers.map(({ name }) => name).join(', ')} />
              </>
            )}
          </span>
        </span>
        <span className="soft num">{pending > 0 && `oldest ${ageText(oldest_pending_secs * 1000)}`}</span>
        <span className={`below num ${styles['counts']}`}>
          {countTexts(stats).map(({ status, text }) => (
            <span key={status} className={status === 'dead' && stats.dead > 0 ? 'c-fail' : undefined}>
              {text}
            </span>
          ))}
        </span>
      </PageLink>
    </li>
  )
})
