import type { QueueTask } from '../../../schemas/queue.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { QueueActions } from './actions.tsx'
import styles from './queues.module.css'
import { countTexts, type QueueRow, type Reader } from './rows.ts'
import { TaskSection } from './tasks.tsx'

interface QueueViewProps {
  row: QueueRow
  /** Daemon time at which the counts were read. */
  readAt: string
  /** False just after the queue has replaced another one on screen. */
  isAwake: boolean
  /** Reads the queues again. */
  onChange(): void
}

const SECTIONS: readonly { status: QueueTask['status']; title: string }[] = [
  { status: 'dead', title: 'Dead letters' },
  { status: 'processing', title: 'Processing' },
  { status: 'pending', title: 'Pending, in the order they go out' },
  { status: 'completed', title: 'Completed in the last seven days' },
]

/** One queue: its tasks by status, dead ones first. */
export function QueueView({ row, readAt, isAwake, onChange }: QueueViewProps) {
  const { stats, state, word, readers } = row
  const shown = SECTIONS.filter(({ status }) => stats[status] > 0)
  return (
    <>
      <div className="pad">
        <div className="title">
          <h2 className={styles['heading']}>{stats.queue_name}</h2>
          {countTexts(stats, []).map(({ status, text }) => (
            <span key={status} className="tag">
              {text}
            </span>
          ))}
        </div>
        <p className={styles['summary']}>
          <StateWord state={state} word={word} />
          {readers.length === 0 && <span>no workflow takes its tasks</span>}
          {readers.map((reader) => (
            <ReaderText key={reader.id} reader={reader} />
          ))}
        </p>
        {shown.map(({ status, title }) => (
          <TaskSection
            key={status}
            queue={stats.queue_name}
            status={status}
            title={title}
            mark={`${stats[status]} ${readAt}`}
            onChange={onChange}
          />
        ))}
      </div>
      <QueueActions stats={stats} isAwake={isAwake} onChange={onChange} />
    </>
  )
}

function ReaderText({ reader: { id, name, enabled, last_fired_at } }: { reader: Reader }) {
  return (
    <span className="soft">
      read by workflow{' '}
      <PageLink path={pagePath('workflows', id)}>
        <Quoted text={name} />
      </PageLink>
      {enabled ? '' : ', disabled'}
      {last_fired_at !== null && (
        <>
          , last task taken <Age at={last_fired_at} ago />
        </>
      )}
    </span>
  )
}
