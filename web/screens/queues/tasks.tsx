import type { QueueTask } from '../../../schemas/queue.ts'
import type { Clients } from '../../client/clients.ts'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { failureFacts } from '../../frame/failures.ts'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { usePages } from '../../live/use-pages.ts'
import { FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import type { StateName } from '../../parts/states/states.ts'
import { Quoted, Said } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { Age } from '../../parts/time/age.tsx'
import styles from './queues.module.css'
import { attemptText } from './rows.ts'

const LOOKS: Record<QueueTask['status'], { state: StateName; word: string }> = {
  pending: { state: 'pending', word: 'pending' },
  processing: { state: 'busy', word: 'processing' },
  completed: { state: 'done', word: 'completed' },
  dead: { state: 'failed', word: 'dead' },
}

interface PartRequest {
  query: { after: string; limit: number }
  signal: AbortSignal
}

/** Tasks with a status. Pending ones come in the order they go out, by their place; the others newest first. */
async function listTasks(
  { orchestrator }: Clients,
  name: string,
  status: QueueTask['status'],
  { query: { after, limit }, signal }: PartRequest,
) {
  const params = { name }
  if (status !== 'pending') return orchestrator.listQueueTasks({ params, query: { after, limit, status }, signal })
  const { items, total } = await orchestrator.peekQueue({ params, query: { limit, offset: Number(after) }, signal })
  const end = Number(after) + items.length
  return { items, next: items.length > 0 && end < total ? end.toString() : null, previous: null }
}

interface TaskSectionProps {
  queue: string
  status: QueueTask['status']
  title: string
  /** Changes with the tasks. */
  mark: string
  /** Reads the queues again. */
  onChange(): void
}

/** Tasks with one status, more on request. */
export function TaskSection({ queue, status, title, mark, onChange }: TaskSectionProps) {
  const { clients } = useLive()
  const { items, error, hasMore, isReading, readMore, readAgain } = usePages(
    ['queue-tasks', queue, status],
    (request) => listTasks(clients, queue, status, request),
    mark,
    (task) => task.status === 'processing',
  )
  return (
    <section className="section">
      <h2>{title}</h2>
      {error !== null && <FailureNotice facts={failureFacts(error)} onRetry={readAgain} />}
      {items === null && error === null && <LoadingRows count={2} />}
      {items !== null && items.length > 0 && <Tasks title={title} tasks={items} onChange={onChange} />}
      {hasMore && (
        <button type="button" className="btn small" disabled={isReading} onClick={readMore}>
          Show more
        </button>
      )}
    </section>
  )
}

interface TasksProps extends Pick<TaskSectionProps, 'title' | 'onChange'> {
  tasks: readonly QueueTask[]
}

function Tasks({ title, tasks, onChange }: TasksProps) {
  return (
    <table className={`table ${styles['tasks']}`}>
      <caption className="hide">{title}</caption>
      <thead>
        <tr>
          <th scope="col">state</th>
          <th scope="col">task</th>
          <th scope="col">attempts</th>
          <th scope="col" className="end">
            priority
          </th>
          <th scope="col" className="end">
            age
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <Row key={task.id} task={task} onChange={onChange} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ task, onChange }: { task: QueueTask; onChange(): void }) {
  const { id, status, title, body, priority, error, created_at } = task
  return (
    <tr>
      <td>
        <StateWord {...LOOKS[status]} />
      </td>
      <td>
        <div className="said">
          <Quoted text={title} />
        </div>
        {body === '' ? (
          <span className="soft fine">
            <ShortId id={id} />
          </span>
        ) : (
          <details>
            <summary className="soft fine">
              <ShortId id={id} />, with a body
            </summary>
            <Said by="body" text={body} />
          </details>
        )}
      </td>
      <td>
        {attemptText(task)}
        {error !== null && (
          <p className={status === 'dead' ? 'c-fail' : 'soft fine'}>
            {status === 'dead' ? '' : 'before: '}
            <Quoted text={error} />
          </p>
        )}
        {status === 'dead' && <Redrive task={task} onChange={onChange} />}
      </td>
      <td className="end num">{priority}</td>
      <td className="end soft">
        <Age at={created_at} />
      </td>
    </tr>
  )
}

/** Makes one dead task pending again. */
function Redrive({ task: { id, queue_name: name }, onChange }: { task: QueueTask; onChange(): void }) {
  const { orchestrator } = useLive().clients
  const { state, run } = useAction(`redrive/${id}`)
  const isReady = useMayAct('operator') && state.kind !== 'sending'
  const send = async () => {
    if (await run(() => orchestrator.redriveTask({ params: { name, id } }))) onChange()
  }
  return (
    <p>
      <button type="button" className="btn small" disabled={!isReady} onClick={() => void send()}>
        Redrive this task
      </button>{' '}
      <ActionNote state={state} />
    </p>
  )
}
